import { browser } from 'k6/browser';
export default function () { browser(); }
