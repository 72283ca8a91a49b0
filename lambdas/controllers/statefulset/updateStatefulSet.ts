import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { Reason } from './statefulSetReasons.ts';
import { revisionFor } from './newStatefulSetPod.ts';
import { areClaimsRight, planClaims } from './planClaims.ts';
import { getOrdinal, getPodName, identityMatches } from './podIdentity.ts';
import { planRollingUpdate } from './planRollingUpdate.ts';
import {
  allowsBurst,
  desiredReplicas,
  getStartOrdinal,
  isRunningAndAvailable,
  isRunningAndReady,
  isTerminating,
  isUnavailable,
  isWanted,
  minReadySeconds,
} from './setState.ts';
import { storageMatches } from './volumeClaims.ts';
import type { Phase, Replica, StatefulSetPlan, StatefulSetWorld, Step } from './StatefulSetPlan.ts';

/** Kubernetes' MaxBatchSize: a sync of a parallel set takes so many steps at most. */
export const MAX_STEPS = 500;

/**
 * Decides what is done about the pods of a set: `updateStatefulSet`. With OrderedReady each sync takes the pods in the order of their ordinals, up to the first that must be waited for; it creates one pod at a time, and deletes one
 * only if all others are available. So a new template does not repair a pod that never gets ready in an ordered set, as in Kubernetes: somebody must delete it. With Parallel nothing waits, apart from pods with an old revision. Pure.
 */
export function updateStatefulSet(world: StatefulSetWorld): StatefulSetPlan {
  const { set } = world;
  if (set.metadata.deletionTimestamp !== undefined) return { phases: [], why: [{ reason: 'ownerIsBeingDeleted' }] };
  const monotonic = !allowsBurst(set);
  const condemned = world.pods
    .filter((pod) => getOrdinal(pod) >= 0 && !isWanted(set, pod))
    .toSorted((a, b) => getOrdinal(b) - getOrdinal(a));
  const first = runForAll(placesOf(world), (replica) => processReplica(world, replica, monotonic), monotonic);
  if (first.stops) return planOf(set, [first]);
  const claims = runForAll(condemned, (pod) => fixPodClaim(world, pod), monotonic);
  const present = presentReplicas(world);
  const firstUnavailable = firstUnavailablePod(world, present, condemned);
  const second = runForAll(condemned, (pod) => processCondemned(world, pod, firstUnavailable, monotonic), monotonic);
  if (second.stops) return planOf(set, [first, claims, second]);
  return planOf(set, [first, claims, second, planRollingUpdate(world, present, takenIn(first))]);
}

/** A place in the set, and the pod that has it, if there is one. */
type Place = Pick<Replica, 'ordinal'> & { readonly pod: Pod | undefined };

const NOTHING: Phase = { steps: [], why: [], stops: false };

function planOf(set: StatefulSet, phases: readonly Phase[]): StatefulSetPlan {
  const why = phases.flatMap((phase) => phase.why);
  return {
    phases: phases.map(({ steps }) => steps).filter((steps) => steps.length > 0),
    why: why.length > 0 ? shortened(why) : [{ reason: 'setIsRight', replicas: desiredReplicas(set) }],
  };
}

/** A parallel set creates, deletes and waits for many pods at once: of each reason the first ones are enough. */
function shortened(why: readonly Reason[]): readonly Reason[] {
  const seen = new Map<string, number>();
  return why.filter((because) => {
    const kind = 'wait' in because ? because.wait : because.reason;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= MAX_OF_ONE_REASON;
  });
}

const MAX_OF_ONE_REASON = 5;

/** The UIDs of pods that a phase deletes already. */
function takenIn({ steps }: Phase): ReadonlySet<string> {
  return new Set(steps.flatMap((step) => (step.step === 'delete' ? [step.pod.metadata.uid] : [])));
}

/** The set's places from the lowest ordinal on, one at a time: a spec may ask for 2,147,483,647 of them. */
function* placesOf({ set, pods }: StatefulSetWorld): Generator<Place> {
  const byName = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  const start = getStartOrdinal(set);
  const end = start + desiredReplicas(set);
  for (let ordinal = start; ordinal < end; ordinal += 1) {
    yield { ordinal, pod: byName.get(getPodName(set, ordinal)) };
  }
}

/** The pods that the set wants and has, from the lowest ordinal on. */
function presentReplicas({ set, pods }: StatefulSetWorld): readonly Replica[] {
  return pods
    .map((pod) => ({ ordinal: getOrdinal(pod), pod }))
    .filter(({ ordinal, pod }) => isWanted(set, pod) && pod.metadata.name === getPodName(set, ordinal))
    .toSorted((a, b) => a.ordinal - b.ordinal);
}

/**
 * `runForAll`: in order up to the first that stops, or, in a parallel set, up to what one sync does. Each item takes a step or is about something that exists, so the number of items that are looked at does not follow the number of replicas.
 */
function runForAll<T>(items: Iterable<T>, process: (item: T) => Phase, monotonic: boolean): Phase {
  const steps: Step[] = [];
  const why: Reason[] = [];
  for (const item of items) {
    const phase = process(item);
    steps.push(...phase.steps);
    why.push(...phase.why);
    if (monotonic && phase.stops) return { steps, why, stops: true };
    if (steps.length > MAX_STEPS) break;
  }
  return { steps, why, stops: false };
}

function stop(steps: readonly Step[], ...why: Reason[]): Phase {
  return { steps, why, stops: true };
}

/** `processReplica` */
function processReplica(world: StatefulSetWorld, { ordinal, pod }: Place, monotonic: boolean): Phase {
  const { set } = world;
  const name = getPodName(set, ordinal);
  if (!pod) return createReplica(world, ordinal);
  const phase = pod.status?.phase ?? '';
  if (phase === 'Failed' || phase === 'Succeeded') {
    if (isTerminating(pod)) return stop([], { wait: 'podGone', name });
    return stop([{ step: 'delete', pod, because: 'ended' }], { reason: 'recreatesEndedPod', name, phase });
  }
  const missing = phase === 'Pending' ? missingClaims(world, pod) : NOTHING;
  const waits = monotonic ? blockerOf(world, pod) : undefined;
  if (waits) return stop(missing.steps, ...missing.why, waits);
  if (missing.steps.length > 0) return { ...missing, stops: false };
  return repairReplica(world, pod);
}

function createReplica({ set, claims, revisions }: StatefulSetWorld, ordinal: number): Phase {
  const name = getPodName(set, ordinal);
  const plan = planClaims(set, { name, uid: '', ordinal }, claims, true);
  if (plan.stale !== undefined) return stop([], { wait: 'staleClaimGone', name, claim: plan.stale });
  const revision = revisionFor(set, revisions, ordinal) === revisions.update ? 'update' : 'current';
  const step = { step: 'create', ordinal, revision, claims: plan } as const;
  return stop([step], { reason: 'createsPod', name, revision: revisions[revision].name });
}

/** What the pods after this one wait for, in an ordered set. */
function blockerOf({ set, nowMs }: StatefulSetWorld, pod: Pod): Reason | undefined {
  const { name } = pod.metadata;
  if (isTerminating(pod)) return { wait: 'podGone', name };
  if (!isRunningAndReady(pod)) return { wait: 'podReady', name };
  if (!isRunningAndAvailable(set, pod, nowMs))
    return { wait: 'podAvailable', name, minReadySeconds: minReadySeconds(set) };
  return undefined;
}

/** A pod that waits for a claim which somebody deleted gets it again. */
function missingClaims({ set, claims }: StatefulSetWorld, pod: Pod): Phase {
  const plan = planClaims(set, userOf(pod), claims, true);
  if (areClaimsRight(plan)) return NOTHING;
  const { name } = pod.metadata;
  return { steps: [{ step: 'claims', pod, claims: plan }], why: [{ reason: 'repairsClaims', name }], stops: false };
}

function repairReplica({ set, claims }: StatefulSetWorld, pod: Pod): Phase {
  const plan = planClaims(set, userOf(pod), claims, !storageMatches(set, pod));
  if (identityMatches(set, pod) && storageMatches(set, pod) && areClaimsRight(plan)) return NOTHING;
  const { name } = pod.metadata;
  return { steps: [{ step: 'repair', pod, claims: plan }], why: [{ reason: 'repairsPod', name }], stops: false };
}

/** `fixPodClaim` */
function fixPodClaim({ set, claims }: StatefulSetWorld, pod: Pod): Phase {
  const plan = planClaims(set, userOf(pod), claims, false);
  if (areClaimsRight(plan)) return NOTHING;
  const { name } = pod.metadata;
  return { steps: [{ step: 'claims', pod, claims: plan }], why: [{ reason: 'repairsClaims', name }], stops: false };
}

/** `processCondemned`: in an ordered set a pod that is not available is deleted only if it is the first of those, or if it has ended. In Kubernetes two pods that have ended wait for each other for ever. */
function processCondemned(
  { set, nowMs }: StatefulSetWorld,
  pod: Pod,
  firstUnavailable: string | undefined,
  monotonic: boolean,
): Phase {
  const { name } = pod.metadata;
  if (isTerminating(pod)) return { ...stop([], { wait: 'podGone', name }), stops: monotonic };
  const isAvailable = isRunningAndReady(pod) && isRunningAndAvailable(set, pod, nowMs);
  const waits = monotonic && !isAvailable && !isPodTerminal(pod);
  if (waits && firstUnavailable !== undefined && firstUnavailable !== name)
    return stop([], { wait: 'podAvailableBeforeScaleDown', name: firstUnavailable, pod: name });
  return stop([{ step: 'delete', pod, because: 'scaledDown' }], {
    reason: 'scalesDown',
    name,
    replicas: desiredReplicas(set),
  });
}

/** The name of the first pod, by ordinal, that is not available: among those that the set wants, then among the others. Only an ordered set waits for it, and that lacks no pod here. */
function firstUnavailablePod(
  { set, nowMs }: StatefulSetWorld,
  present: readonly Replica[],
  condemned: readonly Pod[],
): string | undefined {
  const replica = present.find(({ pod }) => isUnavailable(set, pod, nowMs));
  const last = () => condemned.findLast((pod) => isUnavailable(set, pod, nowMs));
  return (replica?.pod ?? last())?.metadata.name;
}

function userOf(pod: Pod) {
  const { name, uid } = pod.metadata;
  return { name, uid, ordinal: getOrdinal(pod) };
}
