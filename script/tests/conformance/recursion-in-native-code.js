// Deep values are an exception or are cut off, whoever follows them.
export default function () {
  let deep = []; for (let i = 0; i < 100000; i += 1) deep = [deep];
  const calm = (name, act) => { try { act(); console.log(name, 'done'); } catch (error) { console.log(name, error.name); } };
  calm('parse', () => JSON.parse('['.repeat(100000)));
  calm('stringify', () => JSON.stringify(deep));
  calm('join', () => String(deep));
  calm('print', () => console.log(deep));
  calm('regexp', () => new RegExp('('.repeat(50000)).test('x'));
}
