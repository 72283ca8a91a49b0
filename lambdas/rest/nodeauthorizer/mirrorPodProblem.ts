import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { referencesAny } from './podReferences.ts';

export const MIRROR = 'kubernetes.io/config.mirror';

/**
 * Says in Kubernetes' words why a kubelet may not create the pod; `undefined` if it may: it creates only mirror pods, which show the static pods of its machine and use nothing of the cluster. `own` is the kubelet's node
 * if it is registered. Pure.
 */
export function mirrorPodProblem(node: string, own: Node | undefined, pod: Pod): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  if (pod.metadata.annotations?.[MIRROR] === undefined)
    return `pod does not have ${JSON.stringify(MIRROR)} annotation, ${who} can only create mirror pods`;
  if (pod.spec?.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  return ownerProblem(node, own, pod.metadata.ownerReferences ?? []) ?? referenceProblem(who, pod);
}

function ownerProblem(node: string, own: Node | undefined, owners: readonly OwnerReference[]): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  const [owner] = owners;
  if (owners.length > 1) return `${who} can only create pods with a single owner reference set to itself`;
  if (!owner || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `${who} can only create pods with an owner reference set to itself`;
  if (owner.controller !== true) return `${who} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `${who} must not set blockOwnerDeletion on an owner reference`;
  if (!own) return `node ${JSON.stringify(node)} not found`;
  return owner.uid === own.metadata.uid
    ? undefined
    : `node ${node} UID mismatch: expected ${owner.uid} got ${own.metadata.uid}`;
}

function referenceProblem(who: string, pod: Pod): string | undefined {
  const cannot = (what: string) => `${who} can not create pods that reference ${what}`;
  if ((pod.spec?.serviceAccountName ?? '') !== '') return cannot('a service account');
  if (referencesAny(pod, 'secrets')) return cannot('secrets');
  if (referencesAny(pod, 'configmaps')) return cannot('configmaps');
  const volumes = pod.spec?.volumes ?? [];
  const hasBundle = volumes.some(({ projected }) =>
    (projected?.sources ?? []).some((source) => 'clusterTrustBundle' in source),
  );
  if (hasBundle) return cannot('clustertrustbundles');
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim)) return cannot('persistentvolumeclaims');
  return (pod.spec?.resourceClaims ?? []).length > 0 ? cannot('resourceclaims') : undefined;
}
