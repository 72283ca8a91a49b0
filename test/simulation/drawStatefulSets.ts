import type { ClientOp, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one runs StatefulSets, too. */
const SEEDS_WITHOUT = 10;
const DB: Target = { resource: 'statefulsets.apps', namespace: 'a', name: 'db', app: 'db' };
const IMAGES = ['db:1', 'db:2', 'db:3'] as const;
const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;

/** A StatefulSet and what users do to it. */
export const STATEFUL_SETS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS_WITHOUT === 4,
  draw: (seed) => {
    const random = new Random(seed).fork().fork().fork().fork();
    const ops = drawStatefulSetOps(random);
    const lastMs = ops.at(-1)?.atMs ?? 0;
    return { ops, endMs: lastMs + random.integer(0, 20_000) };
  },
  controllers: ['statefulset'],
  resources: ['statefulsets.apps', 'controllerrevisions.apps', 'persistentvolumeclaims'],
};

/** A set that is created, disturbed again and again, perhaps created anew, and left to come to rest. */
function drawStatefulSetOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.chance(0.6) ? random.integer(1, 2_500) : random.integer(2_500, 30_000);
  };
  then(drawStatefulSet(random));
  for (let left = random.integer(3, 10); left > 0; left--) {
    const op = drawDisturbance(random);
    then(op);
    if (op.op === 'delete') then(drawStatefulSet(random));
  }
  // A pod that has the name of one that is wanted, but another label, would keep the set waiting for ever.
  then({ op: 'attachPods', target: DB });
  return ops;
}

function drawStatefulSet(random: Random): ClientOp {
  const isBounded = random.chance(0.4);
  return {
    op: 'createStatefulSet',
    target: DB,
    replicas: random.integer(1, 5),
    isParallel: random.chance(0.4),
    isOnDelete: random.chance(0.1),
    start: random.chance(0.2) ? random.integer(1, 3) : 0,
    partition: random.chance(0.25) ? random.integer(1, 3) : 0,
    ...(isBounded && { maxUnavailable: random.pick([1, 2, '40%']) }),
    minReadySeconds: random.chance(0.3) ? random.integer(1, 5) : 0,
    image: random.pick(IMAGES),
    habits: {
      ...(random.chance(0.5) && { 'ready-after': `${random.integer(1, 8)}s` }),
      ...(random.chance(0.5) && { 'termination-delay': `${random.integer(1, 15)}s` }),
    },
  };
}

function drawDisturbance(random: Random): ClientOp {
  return random.pick<() => ClientOp>([
    () => ({ op: 'scale', target: DB, replicas: random.integer(0, 5) }),
    () => ({ op: 'scale', target: DB, replicas: random.integer(0, 5) }),
    () => ({ op: 'image', target: DB, image: random.pick(IMAGES) }),
    () => ({ op: 'image', target: DB, image: random.pick(IMAGES) }),
    () => ({ op: 'image', target: DB, image: random.pick(IMAGES) }),
    () => ({ op: 'partition', target: DB, partition: random.integer(0, 3) }),
    () => ({ op: 'deletePod', target: DB, pick: random.fraction() }),
    () => ({ op: 'detachPod', target: DB, pick: random.fraction() }),
    () => ({ op: 'attachPods', target: DB }),
    () => ({ op: 'delete', target: DB, policy: random.pick(POLICIES) }),
  ])();
}
