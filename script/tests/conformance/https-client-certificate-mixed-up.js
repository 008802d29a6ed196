export const options = {
  tlsAuth: [{ cert: open(`${__ENV.TLS_FILES}/client.pem`), key: open(`${__ENV.TLS_FILES}/other-key.pem`) }],
};
export default function () {}
