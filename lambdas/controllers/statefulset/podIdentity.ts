import { jsonEqual } from '../../objects/json.ts';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';

/** Labels of every pod of a StatefulSet. */
const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX_LABEL = 'apps.kubernetes.io/pod-index';
/** Names the revision that a pod was made from: Kubernetes' StatefulSetRevisionLabel. */
export const REVISION_LABEL = 'controller-revision-hash';

const MAX_INT32 = 2 ** 31 - 1;

/** Returns the name of the set that a pod of this name belongs to, and the pod's ordinal: `web` and 2 for `web-2`. `undefined` for a name without an ordinal: Kubernetes' `getParentNameAndOrdinal`. Pure. */
export function parsePodName(name: string): { readonly parent: string; readonly ordinal: number } | undefined {
  const match = /^(.*)-([0-9]+)$/s.exec(name);
  const ordinal = Number(match?.[2]);
  return match && ordinal <= MAX_INT32 ? { parent: match[1] ?? '', ordinal } : undefined;
}

/** Returns the pod's ordinal; -1 for a name without one. Pure. */
export function getOrdinal({ metadata }: Pod): number {
  return parsePodName(metadata.name)?.ordinal ?? -1;
}

/** True if the pod's name is one of the set's. Pure. */
export function isMemberOf(set: StatefulSet, { metadata }: { readonly metadata: { readonly name: string } }): boolean {
  return parsePodName(metadata.name)?.parent === set.metadata.name;
}

/** Returns the name of the set's pod with this ordinal. Pure. */
export function getPodName(set: { readonly metadata: { readonly name: string } }, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** True if the pod has the labels of its identity. `web-01` belongs to the set `web`, but has the identity of no ordinal. Pure. */
export function identityMatches(set: StatefulSet, { metadata }: Pod): boolean {
  const parsed = parsePodName(metadata.name);
  return (
    parsed?.parent === set.metadata.name &&
    metadata.name === getPodName(set, parsed.ordinal) &&
    metadata.labels?.[POD_NAME_LABEL] === metadata.name
  );
}

/** Returns the labels that tell a pod's identity. Pure. */
export function identityLabels(set: StatefulSet, ordinal: number): Readonly<Record<string, string>> {
  return { [POD_NAME_LABEL]: getPodName(set, ordinal), [POD_INDEX_LABEL]: String(ordinal) };
}

/** Returns the pod with the labels of its identity; the same object if it has them. Host name and subdomain cannot change any more: Kubernetes' `updateIdentity`. Pure. */
export function updateIdentity(set: StatefulSet, pod: Pod): Pod {
  const labels = { ...pod.metadata.labels, ...identityLabels(set, getOrdinal(pod)) };
  return jsonEqual(labels, pod.metadata.labels) ? pod : { ...pod, metadata: { ...pod.metadata, labels } };
}

/** Returns the name of the revision that the pod was made from; empty if its label is gone. Pure. */
export function getPodRevision({ metadata }: Pod): string {
  return metadata.labels?.[REVISION_LABEL] ?? '';
}
