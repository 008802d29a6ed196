import http from 'k6/http';
export const options = { batch: 50, batchPerHost: 50 };
export default function () {
  const url = `${__ENV.HTTPS2_URL}`;
  const first = http.get(`${url}/connection`).json('number');
  const answers = http.batch(Array.from({ length: 40 }, () => `${url}/connection`));
  console.log('numbers', [...new Set(answers.map((r) => r.json('number')))].length, answers[0].json('number') === first);
  console.log('requests', new Set(answers.map((r) => r.json('request'))).size);
  console.log('together', http.batch(Array.from({ length: 23 }, () => `${url}/meet/23`)).filter((r) => r.body === 'met').length);
}
