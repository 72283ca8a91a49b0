import { REVISION, REVISION_HISTORY } from '../../objects/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { copiedAnnotations } from './copiedAnnotations.ts';

/** How long the list of a ReplicaSet's earlier revisions may grow, in characters; the oldest are forgotten first. As in Kubernetes. */
export const MAX_REVISION_HISTORY_CHARS = 2000;

/** The revision that its annotation names, 0 without one, `undefined` if that is no integer. */
export function revisionOf(object: ReplicaSet | Deployment): number | undefined {
  return parseRevision(object.metadata.annotations?.[REVISION] ?? '0');
}

/** A whole decimal number, as Go's `ParseInt` reads it; `undefined` for anything else. */
export function parseRevision(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** The highest revision among them; those that cannot be read do not count. */
export function maxRevision(replicaSets: readonly ReplicaSet[]): number {
  return Math.max(0, ...replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0));
}

/** The second highest revision: the one before the current. 0 if there is none. */
export function lastRevision(replicaSets: readonly ReplicaSet[]): number {
  const [, second] = replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0).toSorted((a, b) => b - a);
  return Math.max(0, second ?? 0);
}

/**
 * The annotations of the new ReplicaSet (of one to be created: none so far), after `SetNewReplicaSetAnnotations`: the Deployment's own are copied, the revision
 * is raised to `revision`, never lowered (old ReplicaSets may have been cleaned up meanwhile). A revision that it had before is kept in its history:
 * that is a rollback to it. One that is no number stays, for whoever wrote it to mend. Pure.
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  current: Readonly<Record<string, string>>,
  revision: number,
): Record<string, string> {
  const annotations = { ...current, ...copiedAnnotations(deployment) };
  const before = current[REVISION];
  const beforeNumber = parseRevision(before === undefined || before === '' ? '0' : before);
  if (beforeNumber === undefined || beforeNumber >= revision) return annotations;
  annotations[REVISION] = String(revision);
  if (before !== undefined) {
    const history = appendRevision(current[REVISION_HISTORY] ?? '', before);
    if (history !== undefined) annotations[REVISION_HISTORY] = history;
  }
  return annotations;
}

/** The list with one more revision, without its oldest where it would be too long; `undefined` if even the new one alone is. Pure. */
export function appendRevision(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const revisions = [...history.split(','), revision];
  while (revisions.length > 1 && revisions.join().length > MAX_REVISION_HISTORY_CHARS) revisions.shift();
  const appended = revisions.join();
  return appended.length > MAX_REVISION_HISTORY_CHARS ? undefined : appended;
}
