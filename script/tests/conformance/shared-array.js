import { SharedArray } from 'k6/data';
let filled = 0;
const users = new SharedArray('users', () => { filled += 1; return [{ name: 'a' }, { name: 'b', deep: { x: 1 } }, undefined]; });
export const options = { vus: 3, iterations: 3 };
export default function () {
  const names = []; for (const user of users) names.push(user && user.name);
  console.log(`filled ${filled}`, users.length, users[1].name, names.join(), users.map((u) => u).length, 5 in users, users[7]);
  try { users[0] = 1; console.log('written'); } catch (error) { console.log(error.name); }
  'use strict'; try { users[1].deep.x = 2; console.log('changed'); } catch (error) { console.log('frozen'); }
}
