import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels of Kubernetes' namespaces that a kubelet sets on its node. */
const KUBELET_LABELS = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const KUBELET_NAMESPACES = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const KUBERNETES_NAMESPACES = ['kubernetes.io', 'k8s.io'];

/** Says in Kubernetes' words why a kubelet may not register its node like this; `undefined` if it may. Pure. */
export function nodeCreateProblem(node: string, object: Node): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  if (object.spec?.configSource) return `${who} is not allowed to create pods with a non-nil configSource`;
  const names = forbiddenLabels(object.metadata.labels ?? {}, {});
  return names.length === 0 ? undefined : `${who} is not allowed to set the following labels: ${names.join(', ')}`;
}

/** Says in Kubernetes' words why a kubelet may not change its node like this: others decide by its labels and taints which pods it gets. Pure. */
export function nodeUpdateProblem(node: string, object: Node, old: Node): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  const { configSource } = object.spec ?? {};
  if (configSource && !jsonEqual(configSource, old.spec?.configSource))
    return `${who} is not allowed to update configSource to a new non-nil configSource`;
  if (!jsonEqual(object.spec?.taints ?? [], old.spec?.taints ?? [])) return `${who} is not allowed to modify taints`;
  if (!jsonEqual(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    return `${who} is not allowed to modify ownerReferences`;
  const names = forbiddenLabels(object.metadata.labels ?? {}, old.metadata.labels ?? {});
  return names.length === 0 ? undefined : `is not allowed to modify labels: ${names.join(', ')}`;
}

/** Says in Kubernetes' words why a kubelet may not report this about a pod. Pure. */
export function podStatusProblem(node: string, pod: Pod, old: Pod): string | undefined {
  const who = `node ${JSON.stringify(node)}`;
  if (old.spec?.nodeName !== node) return `${who} can only update pod status for pods with spec.nodeName set to itself`;
  if (!jsonEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {}))
    return `${who} cannot update labels through pod status`;
  const claims = ({ status }: Pod) => status?.resourceClaimStatuses ?? [];
  return jsonEqual(claims(pod), claims(old)) ? undefined : `${who} cannot update resource claim statues`;
}

/** What a kubelet reports about a claim after it has resized the volume. */
const RESIZED = ['capacity', 'conditions', 'allocatedResources', 'allocatedResourceStatuses'];

/** Says in Kubernetes' words why a kubelet may not report this about a claim. Pure. */
export function claimStatusProblem(
  node: string,
  claim: Stored<PersistentVolumeClaim>,
  old: Stored<PersistentVolumeClaim>,
): string | undefined {
  const same = jsonEqual(withoutReport(claim), withoutReport(old));
  const fields = 'fields other than status.capacity and status.conditions';
  return same ? undefined : `node ${JSON.stringify(node)} is not allowed to update ${fields}`;
}

function withoutReport({ metadata, ...rest }: KubernetesObject): object {
  const { resourceVersion: _, managedFields: __, ...kept } = metadata;
  const status = Object.entries(rest['status'] ?? {}).filter(([field]) => !RESIZED.includes(field));
  return { ...rest, metadata: kept, status: Object.fromEntries(status) };
}

/** Returns the labels that a kubelet must not change on its own node, because others decide by them which pods it gets; sorted. Pure. */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const names = [...new Set([...Object.keys(labels), ...Object.keys(old)])];
  return names.filter((name) => labels[name] !== old[name] && !isKubelets(name)).sort();
}

function isKubelets(name: string): boolean {
  if (KUBELET_LABELS.has(name)) return true;
  const slash = name.indexOf('/');
  const namespace = slash < 0 ? '' : name.slice(0, slash);
  if (isWithin(namespace, KUBELET_NAMESPACES)) return true;
  return !isWithin(namespace, KUBERNETES_NAMESPACES);
}

function isWithin(namespace: string, outer: readonly string[]): boolean {
  return outer.some((one) => namespace === one || namespace.endsWith(`.${one}`));
}
