export const options = { tlsAuth: [{ cert: open(`${__ENV.TLS_FILES}/client.pem`) }] };
export default function () {}
