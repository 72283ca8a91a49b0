import type { ApiError } from '../../objects/ApiError.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodActive } from '../../objects/podState.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { type GuardedObjectStore, type GuardedRegistry, WriteRefusedError } from '../guardWrites.ts';
import type { PlannedDelete } from './decideReplicas.ts';
import type { PlannedPod } from './plannedPod.ts';
import { podFromTemplate } from './podFromTemplate.ts';
import type { ReplicaOwner } from './ReplicaOwner.ts';

/** Writes pods on behalf of one owner, Kubernetes' `RealPodControl`. */
export interface PodWriter {
  readonly registry: GuardedRegistry;
  readonly objectStore: GuardedObjectStore;
  readonly owner: ReplicaOwner;
}

interface Told {
  readonly event?: EventToRecord;
  /** For the report. */
  readonly write?: string;
}

export type CreateResult = Told &
  (
    | { readonly status: 'created'; readonly pod: Pod }
    /** It will never be, or has been and is no more: nothing went wrong. */
    | { readonly status: 'settled' }
    /** Someone else's object has the name. */
    | { readonly status: 'taken' }
    | { readonly status: 'refused'; readonly error: Error }
    /** The sync's time was over, so nothing was sent. */
    | { readonly status: 'notTried' }
    /** The request was lost on the way there or back, and may still have its effect. */
    | { readonly status: 'unknown'; readonly error: Error }
  );

/** Creates the planned pod. That it is there already under its UID, by an earlier request, is success. */
export async function createPod(writer: PodWriter, planned: PlannedPod): Promise<CreateResult> {
  const { owner } = writer;
  try {
    const outcome = await writer.registry.create<Pod>('pods', podFromTemplate(owner, planned));
    if (outcome.status === 'stored') return created(writer, outcome.object);
    if (outcome.error.reason === 'AlreadyExists') return await createdBefore(writer, planned);
    // Whatever is created in it is refused from now on, so it is no use to try again.
    if (isNamespaceTerminating(outcome.error)) return { status: 'settled' };
    return { status: 'refused', error: outcome.error, event: failedCreate(owner, outcome.error) };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { status: 'notTried' };
    const error = asError(thrown);
    return { status: 'unknown', error, event: failedCreate(owner, error) };
  }
}

function created(writer: PodWriter, pod: Pod): CreateResult {
  const { name } = pod.metadata;
  const event = tell(writer.owner, 'Normal', 'SuccessfulCreate', `Created pod: ${name}`);
  return { status: 'created', pod, event, write: `create pods ${placeOf(writer, name)}` };
}

/** The name exists: this very pod, or another one, or (for that day) only the memory of this one. */
async function createdBefore(writer: PodWriter, planned: PlannedPod): Promise<CreateResult> {
  const pod = await writer.objectStore.get<Pod>(keyOf(writer, planned.name));
  if (!pod) return { status: 'settled' };
  if (pod.metadata.uid !== planned.uid) return { status: 'taken' };
  const counts = controllerOf(pod)?.uid === writer.owner.metadata.uid && isPodActive(pod);
  return counts ? created(writer, pod) : { status: 'settled' };
}

function isNamespaceTerminating(error: ApiError): boolean {
  return error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}

export type DeleteResult = Told & { readonly victim: PlannedDelete } & (
    | { readonly status: 'deleted'; readonly terminating: boolean }
    | { readonly status: 'absent' }
    /** It is no longer as it was when it was chosen. */
    | { readonly status: 'changed' }
    | { readonly status: 'refused'; readonly error: Error }
    /** The sync's time was over, so nothing was sent. */
    | { readonly status: 'notTried' }
    | { readonly status: 'unknown'; readonly error: Error }
  );

/** Deletes the victim. That it is gone already is success. */
export async function deletePod(writer: PodWriter, victim: PlannedDelete): Promise<DeleteResult> {
  const { name, uid, resourceVersion } = victim;
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
  try {
    const outcome = await writer.registry.delete<Pod>(keyOf(writer, name), { preconditions });
    if (outcome.status !== 'refused') {
      const event = tell(writer.owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
      const write = `delete pods ${placeOf(writer, name)}`;
      return { victim, status: 'deleted', terminating: outcome.status === 'deleting', event, write };
    }
    if (outcome.error.reason === 'NotFound') return { victim, status: 'absent' };
    if (outcome.error.reason === 'Conflict') return { victim, status: 'changed' };
    return { victim, status: 'refused', error: outcome.error, event: failedDelete(writer.owner, outcome.error) };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { victim, status: 'notTried' };
    const error = asError(thrown);
    return { victim, status: 'unknown', error, event: failedDelete(writer.owner, error) };
  }
}

/**
 * Sees to it that a name that was planned and is not wanted never comes into being. `landed`: it has, and the owner's pods must be listed anew. One that has
 * another controller is nobody's concern here, and its UID cannot come twice. `notTried`: the sync's time was over.
 */
export async function burnName(
  { objectStore, owner }: Pick<PodWriter, 'objectStore' | 'owner'>,
  planned: PlannedPod,
): Promise<'burned' | 'landed' | 'notTried'> {
  const { namespace = '', uid } = owner.metadata;
  try {
    const outcome = await objectStore.burn({ resource: 'pods', namespace, name: planned.name }, planned.uid);
    if (outcome.status === 'burned' || outcome.current.metadata.uid !== planned.uid) return 'burned';
    return (controllerOf(outcome.current)?.uid ?? uid) === uid ? 'landed' : 'burned';
  } catch (error) {
    if (error instanceof WriteRefusedError) return 'notTried';
    throw error;
  }
}

function failedCreate(owner: ReplicaOwner, error: Error): EventToRecord {
  return tell(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
}

function failedDelete(owner: ReplicaOwner, error: Error): EventToRecord {
  return tell(owner, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`);
}

function tell(regarding: ReplicaOwner, type: EventToRecord['type'], reason: string, message: string): EventToRecord {
  return { regarding, type, reason, message };
}

function keyOf({ owner }: PodWriter, name: string) {
  return { resource: 'pods', namespace: owner.metadata.namespace ?? '', name };
}

function placeOf({ owner }: PodWriter, name: string): string {
  return `${owner.metadata.namespace ?? ''}/${name}`;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
