export const options = { tlsVersion: 'tls1.2', tlsCipherSuites: ['TLS_AES_128_GCM_SHA256'] };
export default function () {}
