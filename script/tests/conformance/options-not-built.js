export const options = { hosts: { 'a.test': '127.0.0.1' } };
export default function () {}
