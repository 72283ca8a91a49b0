import type { ClientOp, Needed, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one has pods that wait for objects: the one with this remainder. */
const SEEDS = 50;
const REMAINDER = 35;
const NAMESPACE = 'a';

/** ReplicaSets whose pods refer to a ConfigMap or a Secret that comes later, at first perhaps without the key that they need. */
export const WAITERS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS === REMAINDER,
  draw: (seed) => {
    const random = new Random(seed).fork();
    const ops = Array.from({ length: random.integer(2, 4) }, (_, number) => drawWaiter(random, number)).flat();
    const lastMs = Math.max(...ops.map(({ atMs }) => atMs));
    return { ops, endMs: lastMs + random.integer(0, 20_000), commutes: false };
  },
  controllers: [],
  resources: ['secrets'],
};

function drawWaiter(random: Random, number: number): TimedOp[] {
  const name = `waiter-${number}`;
  const target: Target = { resource: 'replicasets.apps', namespace: NAMESPACE, name, app: name };
  const resource = random.pick(['configmaps', 'secrets'] as const);
  const needed: Needed = { resource, name: `needed-${number}`, as: random.pick(['variable', 'volume'] as const) };
  const atMs = random.integer(0, 20_000);
  const create: ClientOp = { op: 'createWaiters', target, replicas: random.integer(1, 3), needed, habits: {} };
  return [{ atMs, op: create }, ...drawDisturbances(random, target, atMs), ...drawGifts(random, needed, atMs)];
}

function drawDisturbances(random: Random, target: Target, fromMs: number): TimedOp[] {
  return Array.from({ length: random.integer(0, 3) }, () => ({
    atMs: fromMs + random.integer(1, 150_000),
    op: random.pick<() => ClientOp>([
      () => ({ op: 'scale', target, replicas: random.integer(0, 4) }),
      () => ({ op: 'deletePod', target, pick: random.fraction() }),
    ])(),
  }));
}

/** What the pods need appears within minutes, or before them. */
function drawGifts(random: Random, { resource, name }: Needed, fromMs: number): TimedOp[] {
  const target: Target = { resource, namespace: NAMESPACE, name, app: name };
  const atMs = random.chance(0.2) ? random.integer(0, fromMs) : fromMs + random.integer(0, 180_000);
  if (random.chance(0.6)) return [{ atMs, op: { op: 'giveData', target, hasKey: true } }];
  return [
    { atMs, op: { op: 'giveData', target, hasKey: false } },
    { atMs: atMs + random.integer(1, 120_000), op: { op: 'giveData', target, hasKey: true } },
  ];
}
