// What the gRPC scripts have in common.

import { check } from 'k6';

export const options = { iterations: 1, thresholds: { checks: ['rate==1'] } };
export const EVERY = 'every.kind.v1.EchoService';

/** One check: both have the same JSON. */
export function is(name, actual, expected) {
  const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (!check(null, { [name]: shown === wanted })) console.error(`${name}: ${shown}, not ${wanted}`);
}

/** One check: the function throws, and the text is in the message. */
export function throws(name, text, run) {
  let message = 'nothing was thrown';
  try {
    run();
  } catch (error) {
    message = String(error.message);
  }
  if (!check(null, { [name]: message.includes(text) })) console.error(`${name}: ${message}`);
}
