import { randomSeed } from 'k6';
const draw = () => { randomSeed(7); return [Math.random(), Math.random()].join(); };
export default function () { const [a, b] = draw().split(',').map(Number); console.log(draw() === draw(), a !== b, a >= 0 && a < 1); }
