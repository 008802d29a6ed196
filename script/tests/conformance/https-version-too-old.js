export const options = { tlsVersion: 'tls1.1' };
export default function () {}
