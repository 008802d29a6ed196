import * as back from '../constant.js';

export const inner = () => `inner ${back.CONSTANT}`;
