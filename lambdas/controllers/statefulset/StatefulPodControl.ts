import { alreadyExists } from '../../objects/apiErrors.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { type GuardedRegistry, WriteRefusedError } from '../GuardedWriters.ts';
import { controlOf, createPod, deletePod, type PodControl, type PodEventTexts } from '../replicaset/PodControl.ts';
import type { CommittedSteps } from './CommittedSteps.ts';
import { newStatefulSetPod, type Revision } from './newStatefulSetPod.ts';
import { getOrdinal, getPodName, updateIdentity } from './podIdentity.ts';
import { storageMatches, volumesOf } from './volumeClaims.ts';

/** Writes a set's pods and claims, as Kubernetes' object of this name. */
export interface StatefulPodControl {
  readonly registry: GuardedRegistry;
  readonly set: StatefulSet;
  /** For creating and deleting. */
  readonly pods: PodControl;
}

/** Returns the control of a set's pods. `matches`: whether a pod is one that the set may own. */
export function createStatefulPodControl(
  set: StatefulSet,
  writers: Pick<PodControl, 'registry' | 'objectStore'>,
  matches: (pod: Pod) => boolean,
): StatefulPodControl {
  const pods = { ...controlOf(set, matches, writers), texts: textsFor(set) };
  return { registry: writers.registry, set, pods };
}

function textsFor({ metadata: { name: set } }: StatefulSet): PodEventTexts {
  return {
    created: (name) => `create Pod ${name} in StatefulSet ${set} successful`,
    deleted: (name) => `delete Pod ${name} in StatefulSet ${set} successful`,
    createFailed: (name, error) => `create Pod ${name} in StatefulSet ${set} failed error: ${error}`,
    deleteFailed: (name, error) => `delete Pod ${name} in StatefulSet ${set} failed error: ${error}`,
  };
}

/** Creates the pod with this ordinal and UID. If another pod has the name, see `takenBy`. */
export async function createStatefulPod(
  { set, pods }: StatefulPodControl,
  { ordinal, uid }: { readonly ordinal: number; readonly uid: string },
  revision: Revision,
): Promise<Partial<CommittedSteps>> {
  const planned = { name: getPodName(set, ordinal), uid };
  const control = { ...pods, podOf: () => newStatefulSetPod(set, ordinal, uid, revision) };
  const { event, write, ...result } = await createPod(control, planned);
  const said = { ...(event && { events: [event] }), ...(write !== undefined && { writes: [write] }) };
  switch (result.status) {
    case 'created':
      return { ...said, pods: new Map([[uid, result.pod]]) };
    // The pod was there already and is gone, which wakes the set; or its namespace takes no pods any more.
    case 'settled':
      return {};
    case 'taken':
      return takenBy(result.by, planned.name, pods);
    case 'notTried':
      return { unfinished: true };
    case 'refused':
      return { ...said, failure: result.error };
    case 'unknown':
      return { ...said, failure: result.error, settled: false };
  }
}

/**
 * Another pod has the name. One of an earlier set of this name is waited for: its end wakes this set's key. One that the set may own came just now. Any other pod is an error, which Kubernetes does not tell by an event either.
 */
function takenBy(pod: Pod, name: string, { owner, matches }: PodControl): Partial<CommittedSteps> {
  const controller = controllerOf(pod);
  if (controller?.kind === 'StatefulSet' && controller.name === owner.metadata.name) {
    if (controller.uid === owner.metadata.uid) return { mustReobserve: true };
    return { why: [{ wait: 'nameFree', name }] };
  }
  if (!controller && matches(pod)) return { mustReobserve: true };
  return { failure: alreadyExists('pods', name), why: [{ wait: 'nameFree', name }] };
}

/** Deletes the pod as it was read. */
export async function deleteStatefulPod({ pods }: StatefulPodControl, pod: Pod): Promise<Partial<CommittedSteps>> {
  const { name, uid, resourceVersion } = pod.metadata;
  const { event, write, ...result } = await deletePod(pods, { name, uid, resourceVersion });
  const said = { ...(event && { events: [event] }), ...(write !== undefined && { writes: [write] }) };
  switch (result.status) {
    case 'deleted':
      return { ...said, pods: new Map([[uid, result.terminating ? result.pod : undefined]]) };
    case 'absent':
      return { pods: new Map([[uid, undefined]]) };
    case 'changed':
      return { mustReobserve: true };
    case 'notTried':
      return { unfinished: true };
    case 'refused':
      return { ...said, failure: result.error };
    case 'unknown':
      return { ...said, failure: result.error, settled: false };
  }
}

/** Gives the pod back its labels and its volumes: `UpdateStatefulPod`. A pod's volumes cannot change, so a pod without its claims is refused, and the event says so. */
export async function updateStatefulPod(
  { registry, set }: StatefulPodControl,
  pod: Pod,
): Promise<Partial<CommittedSteps>> {
  const { name, namespace = '', uid } = pod.metadata;
  const text = `update Pod ${name} in StatefulSet ${set.metadata.name}`;
  try {
    const outcome = await registry.update<Pod>('pods', repaired(set, pod), { from: pod });
    if (outcome.status === 'stored') {
      const event = {
        regarding: set,
        type: 'Normal',
        reason: 'SuccessfulUpdate',
        message: `${text} successful`,
      } as const;
      return { pods: new Map([[uid, outcome.object]]), events: [event], writes: [`update pods ${namespace}/${name}`] };
    }
    if (['Conflict', 'NotFound'].includes(outcome.error.reason)) return { mustReobserve: true };
    const message = `${text} failed error: ${outcome.error.message}`;
    return { failure: outcome.error, events: [{ regarding: set, type: 'Warning', reason: 'FailedUpdate', message }] };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { unfinished: true };
    throw thrown;
  }
}

function repaired(set: StatefulSet, pod: Pod): Pod {
  const identified = updateIdentity(set, pod);
  if (storageMatches(set, pod)) return identified;
  const spec = { ...pod.spec, containers: pod.spec?.containers ?? [] };
  return { ...identified, spec: { ...spec, volumes: volumesOf(set, getOrdinal(pod), spec.volumes) } };
}
