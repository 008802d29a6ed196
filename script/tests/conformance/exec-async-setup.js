export async function setup() { await new Promise((done) => setTimeout(done, 20)); return { from: 'setup' }; }
export default async (data) => { await null; console.log(data.from); };
export async function teardown(data) { await null; console.log('torn down', data.from); }
