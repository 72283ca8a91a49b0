import type { Intent } from '../../ports/KeyLocks.ts';
import type { StatefulSet } from '../../objects/kinds.ts';
import { slowStartBatch } from '../replicaset/slowStartBatch.ts';
import { plannedUid } from '../replicaset/plannedPods.ts';
import { mustStop } from '../Committed.ts';
import { type CommittedSteps, mergeSteps } from './CommittedSteps.ts';
import { commitClaimsPlan } from './commitClaimsPlan.ts';
import type { Revisions } from './newStatefulSetPod.ts';
import type { ClaimsPlan } from './planClaims.ts';
import { getPodName } from './podIdentity.ts';
import type { SetMemory } from './settleRequests.ts';
import { allowsBurst } from './setState.ts';
import {
  createStatefulPod,
  deleteStatefulPod,
  type StatefulPodControl,
  updateStatefulPod,
} from './StatefulPodControl.ts';
import { MAX_STEPS } from './updateStatefulSet.ts';
import type { StatefulSetPlan, Step } from './StatefulSetPlan.ts';

/** A plan's phases as far as one sync takes them. `isCut`: more is left to do. Pure. */
export function limited({ phases }: StatefulSetPlan): {
  readonly phases: readonly (readonly Step[])[];
  readonly isCut: boolean;
} {
  const kept: Step[][] = [];
  let left = MAX_STEPS;
  for (const phase of phases) {
    kept.push(phase.slice(0, left));
    left -= Math.min(left, phase.length);
  }
  return { phases: kept.filter((phase) => phase.length > 0), isCut: phases.flat().length > MAX_STEPS };
}

/** Returns the intent that the steps need; `undefined` if they neither create nor delete pods. Pure. */
export function intentOf(
  { metadata }: StatefulSet,
  phases: readonly (readonly Step[])[],
  { id, nowMs: atMs }: { readonly id: string; readonly nowMs: number },
): Intent<SetMemory> | undefined {
  const steps = phases.flat();
  const indexes = steps.flatMap((step) => (step.step === 'create' ? [step.ordinal] : []));
  const deletes = steps.flatMap((step) => {
    if (step.step !== 'delete') return [];
    const { name, uid, resourceVersion } = step.pod.metadata;
    return [{ name, uid, resourceVersion }];
  });
  if (indexes.length + deletes.length === 0) return undefined;
  return { id, ownerUid: metadata.uid, atMs, count: indexes.length, deletes, memory: { indexes } };
}

/** Takes the steps of one phase after the other; the next phase only if nothing failed. An ordered set takes one step at a time, a parallel one batches of 1, 2, 4, …. */
export async function commitSteps(
  control: StatefulPodControl,
  phases: readonly (readonly Step[])[],
  revisions: Revisions,
  intent: Intent<SetMemory> | undefined,
): Promise<CommittedSteps> {
  const uids = new Map(
    (intent?.memory?.indexes ?? []).map((ordinal, nth) => [ordinal, plannedUid(intent?.id ?? '', nth)]),
  );
  const commit = (step: Step) => commitStep(control, step, revisions, uids);
  const done: CommittedSteps[] = [];
  for (const phase of phases.flatMap(createsLast)) {
    const results = allowsBurst(control.set)
      ? await slowStartBatch(phase, commit, mustStop)
      : await oneByOne(phase, commit);
    done.push(...results);
    if (results.some(mustStop)) break;
  }
  return mergeSteps(done);
}

/** The creates of a phase have a slow start of their own: what else succeeds does not tell that pods can be created. */
function createsLast(phase: readonly Step[]): readonly (readonly Step[])[] {
  const isCreate = ({ step }: Step) => step === 'create';
  return [phase.filter((step) => !isCreate(step)), phase.filter(isCreate)].filter((steps) => steps.length > 0);
}

async function oneByOne(
  phase: readonly Step[],
  commit: (step: Step) => Promise<CommittedSteps>,
): Promise<CommittedSteps[]> {
  const results: CommittedSteps[] = [];
  for (const step of phase) {
    const result = await commit(step);
    results.push(result);
    if (mustStop(result)) break;
  }
  return results;
}

async function commitStep(
  control: StatefulPodControl,
  step: Step,
  revisions: Revisions,
  uids: ReadonlyMap<number, string>,
): Promise<CommittedSteps> {
  switch (step.step) {
    case 'create': {
      const { ordinal } = step;
      const planned = { ordinal, uid: uids.get(ordinal) ?? '' };
      const create = () => createStatefulPod(control, planned, revisions[step.revision]);
      return await withClaims(control, getPodName(control.set, ordinal), step.claims, 'create', create);
    }
    case 'delete':
      return mergeSteps([await deleteStatefulPod(control, step.pod)]);
    case 'repair': {
      const update = () => updateStatefulPod(control, step.pod);
      return await withClaims(control, step.pod.metadata.name, step.claims, 'update', update);
    }
    case 'claims':
      return await withClaims(control, step.pod.metadata.name, step.claims, 'update', async () => ({}));
  }
}

/** Writes the claims, then the pod. What prevents the claims is told of the pod, too. */
async function withClaims(
  control: StatefulPodControl,
  name: string,
  plan: ClaimsPlan,
  verb: 'create' | 'update',
  writePod: () => Promise<Partial<CommittedSteps>>,
): Promise<CommittedSteps> {
  const claims = await commitClaimsPlan(control, name, plan);
  if (claims.failure) {
    const { name: set } = control.set.metadata;
    const message = `${verb} Pod ${name} in StatefulSet ${set} failed error: ${claims.failure.message}`;
    const reason = verb === 'create' ? 'FailedCreate' : 'FailedUpdate';
    return mergeSteps([claims, { events: [{ regarding: control.set, type: 'Warning', reason, message }] }]);
  }
  return mustStop(claims) ? claims : mergeSteps([claims, await writePod()]);
}
