// What the test scripts share. It runs in the init context, before them.

/** Fails unless both values have the same JSON. */
function equal(actual, expected, what = 'value') {
  const got = JSON.stringify(actual);
  const want = JSON.stringify(expected);
  if (got !== want) throw new Error(`${what}: ${got}, want ${want}`);
}

/** Fails unless the function throws an error whose text contains the given one. */
function throws(f, text) {
  let thrown = null;
  try {
    f();
  } catch (error) {
    thrown = error;
  }
  if (thrown === null) throw new Error(`nothing was thrown, want: ${text}`);
  contains(thrown, text);
}

/** Fails unless the promise is rejected with an error whose text contains the given one. */
async function rejects(promise, text) {
  let reason = null;
  try {
    await promise;
  } catch (error) {
    reason = error;
  }
  if (reason === null) throw new Error(`nothing was rejected, want: ${text}`);
  contains(reason, text);
}

function contains(error, text) {
  if (!String(error).includes(text)) throw new Error(`the error is: ${error}, want: ${text}`);
}

/** Collects all events of a stream; the promise settles at its end. */
function collect(stream) {
  const events = [];
  return new Promise((resolve) => {
    for (const name of ['metadata', 'data', 'error', 'status']) {
      stream.on(name, (value, meta) => events.push({ name, value, meta }));
    }
    stream.on('end', (value, meta) => {
      events.push({ name: 'end', value, meta });
      resolve(events);
    });
  });
}

let outcome = '';

/** Runs a test to its end, promises included; the harness reads the outcome. */
function runTest(name) {
  outcome = 'did not end';
  return Promise.resolve()
    .then(() => globalThis[name]())
    .then(
      () => { outcome = 'passed'; },
      (error) => { outcome = String((error && error.stack) || error); },
    );
}

/** The tests among the global functions. */
function testsIn(prefix) {
  return Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith(prefix));
}
