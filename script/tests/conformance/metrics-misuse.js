import { Counter } from 'k6/metrics';
const counter = new Counter('some_counter');
for (const name of ['a b', 'x', 'http_reqs2']) { try { new Counter(name); console.log('made', name); } catch (error) { console.log('refused', name); } }
try { new Counter('vus'); } catch (error) { console.log(error.message); }
export default function () { counter.add('zwölf'); counter.add(null); counter.add(1); try { new Counter('late'); } catch (error) { console.log('late', error.message); } }
