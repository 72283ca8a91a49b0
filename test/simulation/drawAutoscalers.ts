import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import type { AutoscalerSpec, ClientOp, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one has an autoscaler. */
const SEEDS_WITHOUT = 10;
/** Of the Deployment that every script has. */
const SCALER: Target = { resource: 'horizontalpodautoscalers.autoscaling', namespace: 'a', name: 'web', app: 'web' };
/** A user of its own: the load waits for no change of the autoscaler. */
const LOAD: Target = { ...SCALER, name: 'load' };

/** An autoscaler and its load. How many pods there are at the end depends on when the autoscaler looked. */
export const AUTOSCALERS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS_WITHOUT === 8,
  draw: (seed) => {
    const random = new Random(seed).fork().fork().fork().fork();
    const changes = drawAutoscalerOps(random);
    const endMs = changes.at(-1)?.atMs ?? 0;
    return { ops: [...changes, ...drawLoads(random, endMs)], endMs, commutes: false };
  },
  controllers: ['horizontalpodautoscaler'],
  resources: ['horizontalpodautoscalers.autoscaling'],
};

/** An autoscaler that is created, changed a few times, perhaps created anew, and deleted at last: otherwise it would never come to rest. */
function drawAutoscalerOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 8_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.integer(10_000, 120_000);
  };
  then(drawAutoscaler(random));
  for (let left = random.integer(1, 4); left > 0; left--) {
    if (random.chance(0.8)) {
      then({ op: 'changeAutoscaler', target: SCALER, spec: drawSpec(random) });
    } else {
      then({ op: 'delete', target: SCALER, policy: 'Background' });
      then(drawAutoscaler(random));
    }
  }
  then({ op: 'delete', target: SCALER, policy: 'Background' });
  return ops;
}

/** A load that rises and falls all the time. */
function drawLoads(random: Random, untilMs: number): TimedOp[] {
  const ops: TimedOp[] = [];
  for (let atMs = random.integer(0, 3_000); atMs < untilMs; atMs += random.integer(2_000, 50_000))
    ops.push({ atMs, op: { op: 'load', target: LOAD, total: random.integer(0, 80) } });
  return ops;
}

function drawAutoscaler(random: Random): ClientOp {
  return { op: 'createAutoscaler', target: SCALER, spec: drawSpec(random) };
}

function drawSpec(random: Random): AutoscalerSpec {
  return {
    minReplicas: random.integer(1, 2),
    maxReplicas: random.integer(4, 8),
    metric: random.chance(0.7) ? 'External' : 'Pods',
    ...(random.chance(0.75) && {
      behavior: { scaleUp: drawRules(random, [0, 0, 0, 30]), scaleDown: drawRules(random, [0, 20, 45, 90]) },
    }),
  };
}

function drawRules(random: Random, windows: readonly number[]): HPAScalingRules {
  const periodSeconds = () => random.integer(10, 90);
  const pods = { type: 'Pods', value: random.integer(1, 3), periodSeconds: periodSeconds() };
  const percent = { type: 'Percent', value: random.pick([20, 50, 100]), periodSeconds: periodSeconds() };
  return {
    stabilizationWindowSeconds: random.pick(windows),
    selectPolicy: random.pick(['Max', 'Min', 'Min', ...(random.chance(0.1) ? ['Disabled'] : [])]),
    policies: random.pick([[pods], [percent], [pods, percent]]),
  };
}
