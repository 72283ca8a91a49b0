import { runSeed } from './runSeed.ts';
import { MUTATIONS } from './mutations.ts';
const [a1, a2, a3, a4] = process.argv.slice(2);
if (a1 === 'm') {
  for (const m of MUTATIONS.filter((x) => !a3 || x.name === a3)) {
    const t0 = Date.now();
    let n = 0,
      f: string | undefined,
      s = Number(a2);
    const hits: number[] = [];
    for (; n < 200; n++, s++) {
      f = (await runSeed(s, m)).failure;
      if (f) break;
    }
    console.log(m.name, f ? n + 1 : 'NOT CAUGHT', s, Date.now() - t0 + 'ms', f?.slice(0, 150));
  }
} else {
  const from = Number(a1 ?? 1),
    n = Number(a2 ?? 10),
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
      if (a3) console.log(r.tail.slice(-Number(a3)).join('\n'));
    }
  }
  console.log({ n, bad, ev, cmp, ms: Date.now() - t0 });
}
