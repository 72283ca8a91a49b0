import type { ContainerStatus, PodCondition } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import { RESIZE_IN_PROGRESS, RESIZE_PENDING, type ResizeCondition } from '../../objects/pods/podResize.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Resize } from './decideResize.ts';
import { type PodPhase, uninitialized } from './podPhase.ts';

/** The facts from which the conditions are derived. */
export interface ConditionFacts {
  readonly phase: PodPhase;
  readonly hasSandbox: boolean;
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** The simulation's annotations that could not be read, as sentences. */
  readonly problems: readonly string[];
  /** What happens about the pod's resources. Absent: what the conditions say of it stays. */
  readonly resize?: Resize | undefined;
}

type Finding = Pick<ResizeCondition, 'type' | 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** The condition that names unreadable annotations; present only if there are any. */
const SCRIPT_CONDITION = 'simulate.driftless.dev/AnnotationsValid';

/** Returns the conditions that a kubelet maintains, in its order, then those set by others. A condition's time changes only with its status. Pure. */
export function kubeletConditions(pod: Pod, facts: ConditionFacts, nowMs: number): PodCondition[] {
  const isOver = facts.phase === 'Succeeded' || facts.phase === 'Failed';
  const containersReady = findContainersReady(pod, facts);
  const own: Finding[] = [
    { type: 'PodReadyToStartContainers', status: facts.hasSandbox && !isOver ? 'True' : 'False' },
    findInitialized(pod, facts),
    findReady(pod, containersReady),
    { ...containersReady, type: 'ContainersReady' },
    { type: 'PodScheduled', status: 'True' },
    ...scriptFindings(facts.problems),
    ...resizeFindings(pod, facts.resize),
  ];
  const others = pod.status?.conditions?.filter(({ type }) => !isMaintained(type, facts)) ?? [];
  return [...own.map((finding) => stamp(pod, finding, nowMs)), ...others];
}

const MAINTAINED: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  SCRIPT_CONDITION,
]);

function isMaintained(type: string, { resize }: ConditionFacts): boolean {
  return MAINTAINED.has(type) || (resize !== undefined && (type === RESIZE_PENDING || type === RESIZE_IN_PROGRESS));
}

/** Returns the condition with its transition time, which is the present condition's if the status is the same. */
export function stamp(pod: Pod, finding: Finding, nowMs: number): PodCondition {
  const before = podConditionOf(pod, finding.type);
  const since = before?.status === finding.status ? before.lastTransitionTime : undefined;
  return { ...finding, lastTransitionTime: since ?? formatTime(nowMs) };
}

function findInitialized(pod: Pod, { phase, initStatuses, statuses }: ConditionFacts): Finding {
  if (phase === 'Succeeded') return { type: 'Initialized', status: 'True', reason: 'PodCompleted' };
  const names = uninitialized(pod, initStatuses);
  if (names.length === 0 || statuses.some(({ started }) => started)) return { type: 'Initialized', status: 'True' };
  const message = `containers with incomplete status: [${names.join(' ')}]`;
  return { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized', message };
}

function findContainersReady(pod: Pod, { phase, initStatuses, statuses }: ConditionFacts): Finding {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const sidecars = new Set(
    pod.spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const counted = [...initStatuses.filter(({ name }) => sidecars.has(name)), ...statuses];
  const unready = counted.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

/** A pod is Ready if its containers are ready, and the condition of each readiness gate, which others set, is True. */
function findReady(pod: Pod, containersReady: Finding): Finding {
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const closed = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = podConditionOf(pod, conditionType);
    if (!gate) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (closed.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
}

/** A resize that waits says why. While the containers get what was set aside for them, that is said, too. */
function resizeFindings({ metadata }: Pod, resize: Resize | undefined): Finding[] {
  const { generation: observedGeneration = 1 } = metadata;
  if (resize?.step === 'allocate') return [{ type: RESIZE_IN_PROGRESS, status: 'True', observedGeneration }];
  if (resize?.step !== 'pending') return [];
  const { reason, message } = resize;
  return [{ type: RESIZE_PENDING, status: 'True', reason, message, observedGeneration }];
}

function scriptFindings(problems: readonly string[]): Finding[] {
  if (problems.length === 0) return [];
  return [{ type: SCRIPT_CONDITION, status: 'False', reason: 'MalformedAnnotation', message: problems.join('; ') }];
}
