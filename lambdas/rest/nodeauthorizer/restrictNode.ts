import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import { forbiddenLabels } from './forbiddenLabels.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const LEASES = 'leases.coordination.k8s.io';
const CSI_NODES = 'csinodes.storage.k8s.io';

/** Kubernetes' NodeRestriction admission: the registry for the requests of one kubelet, which changes its own node and the pods on it, and nothing else. */
export function restrictNode(registry: Registry, node: string): Registry {
  const read = (resource: string, namespace: string, name: string) => registry.get({ resource, namespace, name });
  return {
    ...registry,
    async create(resource, object, options) {
      const error = createError(node, resource, object as unknown as KubernetesObject);
      return error ? { status: 'refused', error } : await registry.create(resource, object, options);
    },
    async update(resource, object, options) {
      const { namespace = '', name } = object.metadata;
      const old = options?.from ?? (await read(resource, namespace, name));
      const error = old && updateError(node, resource, object, old, options?.subresource);
      return error ? { status: 'refused', error } : await registry.update(resource, object, options);
    },
    async delete(key, options) {
      const old = options?.from ?? (await read(key.resource, key.namespace, key.name));
      const error = old && deleteError(node, key.resource, old);
      return error ? { status: 'refused', error } : await registry.delete(key, options);
    },
  };
}

function createError(node: string, resource: string, object: KubernetesObject): ApiError | undefined {
  if (resource === 'pods') return mirrorError(node, object);
  return ownError(node, resource, object) ?? (resource === 'nodes' ? labelsError(object, undefined) : undefined);
}

function updateError(
  node: string,
  resource: string,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string | undefined,
): ApiError | undefined {
  if (resource === 'pods' && subresource === 'status' && nodeOf(old) !== node)
    return refuse(
      resource,
      old,
      `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`,
    );
  if (resource !== 'nodes') return ownError(node, resource, object);
  return ownError(node, resource, object) ?? nodeUpdateError(node, object, old);
}

function deleteError(node: string, resource: string, old: KubernetesObject): ApiError | undefined {
  if (resource === 'pods' && nodeOf(old) !== node)
    return refuse(resource, old, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
  return ownError(node, resource, old);
}

function mirrorError(node: string, pod: KubernetesObject): ApiError | undefined {
  if (pod.metadata.annotations?.[MIRROR] === undefined)
    return refuse(
      'pods',
      pod,
      `pod does not have ${quote(MIRROR)} annotation, node ${quote(node)} can only create mirror pods`,
    );
  if (nodeOf(pod) !== node)
    return refuse('pods', pod, `node ${quote(node)} can only create pods with spec.nodeName set to itself`);
  const account = (pod as Pod).spec?.serviceAccountName ?? '';
  return account === ''
    ? undefined
    : refuse('pods', pod, `node ${quote(node)} can not create pods that reference a service account`);
}

/** The objects that have their node's name. */
function ownError(node: string, resource: string, object: KubernetesObject): ApiError | undefined {
  const { name, namespace } = object.metadata;
  if (resource === 'nodes' && name !== node)
    return refuse(resource, object, `node ${quote(node)} is not allowed to modify node ${quote(name)}`);
  if (resource === LEASES && namespace !== 'kube-node-lease')
    return refuse(resource, object, 'can only access leases in the "kube-node-lease" system namespace');
  if (resource === LEASES && name !== node)
    return refuse(resource, object, 'can only access node lease with the same name as the requesting node');
  if (resource === CSI_NODES && name !== node)
    return refuse(resource, object, 'can only access CSINode with the same name as the requesting node');
  return undefined;
}

function nodeUpdateError(node: string, object: KubernetesObject, old: KubernetesObject): ApiError | undefined {
  const taints = ({ spec }: Node) => spec?.taints ?? [];
  if (!jsonEqual(taints(object), taints(old)))
    return refuse('nodes', object, `node ${quote(node)} is not allowed to modify taints`);
  if (!jsonEqual(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    return refuse('nodes', object, `node ${quote(node)} is not allowed to modify ownerReferences`);
  return labelsError(object, old);
}

function labelsError(object: KubernetesObject, old: KubernetesObject | undefined): ApiError | undefined {
  const names = forbiddenLabels(object.metadata.labels ?? {}, old?.metadata.labels ?? {});
  if (names.length === 0) return undefined;
  const verb = old ? 'modify' : 'set the following';
  return refuse('nodes', object, `is not allowed to ${verb} labels: ${names.join(', ')}`);
}

function refuse(resource: string, { metadata }: KubernetesObject, why: string): ApiError {
  return forbidden(resource, metadata.name, why);
}

function nodeOf(pod: KubernetesObject): string | undefined {
  return (pod as Pod).spec?.nodeName;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
