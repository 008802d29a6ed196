// Native functions have room even where JavaScript has used up its own.
import http from 'k6/http';
export default function () {
  let result;
  const down = () => {
    try { down(); } catch (error) {
      if (result !== undefined) return;
      try {
        const r = http.get(`${__ENV.BASE_URL}/json`);
        http.batch([`${__ENV.BASE_URL}/json`]);
        result = `${r.status} ${r.json('a.b.#')}`;
      } catch (inner) { throw error; /* still too deep */ }
    }
  };
  down();
  console.log('result', result);
}
