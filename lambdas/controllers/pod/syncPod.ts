import type { ApiError } from '../../objects/ApiError.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulatedNodes.ts';
import type { PodRuntime, PodStep } from '../../ports/PodRuntime.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { topologyLabels } from '../../registry/admission/applyTopologyLabels.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import type { Reason } from '../Reason.ts';
import { reasonInWords } from '../reasonInWords.ts';
import type { PodEventBudget } from './PodEventBudget.ts';
import { NodesOfSync, type RecentNodes } from './RecentNodes.ts';
import { kubeletEventsOf, schedulerEventsOf, stopEventsOf } from './podEvents.ts';

export interface SyncPodDeps {
  readonly podRuntime: PodRuntime;
  readonly schedulerEvents: EventRecorder;
  readonly kubeletEvents: EventRecorder;
  readonly budget: PodEventBudget;
  readonly nodes: RecentNodes;
}

/** What a sync collects while it goes from step to step. */
interface Progress {
  readonly why: Reason[];
  readonly writes: string[];
  readonly scheduler: EventToRecord[];
  readonly kubelet: EventToRecord[];
}

/** A pod takes at most this many steps in one sync, so that other pods get their turn. */
const MAX_STEPS = 16;

/** Asks the runtime for one step after the other and writes each, until the runtime waits. */
export async function syncPod(deps: SyncPodDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const progress: Progress = { why: [], writes: [], scheduler: [], kubelet: [] };
  const outcome = await takeSteps(deps, key, context, progress);
  const scheduling = deps.schedulerEvents.record(deps.budget.admit(progress.scheduler), context.registry);
  await Promise.all([scheduling, deps.kubeletEvents.record(deps.budget.admit(progress.kubelet), context.registry)]);
  return { outcome, why: progress.why.map(reasonInWords), writes: progress.writes };
}

async function takeSteps(
  deps: SyncPodDeps,
  { namespace, name }: WorkKey,
  { registry, nowMs, mayWrite }: SyncContext,
  progress: Progress,
): Promise<SyncOutcome> {
  let pod = await registry.get<Pod>({ resource: 'pods', namespace, name });
  const nodes = new NodesOfSync(deps.nodes);
  for (let steps = 0; pod && steps < MAX_STEPS && mayWrite(); steps += 1) {
    if (await hasKubelet(deps.nodes, pod)) return leaveToKubelet(pod, progress);
    const step = await nextStep(deps.podRuntime, pod, nodes, nowMs);
    if (step.step === 'wait') return waitUntil(step.nextAtMs, nowMs, progress);
    const written = await takeStep(registry, pod, nodes, step, progress);
    if (written.status !== 'stored') return { status: written.status };
    pod = written.pod;
  }
  if (!pod) return { status: 'done' };
  progress.why.push({ reason: 'moreSteps' });
  return { status: 'requeueAfter', delayMs: 0 };
}

/**
 * Whether the pod belongs to a kubelet, or to one that has yet to register its node. A pod that is being deleted on a node that does not exist has none: it is stopped here, as Kubernetes' pod garbage collector deletes it.
 */
async function hasKubelet(nodes: RecentNodes, { metadata, spec }: Pod): Promise<boolean> {
  if (!spec?.nodeName) return false;
  const node = await nodes.named(spec.nodeName);
  return node ? !isSimulatedNode(node) : metadata.deletionTimestamp === undefined;
}

function leaveToKubelet({ spec }: Pod, { why }: Progress): SyncOutcome {
  why.push({ reason: 'leftToKubelet', nodeName: spec?.nodeName ?? '' });
  return { status: 'done' };
}

/** Asks the runtime for the next step, with the nodes if it needs them: to choose one, or for the address of the chosen one. */
async function nextStep(podRuntime: PodRuntime, pod: Pod, nodes: NodesOfSync, nowMs: number): Promise<PodStep> {
  const { spec, status } = pod;
  if (spec?.nodeName && status?.hostIP !== undefined) return await podRuntime.next(pod, [], nowMs);
  const recent = await nodes.recent();
  const step = await podRuntime.next(pod, recent, nowMs);
  const hasFound = spec?.nodeName
    ? recent.some(({ metadata }) => metadata.name === spec.nodeName)
    : step.step === 'bind';
  // What the pod waits for may have happened since these nodes were listed, and then nobody looks at the pod again.
  return hasFound || nodes.areNew ? step : await podRuntime.next(pod, await nodes.list(), nowMs);
}

function waitUntil(nextAtMs: number | undefined, nowMs: number, { why }: Progress): SyncOutcome {
  if (nextAtMs === undefined) {
    why.push({ reason: 'waitsForChange' });
    return { status: 'done' };
  }
  const delayMs = Math.max(0, nextAtMs - nowMs);
  why.push({ reason: 'waitsForContainers', delayMs });
  return { status: 'requeueAfter', delayMs };
}

type Written = { readonly status: 'stored'; readonly pod: Pod } | { readonly status: 'done' | 'conflict' };

async function takeStep(
  registry: GuardedRegistry,
  pod: Pod,
  nodes: NodesOfSync,
  step: Exclude<PodStep, { step: 'wait' }>,
  progress: Progress,
): Promise<Written> {
  switch (step.step) {
    case 'bind':
      return await bind(registry, pod, { nodeName: step.nodeName, node: await nodes.find(step.nodeName) }, progress);
    case 'status':
      return await writeStatus(registry, pod, step.status, progress);
    case 'remove':
      return await remove(registry, pod, progress);
    default:
      return step satisfies never;
  }
}

/** Binds the pod to a node, with the labels that pods get from it. */
async function bind(
  registry: GuardedRegistry,
  pod: Pod,
  { nodeName, node }: { readonly nodeName: string; readonly node: Node | undefined },
  progress: Progress,
): Promise<Written> {
  const labels = { ...pod.metadata.labels, ...topologyLabels(node) };
  const bound = {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(labels).length > 0 && { labels }) },
    spec: { containers: [], ...pod.spec, nodeName },
  };
  const outcome = await registry.update<Pod>('pods', bound, { subresource: 'binding', from: pod });
  if (outcome.status === 'refused') return refused(outcome.error);
  progress.writes.push(`bind pods ${namespacedName(pod)} to ${nodeName}`);
  progress.scheduler.push(...schedulerEventsOf(pod, outcome.object));
  return { status: 'stored', pod: outcome.object };
}

async function writeStatus(
  registry: GuardedRegistry,
  pod: Pod,
  status: NonNullable<Pod['status']>,
  progress: Progress,
): Promise<Written> {
  const outcome = await registry.update<Pod>('pods', { ...pod, status }, { subresource: 'status', from: pod });
  if (outcome.status === 'refused') return refused(outcome.error);
  progress.writes.push(`status of pods ${namespacedName(pod)}`);
  progress.scheduler.push(...schedulerEventsOf(pod, outcome.object));
  progress.kubelet.push(...kubeletEventsOf(pod, outcome.object));
  return { status: 'stored', pod: outcome.object };
}

/** Deletes the pod without a grace period, at the end of its life. The UID is a condition, so that no other pod that has the name by now is deleted. */
async function remove(registry: GuardedRegistry, pod: Pod, progress: Progress): Promise<Written> {
  const { namespace = '', name, uid } = pod.metadata;
  const options = { gracePeriodSeconds: 0, preconditions: { uid }, from: pod };
  const outcome = await registry.delete<Pod>({ resource: 'pods', namespace, name }, options);
  if (outcome.status === 'refused') return refused(outcome.error);
  progress.writes.push(`remove pods ${namespacedName(pod)}`);
  progress.kubelet.push(...stopEventsOf(pod));
  return { status: 'done' };
}

/** Maps a refusal: a pod that is gone needs nothing more, a pod that changed is observed again. Throws other refusals. */
function refused(error: ApiError): Written {
  if (error.reason === 'NotFound') return { status: 'done' };
  if (error.reason === 'Conflict') return { status: 'conflict' };
  throw error;
}

function namespacedName({ metadata }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
