import { LATENCY_LIMITS, type LatencyLimit } from '../../promises.ts';
import type { SeenObject } from '../ClusterApi.ts';
import { ObjectMirror } from '../ObjectMirror.ts';
import type { Place } from '../Place.ts';
import { judgeTimes } from '../Samples.ts';
import { simulatedDeployment } from '../simulatedDeployment.ts';
import { failed, type Step, type Verdict } from '../Step.ts';

export interface RolloutFacts {
  /** From the acknowledged write on; ms. */
  readonly readyMs: readonly number[];
  readonly availableMs: readonly number[];
  readonly rolledMs: readonly number[];
  /** The fewest replicas that were available at any moment of a roll. */
  readonly leastAvailable: number;
  /** The most pods without a deletion timestamp at any moment of a roll. */
  readonly mostPods: number;
  /** What had not happened when the step gave up: `round 2: rolled`. */
  readonly unfinished: string | undefined;
}

const ROUNDS = 5;
const REPLICAS = 3;
/** By default a quarter of the replicas, rounded up, may be there in addition, and, rounded down, none may be missing. */
const MAX_SURGE = 1;
const PATIENCE_MS = 120_000;
/** Before a measurement everything else has ended. */
const PAUSE_MS = 3_000;

/** A Deployment that is applied, rolled and deleted, several times. */
export const rollout: Step<RolloutFacts> = {
  id: 'rollout',
  expects: `Three replicas that are applied are ready within ${LATENCY_LIMITS.Ready.p50} ms, and rolled within ${LATENCY_LIMITS.rolled.p50}, in half of the runs, as a watcher sees it; meanwhile never fewer than three are available, and never more than four pods are there.`,
  observe: observeRollouts,
  judge: judgeRollouts,
};

async function observeRollouts(place: Place): Promise<RolloutFacts> {
  const { api, clock, namespace } = place;
  const root = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const deployments = await ObjectMirror.open(api, clock, root);
  const pods = await ObjectMirror.open(api, clock, `/api/v1/namespaces/${namespace}/pods`);
  const [readyMs, availableMs, rolledMs]: [number[], number[], number[]] = [[], [], []];
  let [leastAvailable, mostPods] = [Number.POSITIVE_INFINITY, 0];
  let unfinished: string | undefined;
  let rolling: string | undefined;
  const podsOf = (name: string) =>
    [...pods.objects.values()].filter(({ metadata }) => metadata.labels?.['app'] === name);
  pods.onEachChange(() => {
    if (rolling !== undefined) mostPods = Math.max(mostPods, podsOf(rolling).filter(isStaying).length);
  });
  try {
    // The first round finds functions cold, so it is not measured.
    for (let round = 0; round <= ROUNDS && unfinished === undefined; round += 1) {
      const name = `web-${round}`;
      const mine = () => podsOf(name);
      const current = () => deployments.objects.get(name);
      await clock.sleep(PAUSE_MS);
      await api.post(root, await simulatedDeployment(api, { name, image: 'nginx:1', replicas: REPLICAS }));
      const appliedMs = clock.now();
      const [ready, available] = await Promise.all([
        pods.until(() => mine().filter(isReady).length >= REPLICAS, PATIENCE_MS),
        deployments.until(() => isComplete(current(), 'nginx:1'), PATIENCE_MS),
      ]);
      await clock.sleep(PAUSE_MS);
      rolling = name;
      await api.patch(`${root}/${name}`, patchTo('nginx:2'));
      const patchedMs = clock.now();
      const rolled = await deployments.until(() => {
        leastAvailable = Math.min(leastAvailable, Number(current()?.status?.['availableReplicas'] ?? 0));
        return isComplete(current(), 'nginx:2');
      }, PATIENCE_MS);
      rolling = undefined;
      const ends = { ready, available, rolled };
      const missing = Object.entries(ends).find(([, ms]) => ms === undefined)?.[0];
      if (missing !== undefined) unfinished = `round ${round}: ${missing}`;
      else if (round > 0) {
        readyMs.push(since(appliedMs, ready));
        availableMs.push(since(appliedMs, available));
        rolledMs.push(since(patchedMs, rolled));
      }
      await api.delete(`${root}/${name}`);
    }
  } finally {
    await deployments.close();
    await pods.close();
  }
  return { readyMs, availableMs, rolledMs, leastAvailable, mostPods, unfinished };
}

/** The event may come before the answer to the write. */
function since(beganMs: number, reachedMs: number | undefined): number {
  return Math.max(0, (reachedMs ?? Number.NaN) - beganMs);
}

function patchTo(image: string): object {
  return { spec: { template: { spec: { containers: [{ name: 'nginx', image }] } } } };
}

function isReady({ status }: SeenObject): boolean {
  const conditions = (status?.['conditions'] ?? []) as readonly { readonly type: string; readonly status: string }[];
  return conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

function isStaying({ metadata }: SeenObject): boolean {
  return !('deletionTimestamp' in metadata);
}

/** As `kubectl rollout status` takes a rollout for finished. Pure. */
export function isComplete(deployment: SeenObject | undefined, image: string): boolean {
  if (!deployment) return false;
  const { metadata, spec = {}, status = {} } = deployment;
  const template = spec['template'] as {
    readonly spec?: { readonly containers?: readonly { readonly image?: string }[] };
  };
  const counts = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) => status[field]);
  return (
    template?.spec?.containers?.[0]?.image === image &&
    Number(status['observedGeneration'] ?? 0) >= (metadata.generation ?? 1) &&
    counts.every((count) => count === spec['replicas'])
  );
}

export function judgeRollouts(facts: RolloutFacts, { isLocal }: Pick<Place, 'isLocal'>): Verdict {
  const { readyMs, availableMs, rolledMs, leastAvailable, mostPods, unfinished } = facts;
  if (unfinished !== undefined) return failed(`Not finished after ${PATIENCE_MS / 1000} s: ${unfinished}.`);
  if (leastAvailable < REPLICAS)
    return failed(`Only ${leastAvailable} of ${REPLICAS} replicas were available during a roll.`);
  if (mostPods > REPLICAS + MAX_SURGE)
    return failed(`${mostPods} pods were there during a roll of ${REPLICAS} replicas.`);
  return judgeTimes(
    [
      { name: 'applied until ready', ms: readyMs, limit: seenByWatcher(LATENCY_LIMITS.Ready) },
      { name: 'applied until available', ms: availableMs, limit: seenByWatcher(LATENCY_LIMITS.available) },
      { name: 'rolled', ms: rolledMs, limit: seenByWatcher(LATENCY_LIMITS.rolled) },
    ],
    isLocal,
  );
}

/** The models note when the table has the end; here a watcher sees it, a while later. */
function seenByWatcher({ p50, p95 }: LatencyLimit): LatencyLimit {
  const watcher = LATENCY_LIMITS['a change seen by a watcher'];
  return { p50: p50 + watcher.p50, p95: p95 + watcher.p95 };
}
