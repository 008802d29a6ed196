// Makes k6's modules and globals available to Node: node --import ./tests/shim/register.mjs …

import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';

register('./hooks.mjs', import.meta.url);

/** k6's open: relative to the folder that K6_FOLDER names. */
globalThis.open = (path, mode) => {
  const bytes = readFileSync(resolve(process.env.K6_FOLDER ?? '.', path.replace(/^file:\/\//, '')));
  return mode === 'b' ? new Uint8Array(bytes).buffer : bytes.toString('utf8');
};
