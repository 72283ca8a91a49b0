import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { controllerOf, type KubernetesObject, type NewObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodActive } from '../../objects/pods/podState.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { type GuardedObjectStore, type GuardedRegistry, WriteRefusedError } from '../GuardedWriters.ts';
import type { PlannedDelete } from './getPodsToDelete.ts';
import { type PlannedPod, SUFFIX_LENGTH } from './plannedPods.ts';

/** Creates and deletes pods on behalf of one owner, as Kubernetes' `RealPodControl` does. */
export interface PodControl {
  readonly registry: GuardedRegistry;
  readonly objectStore: GuardedObjectStore;
  readonly owner: KubernetesObject;
  /** Returns the template of a planned pod. */
  readonly templateOf: (planned: PlannedPod) => PodTemplateSpec;
  /** True if the owner's selector matches the pod. */
  readonly matches: (pod: Pod) => boolean;
  /** Returns the whole pod of a planned one. Absent: what its template describes. */
  readonly podOf?: (planned: PlannedPod) => NewObject;
  /** The texts of the events. Absent: those of `RealPodControl`. */
  readonly texts?: PodEventTexts;
}

/** Returns the control of an owner's pods by its writers. It has no template: with it nothing can be created that is not described otherwise. */
export function controlOf(
  owner: KubernetesObject,
  matches: PodControl['matches'],
  { registry, objectStore }: Pick<PodControl, 'registry' | 'objectStore'>,
): PodControl {
  return { registry, objectStore, owner, matches, templateOf: () => ({}) };
}

/** What events say about a pod with this name. `error` is a message. */
export interface PodEventTexts {
  created(name: string): string;
  deleted(name: string): string;
  createFailed(name: string, error: string): string;
  deleteFailed(name: string, error: string): string;
}

const TEXTS: PodEventTexts = {
  created: (name) => `Created pod: ${name}`,
  deleted: (name) => `Deleted pod: ${name}`,
  createFailed: (_, error) => `Error creating: ${error}`,
  deleteFailed: (_, error) => `Error deleting: ${error}`,
};

interface Reported {
  readonly event?: EventToRecord;
  /** For the sync's report. */
  readonly write?: string;
}

export type CreateResult = Reported &
  (
    | { readonly status: 'created'; readonly pod: Pod }
    /** The pod existed and is gone, or can never exist. Nothing went wrong. */
    | { readonly status: 'settled' }
    /** Another pod has the name. */
    | { readonly status: 'taken'; readonly by: Pod }
    | { readonly status: 'refused'; readonly error: Error }
    /** The sync's deadline has passed, so nothing was sent. */
    | { readonly status: 'notTried' }
    /** No answer came. The request may still have its effect at any later time: see `settleIntent`. */
    | { readonly status: 'unknown'; readonly error: Error }
  );

/** Creates the planned pod. If an earlier request has created it under its UID already, that is success. */
export async function createPod(control: PodControl, planned: PlannedPod): Promise<CreateResult> {
  const { podOf = (one: PlannedPod) => getPodFromTemplate(control, one) } = control;
  try {
    const outcome = await control.registry.create<Pod>('pods', podOf(planned));
    if (outcome.status === 'stored') return created(control, outcome.object);
    if (outcome.error.reason === 'AlreadyExists') return await createdBefore(control, planned);
    // Every create in this namespace is refused from now on, so trying again is useless.
    if (isNamespaceTerminating(outcome.error)) return { status: 'settled' };
    return { status: 'refused', error: outcome.error, event: failedCreate(control, planned.name, outcome.error) };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { status: 'notTried' };
    const error = asError(thrown);
    return { status: 'unknown', error, event: failedCreate(control, planned.name, error) };
  }
}

/** Returns the pod that the template describes, with the planned name and UID, controlled by the owner: `GetPodFromTemplate`. Pure. */
function getPodFromTemplate({ owner, templateOf }: PodControl, planned: PlannedPod): NewObject {
  const { metadata = {}, spec } = templateOf(planned);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: planned.name.slice(0, -SUFFIX_LENGTH),
      name: planned.name,
      uid: planned.uid,
      namespace: owner.metadata.namespace ?? '',
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec,
  };
}

function created(control: PodControl, pod: Pod): CreateResult {
  const { name } = pod.metadata;
  const event = eventOf(control.owner, 'Normal', 'SuccessfulCreate', textsOf(control).created(name));
  return { status: 'created', pod, event, write: `create pods ${namespacedName(control, name)}` };
}

/** The name exists: as this pod, as another one, or as the tombstone of this one. */
async function createdBefore(control: PodControl, planned: PlannedPod): Promise<CreateResult> {
  const pod = await control.objectStore.get<Pod>(keyOf(control, planned.name));
  if (!pod) return { status: 'settled' };
  if (pod.metadata.uid !== planned.uid) return { status: 'taken', by: pod };
  const counts = controllerOf(pod)?.uid === control.owner.metadata.uid && isPodActive(pod);
  return counts ? created(control, pod) : { status: 'settled' };
}

function isNamespaceTerminating(error: ApiError): boolean {
  return error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}

export type DeleteResult = Reported & {
  readonly victim: PlannedDelete;
} /** `pod` is what is left of it while it is terminating. */ & (
    | { readonly status: 'deleted'; readonly terminating: boolean; readonly pod: Pod }
    | { readonly status: 'absent' }
    /** The pod is no longer as it was when it was chosen. */
    | { readonly status: 'changed' }
    | { readonly status: 'refused'; readonly error: Error }
    /** The sync's deadline has passed, so nothing was sent. */
    | { readonly status: 'notTried' }
    | { readonly status: 'unknown'; readonly error: Error }
  );

/** Deletes a pod, as long as the owner controls it: the request may stall while the pod is orphaned and adopted by another owner, which counts on it. If it is gone already, that is success. */
export async function deletePod(control: PodControl, victim: PlannedDelete): Promise<DeleteResult> {
  const { name, uid, resourceVersion } = victim;
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) };
  const options = { preconditions, onlyIfControlledBy: control.owner.metadata.uid };
  try {
    const outcome = await control.registry.delete<Pod>(keyOf(control, name), options);
    if (outcome.status !== 'refused') {
      const event = eventOf(control.owner, 'Normal', 'SuccessfulDelete', textsOf(control).deleted(name));
      const write = `delete pods ${namespacedName(control, name)}`;
      return {
        victim,
        status: 'deleted',
        terminating: outcome.status === 'deleting',
        pod: outcome.object,
        event,
        write,
      };
    }
    if (outcome.error.reason === 'NotFound') return { victim, status: 'absent' };
    if (outcome.error.reason === 'Conflict') return { victim, status: 'changed' };
    return { victim, status: 'refused', error: outcome.error, event: failedDelete(control, name, outcome.error) };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { victim, status: 'notTried' };
    const error = asError(thrown);
    return { victim, status: 'unknown', error, event: failedDelete(control, name, error) };
  }
}

/**
 * Burns the name of a planned pod that is no longer wanted: a create of it that is still under way is refused from now on. `landed`: the create was faster, so the owner's pods
 * must be listed again. A pod that another controller owns by now, or that has no controller and is no longer selected, counts as burned, since its UID cannot come twice. `notTried`: the sync's deadline has passed.
 */
export async function burnName(
  { objectStore, owner, matches }: PodControl,
  planned: PlannedPod,
): Promise<'burned' | 'landed' | 'notTried'> {
  const { namespace = '', uid } = owner.metadata;
  try {
    const outcome = await objectStore.burn<Pod>({ resource: 'pods', namespace, name: planned.name }, planned.uid);
    if (outcome.status === 'burned') return 'burned';
    const controller = controllerOf(outcome.current);
    const isListed = controller ? controller.uid === uid : matches(outcome.current);
    return isListed ? 'landed' : 'burned';
  } catch (error) {
    if (error instanceof WriteRefusedError) return 'notTried';
    throw error;
  }
}

function failedCreate(control: PodControl, name: string, { message }: Error): EventToRecord {
  return eventOf(control.owner, 'Warning', 'FailedCreate', textsOf(control).createFailed(name, message));
}

function failedDelete(control: PodControl, name: string, { message }: Error): EventToRecord {
  return eventOf(control.owner, 'Warning', 'FailedDelete', textsOf(control).deleteFailed(name, message));
}

function textsOf({ texts = TEXTS }: PodControl): PodEventTexts {
  return texts;
}

function eventOf(
  regarding: KubernetesObject,
  type: EventToRecord['type'],
  reason: string,
  message: string,
): EventToRecord {
  return { regarding, type, reason, message };
}

function keyOf({ owner }: PodControl, name: string) {
  return { resource: 'pods', namespace: owner.metadata.namespace ?? '', name };
}

function namespacedName({ owner }: PodControl, name: string): string {
  return `${owner.metadata.namespace ?? ''}/${name}`;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
