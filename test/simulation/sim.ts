import { runSeed } from './runSeed.ts';
const from = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 10),
  t0 = Date.now();
let ev = 0,
  cmp = 0,
  bad = 0;
for (let s = from; s < from + n; s++) {
  const r = await runSeed(s);
  ev += r.eventCount;
  cmp += Number(r.isCompared);
  if (r.failure) {
    bad++;
    console.log(s, r.failure.slice(0, 300));
    if (process.argv[4]) console.log(r.tail.slice(-Number(process.argv[4])).join('\n'));
  }
}
console.log({ n, bad, ev, cmp, ms: Date.now() - t0 });
