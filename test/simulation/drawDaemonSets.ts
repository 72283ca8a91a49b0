import type { ClientOp, DaemonStrategy, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one runs a DaemonSet, too: the one with this remainder. None of them runs Jobs. */
const SEEDS = 10;
const REMAINDER = 5;
const AGENT: Target = { resource: 'daemonsets.apps', namespace: 'a', name: 'agent', app: 'agent' };
const IMAGES = ['agent:1', 'agent:2', 'agent:3'] as const;
const NEVER_PULLED = 'agent:404';
/** The nodes that come and go. Only daemons run there, so that other workloads are as in other seeds. */
const FIRST_NODE = 3;
const LAST_NODE = 5;

/** A DaemonSet, and nodes that come and go. The pods of nodes that are deleted have no kubelet any more, so the pod garbage collector runs, too. */
export const DAEMON_SETS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS === REMAINDER,
  draw: (seed) => {
    const random = new Random(seed).fork();
    const ops = [...drawDaemonOps(random), ...drawNodes(random)];
    const lastMs = Math.max(...ops.map(({ atMs }) => atMs));
    return { ops, endMs: lastMs + random.integer(0, 20_000), commutes: false };
  },
  controllers: ['daemonset', 'podgc'],
  resources: ['daemonsets.apps', 'controllerrevisions.apps'],
  changesNodes: true,
};

/** A DaemonSet that is created, updated and disturbed, perhaps created anew, and left with an update that can end. */
function drawDaemonOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.chance(0.4) ? random.integer(1, 2_000) : random.integer(2_000, 30_000);
  };
  then(drawDaemonSet(random));
  for (let left = random.integer(1, 6); left > 0; left--) {
    const op = drawDisturbance(random);
    then(op);
    if (op.op === 'delete') then(drawDaemonSet(random));
  }
  then({ op: 'daemonStrategy', target: AGENT, strategy: drawRolling(random) });
  then({ op: 'image', target: AGENT, image: random.pick(IMAGES) });
  return ops;
}

function drawDaemonSet(random: Random): ClientOp {
  return {
    op: 'createDaemonSet',
    target: AGENT,
    image: random.pick(IMAGES),
    strategy: drawStrategy(random),
    minReadySeconds: random.chance(0.3) ? random.integer(1, 5) : 0,
    habits: {
      ...(random.chance(0.4) && { 'start-delay': `${random.integer(1, 5)}s` }),
      ...(random.chance(0.5) && { 'termination-delay': `${random.integer(1, 20)}s` }),
    },
  };
}

function drawStrategy(random: Random): DaemonStrategy {
  return random.chance(0.15) ? { type: 'OnDelete' } : drawRolling(random);
}

function drawRolling(random: Random): DaemonStrategy {
  const rollingUpdate = random.chance(0.4)
    ? { maxSurge: random.integer(1, 2), maxUnavailable: 0 }
    : { maxSurge: 0, maxUnavailable: random.integer(1, 2) };
  return { type: 'RollingUpdate', rollingUpdate };
}

function drawDisturbance(random: Random): ClientOp {
  const image = () => ({ op: 'image', target: AGENT, image: random.pick(IMAGES) }) as const;
  return random.pick<() => ClientOp>([
    image,
    image,
    () => ({ op: 'image', target: AGENT, image: NEVER_PULLED }),
    () => ({ op: 'daemonStrategy', target: AGENT, strategy: drawStrategy(random) }),
    () => ({ op: 'deletePod', target: AGENT, pick: random.fraction() }),
    () => ({ op: 'deletePod', target: AGENT, pick: random.fraction(), graceSeconds: 0 }),
    () => ({ op: 'delete', target: AGENT, policy: random.pick(['Background', 'Foreground', 'Orphan'] as const) }),
  ])();
}

/** Nodes that come, are tainted, and go. What is tainted at the end stays so. */
function drawNodes(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  for (let number = FIRST_NODE; number <= LAST_NODE; number++) {
    const name = `driftless-node-${number}`;
    const target: Target = { resource: 'nodes', namespace: '', name, app: '' };
    let atMs = random.integer(0, 10_000);
    const then = (op: ClientOp) => {
      ops.push({ atMs, op });
      atMs += random.integer(500, 30_000);
    };
    then({ op: 'addNode', target, number });
    for (let left = random.integer(0, 3); left > 0; left--) {
      const effect = random.pick(['NoSchedule', 'NoExecute', undefined] as const);
      then(random.chance(0.3) ? { op: 'removeNode', target } : { op: 'taintNode', target, effect });
      if (random.chance(0.5)) then({ op: 'addNode', target, number });
    }
  }
  return ops;
}
