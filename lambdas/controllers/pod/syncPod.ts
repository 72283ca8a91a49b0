import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { ApiError } from '../../objects/ApiError.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isResizing } from '../../objects/pods/podResize.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { PodRuntime, PodStep } from '../../ports/PodRuntime.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { type Reason, reasonInWords } from './podReasons.ts';
import type { PodEventBudget } from './PodEventBudget.ts';
import { boundPod } from '../scheduler/boundPod.ts';
import type { PlainScheduler } from '../scheduler/PlainScheduler.ts';
import { announceWait } from './WaitNotice.ts';
import type { RecentNodes } from './RecentNodes.ts';
import type { RecentReferences } from './RecentReferences.ts';
import { kubeletEventsOf, missingEventsOf, schedulerEventsOf, stopEventsOf } from './podEvents.ts';

export interface SyncPodDeps {
  readonly podRuntime: PodRuntime;
  /** Binds pods that need no look at other pods. Absent: somebody else is the scheduler. */
  readonly scheduler: PlainScheduler | undefined;
  readonly schedulerEvents: EventRecorder;
  readonly kubeletEvents: EventRecorder;
  readonly budget: PodEventBudget;
  readonly nodes: RecentNodes;
  readonly references: RecentReferences;
}

/** What a sync collects while it goes from step to step. */
interface Progress {
  readonly why: Reason[];
  readonly writes: string[];
  readonly scheduler: EventToRecord[];
  readonly kubelet: EventToRecord[];
  /** The pod's node, once it is known. */
  node?: Node | undefined;
}

/** A pod takes at most this many steps in one sync, so that other pods get their turn. */
const MAX_STEPS = 16;

/** Gives the pod a node if it has none, then asks the runtime for one step after the other and writes each, until the runtime waits. */
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
  { registry, nowMs, mayGoOn }: SyncContext,
  progress: Progress,
): Promise<SyncOutcome> {
  let pod = await registry.get<Pod>({ resource: 'pods', namespace, name });
  for (let steps = 0; pod && steps < MAX_STEPS && mayGoOn(); steps += 1) {
    const written = needsNode(pod)
      ? await schedule(deps, registry, pod, progress)
      : await runNext(deps, registry, pod, nowMs, progress);
    if (written.status === 'ended') return written.outcome;
    if (written.status !== 'stored') return { status: written.status };
    pod = written.pod;
  }
  if (!pod) return { status: 'done' };
  progress.why.push({ reason: 'moreSteps' });
  return { status: 'requeueAfter', delayMs: 0 };
}

/** Binds the pod, unless that is left to the scheduler. */
async function schedule(
  { scheduler }: SyncPodDeps,
  registry: GuardedRegistry,
  pod: Pod,
  progress: Progress,
): Promise<Written> {
  const bound = await scheduler?.schedule(pod, (node) => bind(registry, pod, node, progress));
  return bound ?? { status: 'ended', outcome: leave({ reason: 'waitsForScheduler' }, progress) };
}

/** Takes the next step of a pod that has a node. */
async function runNext(
  deps: SyncPodDeps,
  registry: GuardedRegistry,
  pod: Pod,
  nowMs: number,
  progress: Progress,
): Promise<Written> {
  const step = await nextStep(deps, registry, pod, nowMs, progress);
  if (step.step === 'wait') return { status: 'ended', outcome: waitUntil(pod, step, nowMs, progress) };
  if (step.step === 'leave') return { status: 'ended', outcome: leave(step.why, progress) };
  const written = await takeStep(registry, pod, step, progress);
  const isSettled = step.step === 'status' && step.isSettled && written.status === 'stored';
  return isSettled ? { status: 'ended', outcome: leave({ reason: 'waitsForChange' }, progress) } : written;
}

/** What is next for a pod: a step of its runtime, or nothing that is to be done here. */
type NextStep = PodStep | { readonly step: 'leave'; readonly why: Reason };

function needsNode({ metadata, spec }: Pod): boolean {
  return !spec?.nodeName && metadata.deletionTimestamp === undefined;
}

async function nextStep(
  { podRuntime, nodes, references }: SyncPodDeps,
  registry: GuardedRegistry,
  pod: Pod,
  nowMs: number,
  progress: Progress,
): Promise<NextStep> {
  const { deletionTimestamp } = pod.metadata;
  const nodeName = pod.spec?.nodeName ?? '';
  // A sync looks at the pod's node once.
  progress.node ??= nodeName === '' ? undefined : await nodes.named(nodeName);
  const { node } = progress;
  // A pod that is deleted on a node that does not exist has no kubelet. It is stopped here, as Kubernetes' pod garbage collector deletes it.
  const isOurs = node ? isSimulatedNode(node) : deletionTimestamp !== undefined;
  if (!isOurs) return { step: 'leave', why: { reason: 'leftToKubelet', nodeName } };
  const { namespace = '' } = pod.metadata;
  const neighbours = isResizing(pod) ? await podsOn(registry, nodeName) : [];
  const step = await podRuntime.next(pod, node, nowMs, { neighbours, references: references.recent(namespace) });
  if (step.step === 'remove' || !step.missing) return step;
  // A change of what is missing wakes the pod if it comes after this; if it came before, the pod is not kept waiting.
  await announceWait(registry, namespace, nowMs);
  return await podRuntime.next(pod, node, nowMs, { neighbours, references: references.now(namespace) });
}

/** The pods that have resources of the node. Lists all pods: pods are resized rarely. */
async function podsOn(registry: GuardedRegistry, nodeName: string): Promise<readonly Pod[]> {
  const { items } = await registry.list<Pod>('pods');
  return items.filter((pod) => pod.spec?.nodeName === nodeName && !isPodTerminal(pod));
}

function leave(reason: Reason, { why }: Progress): SyncOutcome {
  why.push(reason);
  return { status: 'done' };
}

function waitUntil(
  pod: Pod,
  { nextAtMs, missing }: PodStep & { step: 'wait' },
  nowMs: number,
  { why, writes, kubelet }: Progress,
): SyncOutcome {
  // What was written has its events already.
  if (missing) kubelet.push(...missingEventsOf(pod, missing, writes.length === 0));
  if (nextAtMs === undefined) {
    why.push({ reason: 'waitsForChange' });
    return { status: 'done' };
  }
  const delayMs = Math.max(0, nextAtMs - nowMs);
  why.push({ reason: missing ? 'waitsForObjects' : 'waitsForContainers', delayMs });
  return { status: 'requeueAfter', delayMs };
}

type Written =
  | { readonly status: 'stored'; readonly pod: Pod }
  | { readonly status: 'done' | 'conflict' }
  /** The sync is over. */
  | { readonly status: 'ended'; readonly outcome: SyncOutcome };

async function takeStep(
  registry: GuardedRegistry,
  pod: Pod,
  step: Exclude<NextStep, { step: 'wait' | 'leave' }>,
  progress: Progress,
): Promise<Written> {
  switch (step.step) {
    case 'status':
      return await writeStatus(registry, pod, step.status, progress);
    case 'remove':
      return await remove(registry, pod, progress);
    default:
      return step satisfies never;
  }
}

async function bind(registry: GuardedRegistry, pod: Pod, node: Node, progress: Progress): Promise<Written> {
  const outcome = await registry.update<Pod>('pods', boundPod(pod, node), { subresource: 'binding', from: pod });
  if (outcome.status === 'refused') return refused(outcome.error);
  progress.writes.push(`bind pods ${namespacedName(pod)} to ${node.metadata.name}`);
  progress.node = node;
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
