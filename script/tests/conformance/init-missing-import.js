import { x } from './lib/nowhere.js';
export default function () { x(); }
