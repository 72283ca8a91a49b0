import {
  AUTO_ROLLBACK,
  COMPLETED_REVISION,
  DESIRED_REPLICAS,
  GIVEN_UP,
  LAST_APPLIED,
  MAX_REPLICAS,
  REVISION,
  REVISION_HISTORY,
  ROLLBACK_TO,
} from '../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { parseInteger } from '../../objects/selectors/labelRequirement.ts';

type Annotations = Readonly<Record<string, string>>;

/** The longest list of a ReplicaSet's earlier revisions, in characters; the oldest are dropped first. Kubernetes' number. */
const MAX_REVISION_HISTORY_CHARS = 2000;

/** Annotations that are meaningful only on the object that has them: Kubernetes' `annotationsToSkip`, then ours. */
const NOT_COPIED = new Set([
  LAST_APPLIED,
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
  COMPLETED_REVISION,
  GIVEN_UP,
]);

/** `Revision`: the number in the annotation, 0 without one, `undefined` if it is not an int64. */
export function revisionIn(annotations: Annotations | undefined): bigint | undefined {
  return parseInteger(annotations?.[REVISION] ?? '0');
}

type Revised = readonly { readonly revision: bigint | undefined }[];

/** `MaxRevision`: the highest revision. ReplicaSets whose revision is not an int64 are ignored. */
export function maxRevision(replicaSets: Revised): bigint {
  return highestFirst(replicaSets)[0] ?? 0n;
}

/** The revision after the highest one. The highest int64 overflows to the lowest, as in Go, and is then never given to a ReplicaSet. */
export function nextRevision(replicaSets: Revised): bigint {
  return BigInt.asIntN(64, maxRevision(replicaSets) + 1n);
}

/** `LastRevision`: the second highest revision, which is the one before the current one. 0 if there are fewer than two revisions. */
export function lastRevision(replicaSets: Revised): bigint {
  return highestFirst(replicaSets)[1] ?? 0n;
}

function highestFirst(replicaSets: Revised): readonly bigint[] {
  return replicaSets
    .map(({ revision }) => revision ?? 0n)
    .filter((revision) => revision > 0n)
    .toSorted((a, b) => Number(b > a) - Number(b < a));
}

/** `GetDesiredReplicasAnnotation`: the Deployment's `spec.replicas` when the ReplicaSet was last sized; `undefined` if it is absent or not an int32. */
export function desiredReplicasAnnotation(replicaSet: ReplicaSet): number | undefined {
  return parseInt32(replicaSet.metadata.annotations?.[DESIRED_REPLICAS]);
}

/** `getMaxReplicasAnnotation`: the Deployment's replicas and surge when the ReplicaSet was last sized; `undefined` if it is absent or not an int32. */
export function maxReplicasAnnotation(replicaSet: ReplicaSet): number | undefined {
  return parseInt32(replicaSet.metadata.annotations?.[MAX_REPLICAS]);
}

/** Go's `ParseInt(…, 10, 32)`; `undefined` for other text. */
function parseInt32(text: string | undefined): number | undefined {
  const value = parseInteger(text);
  return value !== undefined && value === BigInt.asIntN(32, value) ? Number(value) : undefined;
}

/** `SetReplicasAnnotations`: what a ReplicaSet remembers of its Deployment's size, to distinguish scaling from rolling later, and to know its share. */
export function replicasAnnotations(desired: number, ceiling: number): Annotations {
  return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(ceiling) };
}

/**
 * `SetNewReplicaSetAnnotations`: the annotations of the new ReplicaSet, which has `current` ones, or none if it is still to be created. The Deployment's own are copied. The
 * revision is raised to `revision` and never lowered, as old ReplicaSets may have been cleaned up since. An earlier revision of its own goes to its history: it
 * had one if it is rolled back to. A revision that is not an int64 stays for its author to correct. Pure.
 */
export function newReplicaSetAnnotations(deployment: Deployment, current: Annotations, revision: bigint): Annotations {
  const annotations = { ...current, ...copiedAnnotations(deployment) };
  const before = current[REVISION];
  const beforeNumber = parseInteger(before === undefined || before === '' ? '0' : before);
  if (beforeNumber === undefined || beforeNumber >= revision) return annotations;
  annotations[REVISION] = String(revision);
  if (before !== undefined) {
    const history = appendRevision(current[REVISION_HISTORY] ?? '', before);
    if (history !== undefined) annotations[REVISION_HISTORY] = history;
  }
  return annotations;
}

/** The list with one more revision, without its oldest ones where it would be too long; `undefined` if the new one alone is too long. Pure. */
export function appendRevision(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const revisions = [...history.split(','), revision];
  while (revisions.length > 1 && revisions.join().length > MAX_REVISION_HISTORY_CHARS) revisions.shift();
  const appended = revisions.join();
  return appended.length > MAX_REVISION_HISTORY_CHARS ? undefined : appended;
}

/** `SetDeploymentRevision`: the Deployment with that revision in its annotation; the same object if it has it. Pure. */
export function withRevision(deployment: Deployment, revision: string | undefined): Deployment {
  const annotations = deployment.metadata.annotations ?? {};
  if (revision === undefined || annotations[REVISION] === revision) return deployment;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...annotations, [REVISION]: revision } },
  };
}

/** `copyDeploymentAnnotationsToReplicaSet`: the Deployment's annotations that its new ReplicaSet takes over, such as `kubernetes.io/change-cause`. Pure. */
export function copiedAnnotations(deployment: Deployment): Annotations {
  return pick(deployment.metadata.annotations, (key) => !NOT_COPIED.has(key));
}

/**
 * `SetDeploymentAnnotationsTo`: the Deployment's annotations after a rollback to this ReplicaSet. The ReplicaSet's are taken over, so that its change cause comes back with
 * its template. The Deployment keeps those that are never copied, and whether rollbacks are automatic, which does not belong to a revision. Pure.
 */
export function annotationsAfterRollback(deployment: Deployment, replicaSet: ReplicaSet): Annotations {
  return {
    ...pick(replicaSet.metadata.annotations, (key) => !NOT_COPIED.has(key) && key !== AUTO_ROLLBACK),
    ...pick(deployment.metadata.annotations, (key) => NOT_COPIED.has(key) || key === AUTO_ROLLBACK),
  };
}

function pick(annotations: Annotations | undefined, wanted: (key: string) => boolean): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => wanted(key)));
}
