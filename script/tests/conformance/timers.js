export default function () {
  let ticks = 0;
  const id = setInterval((step) => { ticks += step; if (ticks === 6) { clearInterval(id); console.log('ticks', ticks); } }, 5, 2);
  clearTimeout(setTimeout(() => console.log('never'), 10));
  const order = []; setTimeout(() => { order.push('b'); console.log(order.join('')); }, 40); setTimeout(() => order.push('a'), 10);
}
