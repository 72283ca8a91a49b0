import type { ClientOp, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one runs CronJobs, too. All of these run Jobs. */
const SEEDS_WITHOUT = 30;
const NIGHTLY: Target = { resource: 'cronjobs.batch', namespace: 'a', name: 'nightly', app: 'nightly' };
const POLICIES = ['Allow', 'Forbid', 'Replace'] as const;
const MINUTE_MS = 60_000;

/** A CronJob and what users do to it. */
export const CRON_JOBS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS_WITHOUT === 0,
  draw: (seed) => {
    const random = new Random(seed).fork().fork();
    const ops = drawCronJobOps(random);
    return { ops, endMs: ops.at(-1)?.atMs ?? 0 };
  },
  controllers: ['cronjob'],
  resources: ['cronjobs.batch'],
};

/** A CronJob of a run a minute that is created, disturbed for some minutes, perhaps created anew, and suspended at last: otherwise it would never come to rest. */
function drawCronJobOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    // Most often shortly after a run has begun.
    if (random.chance(0.6)) atMs += MINUTE_MS - (atMs % MINUTE_MS) + random.integer(0, 3_000);
    else atMs += random.integer(1, 40_000);
  };
  then(drawCronJob(random));
  for (let left = random.integer(2, 6); left > 0; left--) {
    const op = drawDisturbance(random);
    then(op);
    if (op.op === 'delete') then(drawCronJob(random));
  }
  then({ op: 'suspend', target: NIGHTLY, suspended: false });
  then({ op: 'suspend', target: NIGHTLY, suspended: true });
  return ops;
}

function drawCronJob(random: Random): ClientOp {
  return {
    op: 'createCronJob',
    target: NIGHTLY,
    policy: random.pick(POLICIES),
    history: [random.integer(0, 2), random.integer(0, 1)],
    suspended: random.chance(0.1),
    habits: {
      'complete-after': `${random.integer(0, 150)}s`,
      ...(random.chance(0.2) && { 'fail-attempts': String(random.integer(1, 3)) }),
    },
  };
}

function drawDisturbance(random: Random): ClientOp {
  return random.pick<() => ClientOp>([
    () => ({ op: 'concurrency', target: NIGHTLY, policy: random.pick(POLICIES) }),
    () => ({ op: 'deleteJob', target: NIGHTLY, pick: random.fraction() }),
    () => ({ op: 'deletePod', target: NIGHTLY, pick: random.fraction() }),
    () => ({ op: 'suspend', target: NIGHTLY, suspended: random.chance(0.3) }),
    () => ({ op: 'delete', target: NIGHTLY, policy: random.pick(['Background', 'Foreground', 'Orphan'] as const) }),
  ])();
}
