import type { ClientOp, CrowdRank, CrowdWish, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { CROWD_CLASSES, HIGHEST_PRIORITY, SMALL_CPUS } from './newCrowd.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one has a crowd: the one with this remainder. None of them runs Jobs. */
const SEEDS = 10;
const REMAINDER = 3;
/** The numbers of the small nodes. */
const FIRST_NODE = 11;
const LAST_NODE = 13;
/** A node that takes so many pods is never full of them. */
const MANY_PODS = 1_000_000;

/** Pods that compete for a few small nodes, which come and go. The pods of nodes that are deleted have no kubelet any more, so the pod garbage collector runs, too. */
export const CROWDS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS === REMAINDER,
  draw: (seed) => {
    const random = new Random(seed).fork();
    const early = [...drawNodes(random), ...drawMembers(random)];
    const ops = [...early, drawRelief(random, Math.max(...early.map(({ atMs }) => atMs)))];
    const lastMs = Math.max(...ops.map(({ atMs }) => atMs));
    return { ops, endMs: lastMs + random.integer(0, 20_000), commutes: false };
  },
  controllers: ['podgc'],
  resources: [],
  objects: CROWD_CLASSES,
  changesNodes: true,
};

/** Nodes that are cordoned and removed now and then. In half of the scripts they take few pods, so that pods which ask for nothing have to wait for room as well. */
function drawNodes(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  const isTight = random.chance(0.5);
  for (let number = FIRST_NODE; number <= LAST_NODE; number++) {
    const target = smallNode(number);
    const add: ClientOp = { op: 'addSmallNode', target, number, pods: isTight ? random.integer(2, 5) : MANY_PODS };
    let atMs = random.integer(0, 10_000);
    const then = (op: ClientOp) => {
      ops.push({ atMs, op });
      atMs += random.integer(500, 30_000);
    };
    then(add);
    for (let left = random.integer(0, 3); left > 0; left--) {
      const isCordoned = random.chance(0.4);
      then(random.chance(0.35) ? { op: 'removeNode', target } : { op: 'cordonNode', target, isCordoned });
      if (random.chance(0.7)) then(add);
    }
  }
  return ops;
}

/** When nothing has happened for a while, so that nothing else wakes the scheduler, there is more room. */
function drawRelief(random: Random, lastMs: number): TimedOp {
  const number = LAST_NODE + 1;
  const op = random.pick<ClientOp>([
    { op: 'addSmallNode', target: smallNode(number), number, pods: 3 },
    { op: 'cordonNode', target: smallNode(FIRST_NODE), isCordoned: false },
    { op: 'scale', target: member(0), replicas: 0 },
  ]);
  return { atMs: lastMs + random.integer(60_000, 180_000), op };
}

function smallNode(number: number): Target {
  return { resource: 'nodes', namespace: '', name: `small-${number}`, app: '' };
}

function member(number: number): Target {
  const name = `crowd-${number}`;
  return { resource: 'replicasets.apps', namespace: 'a', name, app: name };
}

/** A few ReplicaSets, each with pods of one kind. */
function drawMembers(random: Random): TimedOp[] {
  return Array.from({ length: random.integer(3, 6) }, (_, number) => drawMember(random, member(number))).flat();
}

/** A ReplicaSet that is created, scaled and disturbed, and perhaps created anew with other pods. */
function drawMember(random: Random, target: Target): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 20_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.chance(0.4) ? random.integer(1, 2_000) : random.integer(2_000, 30_000);
  };
  then(drawCrowd(random, target));
  for (let left = random.integer(1, 5); left > 0; left--) {
    const op = drawDisturbance(random, target);
    then(op);
    if (op.op === 'delete' && random.chance(0.7)) then(drawCrowd(random, target));
  }
  return ops;
}

function drawCrowd(random: Random, target: Target): ClientOp {
  return {
    op: 'createCrowd',
    target,
    replicas: random.integer(1, 4),
    wish: drawWish(random),
    rank: drawRank(random),
    habits: {
      ...(random.chance(0.4) && { 'start-delay': `${random.integer(1, 5)}s` }),
      ...(random.chance(0.5) && { 'termination-delay': `${random.integer(1, 20)}s` }),
    },
  };
}

function drawWish(random: Random): CrowdWish {
  const asks = random.pick(['cpu', 'cpu', 'cpu', 'port', 'nothing', 'distance', 'spread'] as const);
  return asks === 'cpu' ? { asks, milliCpu: 500 * random.integer(1, 2 * SMALL_CPUS) } : { asks };
}

/** Half of them are alike, so that none of those may take another's place. */
function drawRank(random: Random): CrowdRank {
  return { priority: random.chance(0.5) ? 0 : random.integer(1, HIGHEST_PRIORITY), preempts: random.chance(0.8) };
}

function drawDisturbance(random: Random, target: Target): ClientOp {
  return random.pick<() => ClientOp>([
    () => ({ op: 'scale', target, replicas: random.integer(0, 5) }),
    () => ({ op: 'scale', target, replicas: random.integer(1, 5) }),
    () => ({ op: 'deletePod', target, pick: random.fraction() }),
    () => ({ op: 'deletePod', target, pick: random.fraction(), graceSeconds: 0 }),
    () => ({ op: 'delete', target, policy: 'Background' }),
  ])();
}
