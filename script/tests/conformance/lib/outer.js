import { inner } from './deeper/inner.js';

export const outer = () => `outer ${inner()}`;
export { inner } from './deeper/inner.js';
