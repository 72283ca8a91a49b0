import type { DeadLetter, EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { observeNode } from '../../lambdas/controllers/nodelifecycle/observeNode.ts';
import { observeScaling } from '../../lambdas/controllers/podautoscaler/observeScaling.ts';
import { observeBudget } from '../../lambdas/controllers/disruption/syncBudget.ts';
import { memoryOf as jobMemory } from '../../lambdas/controllers/job/commitPods.ts';
import { observeJobs } from '../../lambdas/controllers/cronjob/syncCronJob.ts';
import type { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import { observeStatefulSet } from '../../lambdas/controllers/statefulset/observeStatefulSet.ts';
import type { ControllerRevision, Node, Pod, ReplicaSet, StatefulSet } from '../../lambdas/objects/kinds.ts';
import { controllerOf, type KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import { roomNamed } from '../../lambdas/controllers/controllerRooms.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { Explanation, KeyState } from '../../lambdas/explain/Explanation.ts';
import { explainAutoscaler } from '../../lambdas/controllers/podautoscaler/explainAutoscaler.ts';
import { explainBudget } from '../../lambdas/controllers/disruption/explainBudget.ts';
import { explainCronJob } from '../../lambdas/controllers/cronjob/explainCronJob.ts';
import { explainDaemonSet } from '../../lambdas/controllers/daemonset/explainDaemonSet.ts';
import { explainJob } from '../../lambdas/controllers/job/explainJob.ts';
import { explainNode } from '../../lambdas/controllers/nodelifecycle/explainNode.ts';
import { explainStatefulSet } from '../../lambdas/controllers/statefulset/explainStatefulSet.ts';
import { explainRollout } from '../../lambdas/controllers/deployment/explainRollout.ts';
import { formatExplainKey } from '../../lambdas/explain/explainKey.ts';
import { stuckPods } from '../../lambdas/explain/stuckPods.ts';

export interface ExplainerParts {
  readonly ports: Ports & { readonly workQueue: EmbeddedWorkQueue };
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
  readonly history: SyncHistory;
}

/** Explains one key; resolves to `undefined` if there is no such object and no sync of the key is remembered. Only reads. */
export type Explainer = (key: WorkKey) => Promise<Explanation | undefined>;

export function createExplainer(parts: ExplainerParts): Explainer {
  return async (key) => {
    const { registry, history, ports } = parts;
    const resource = roomNamed(key.controller)?.about;
    const object = resource && (await registry.get({ ...key, resource }));
    const syncs = history.of(key).toReversed();
    if (!object && syncs.length === 0) return undefined;
    const nowMs = ports.clock.now();
    return {
      key: formatExplainKey(key),
      nowMs,
      ...(resource && { exists: object !== undefined }),
      state: await stateOf(parts, key),
      ...(object && (await explainObject(parts, key, object, nowMs))),
      ...(!object && { stuckPods: [] }),
      syncs,
    } as Explanation;
  };
}

async function stateOf({ ports }: ExplainerParts, key: WorkKey): Promise<KeyState> {
  const nowMs = ports.workClock.now();
  const timeOfDay = (workMs: number) => workMs - nowMs + ports.clock.now();
  const item = await ports.keyLocks.peek(key);
  const { isOut, waiting } = ports.workQueue.peek(key);
  const retryAtMs = waiting.find(({ isBackoff, visibleAtMs }) => isBackoff && visibleAtMs > nowMs)?.visibleAtMs;
  const letter = ports.workQueue.deadLetters().find(isAbout(key));
  const { heldUntilMs, wakeAtMs, intent } = item ?? {};
  return {
    ...(heldUntilMs !== undefined && { syncingUntilMs: timeOfDay(heldUntilMs) }),
    isQueued: !isOut && waiting.some(({ visibleAtMs }) => visibleAtMs <= nowMs),
    failures: item?.failures ?? 0,
    ...(retryAtMs !== undefined && { retryAtMs: timeOfDay(retryAtMs) }),
    ...(wakeAtMs !== undefined && { wakeAtMs: timeOfDay(wakeAtMs) }),
    ...(intent && intent.count + intent.deletes.length > 0 && { unfinishedPods: intent.count + intent.deletes.length }),
    ...(letter && { deadLetter: letter.why }),
  };
}

function isAbout(key: WorkKey): (letter: DeadLetter) => boolean {
  return (letter) => encodeWorkKey(letter.key) === encodeWorkKey(key);
}

async function explainObject(
  { registry, history, ports, catalog }: ExplainerParts,
  key: WorkKey,
  object: KubernetesObject,
  nowMs: number,
): Promise<
  Pick<
    Explanation,
    'rollout' | 'job' | 'cronJob' | 'statefulSet' | 'daemonSet' | 'autoscaler' | 'budget' | 'node' | 'stuckPods'
  >
> {
  const { controller, namespace } = key;
  switch (controller) {
    case 'deployment': {
      const replicaSets = await ownedBy<ReplicaSet>(registry, 'replicasets.apps', namespace, object);
      const pods = await Promise.all(replicaSets.map((one) => ownedBy<Pod>(registry, 'pods', namespace, one)));
      const all = pods.flat();
      const rollout = explainRollout(object, replicaSets, all, nowMs, history);
      return { rollout, stuckPods: stuckPods(all) };
    }
    case 'replicaset':
    case 'replicationcontroller':
      return { stuckPods: stuckPods(await ownedBy<Pod>(registry, 'pods', namespace, object)) };
    case 'job': {
      const pods = await ownedBy<Pod>(registry, 'pods', namespace, object);
      const item = await ports.keyLocks.peek(key);
      return { job: explainJob(object, pods, jobMemory(item?.intent).backoff, nowMs), stuckPods: stuckPods(pods) };
    }
    case 'cronjob': {
      const facts = await observeJobs(registry, object);
      const pods = await Promise.all(facts.jobs.map((job) => ownedBy<Pod>(registry, 'pods', namespace, job)));
      const item = await ports.keyLocks.peek(key);
      return { cronJob: explainCronJob(facts, item?.intent, nowMs), stuckPods: stuckPods(pods.flat()) };
    }
    case 'disruption': {
      const facts = await observeBudget(registry, catalog, object);
      return { budget: explainBudget(facts, nowMs), stuckPods: stuckPods(facts.pods) };
    }
    case 'nodelifecycle': {
      const facts = await observeNode(registry, catalog, object);
      return { node: explainNode(facts, nowMs), stuckPods: stuckPods(facts.pods) };
    }
    case 'daemonset': {
      const [pods, revisions, nodes, item] = await Promise.all([
        ownedBy<Pod>(registry, 'pods', namespace, object),
        ownedBy<ControllerRevision>(registry, 'controllerrevisions.apps', namespace, object),
        registry.list<Node>('nodes'),
        ports.keyLocks.peek(key),
      ]);
      const facts = { daemonSet: object, nodes: nodes.items, pods, revisions, intent: item?.intent, nowMs };
      return { daemonSet: explainDaemonSet(facts), stuckPods: stuckPods(pods) };
    }
    case 'horizontalpodautoscaler': {
      const facts = await observeScaling(registry, catalog, ports.clock, object);
      const item = await ports.keyLocks.peek(key);
      const pods = facts.measurements?.status === 'read' ? facts.measurements.pods : [];
      return { autoscaler: explainAutoscaler(facts, item?.intent, nowMs), stuckPods: stuckPods(pods) };
    }
    case 'statefulset': {
      const set = object as StatefulSet;
      const observed = await observeStatefulSet(registry, set);
      const pods = observed.candidates.filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
      return { statefulSet: explainStatefulSet(set, pods, observed, nowMs), stuckPods: stuckPods(pods) };
    }
    case 'pod':
      return { stuckPods: stuckPods([object]) };
    default:
      return { stuckPods: [] };
  }
}

async function ownedBy<T extends KubernetesObject>(
  registry: Registry,
  resource: GroupResource,
  namespace: string,
  { metadata }: KubernetesObject,
): Promise<readonly T[]> {
  const index = { name: 'controller', value: metadata.uid, ownerName: metadata.name } as const;
  return (await registry.list<T>(resource, { namespace, index })).items;
}
