import { inner } from './deeper/inner.js';

export const here = () => import.meta.url;
export const outer = () => `outer ${inner()}`;
export { inner } from './deeper/inner.js';
