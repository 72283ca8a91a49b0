import type { ApiError } from '../../objects/ApiError.ts';
import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { WriteRefusedError } from '../GuardedWriters.ts';
import { mustStop } from '../Committed.ts';
import { type CommittedSteps, mergeSteps } from './CommittedSteps.ts';
import type { ClaimsPlan } from './planClaims.ts';
import type { StatefulPodControl } from './StatefulPodControl.ts';
import type { NewClaim } from './volumeClaims.ts';

const CLAIMS = 'persistentvolumeclaims';

/** Creates the claims that a pod lacks and gives the others their owners: `createPersistentVolumeClaims` and `UpdatePodClaimForRetentionPolicy`. `name` is the pod's. */
export async function commitClaimsPlan(
  control: StatefulPodControl,
  name: string,
  plan: ClaimsPlan,
): Promise<CommittedSteps> {
  const { creates, updates, deleting, conflicting } = plan;
  const created = await inTurn(creates, (claim) => createClaim(control, name, claim));
  if (mustStop(created)) return created;
  if (deleting !== undefined) return mergeSteps([created, { failure: new Error(`pvc ${deleting} is being deleted`) }]);
  const events = conflicting.map((claim) => conflictingController(control, claim));
  const updated = await inTurn(updates, ({ from, to }) => updateClaim(control, from, to));
  return mergeSteps([created, { events }, updated]);
}

/** Calls `write` for one after the other until one fails. */
async function inTurn<T>(
  items: readonly T[],
  write: (item: T) => Promise<Partial<CommittedSteps>>,
): Promise<CommittedSteps> {
  const done: Partial<CommittedSteps>[] = [];
  for (const item of items) {
    try {
      done.push(await write(item));
    } catch (thrown) {
      if (!(thrown instanceof WriteRefusedError)) throw thrown;
      done.push({ unfinished: true });
    }
    if (mustStop(mergeSteps(done))) break;
  }
  return mergeSteps(done);
}

async function createClaim(
  { registry, set }: StatefulPodControl,
  pod: string,
  claim: NewClaim,
): Promise<Partial<CommittedSteps>> {
  const { name, namespace = '' } = claim.metadata;
  const outcome = await registry.create(CLAIMS, claim);
  const about = { regarding: set };
  if (outcome.status === 'stored') {
    const message = `create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
    const event = { ...about, type: 'Normal', reason: 'SuccessfulCreate', message } as const;
    return { events: [event], writes: [`create ${CLAIMS} ${namespace}/${name}`] };
  }
  if (outcome.error.reason === 'AlreadyExists') return { mustReobserve: true };
  const message = `create Claim ${name} for Pod ${pod} in StatefulSet ${set.metadata.name} failed error: ${outcome.error.message}`;
  const event = { ...about, type: 'Warning', reason: 'FailedCreate', message } as const;
  return { failure: because(`failed to create PVC ${name}`, outcome.error), events: [event] };
}

async function updateClaim(
  { registry }: StatefulPodControl,
  from: PersistentVolumeClaim,
  to: PersistentVolumeClaim,
): Promise<Partial<CommittedSteps>> {
  const { name, namespace = '' } = from.metadata;
  const outcome = await registry.update(CLAIMS, to, { from });
  if (outcome.status === 'stored') return { writes: [`owners of ${CLAIMS} ${namespace}/${name}`] };
  if (['Conflict', 'NotFound'].includes(outcome.error.reason)) return { mustReobserve: true };
  return { failure: because(`could not update claim ${name} for delete policy ownerRefs`, outcome.error) };
}

function conflictingController({ set }: StatefulPodControl, claim: string): EventToRecord {
  const message = `PersistentVolumeClaim ${claim} has a conflicting OwnerReference that acts as a managing controller, the retention policy is ignored for this claim`;
  return { regarding: set, type: 'Warning', reason: 'ConflictingController', message };
}

function because(what: string, cause: ApiError): Error {
  return new Error(`${what}: ${cause.message}`, { cause });
}
