import { SharedArray } from 'k6/data';
for (const wrong of [() => new SharedArray('', () => []), () => new SharedArray('x', () => 5)]) { try { wrong(); } catch (error) { console.log(error.message); } }
export default function () { try { new SharedArray('late', () => []); } catch (error) { console.log(error.message); } }
