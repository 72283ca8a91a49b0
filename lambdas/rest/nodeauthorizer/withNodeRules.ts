import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { parseFieldSelector } from '../../objects/fieldSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { AccessAttributes } from '../rbac/AccessAttributes.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import { rulesAllow } from '../rbac/evaluateRules.ts';
import { NODE_RULES } from './nodeRules.ts';
import { nodeNameOf } from './nodeUser.ts';
import { type ReferencedResource, referencesObject } from './podReferences.ts';

type Reads = Pick<Registry, 'get' | 'list'>;
type ResourceAccess = Extract<AccessAttributes, { readonly resource: string }>;

const READ = ['get', 'list', 'watch'];
const OWN_OBJECT = ['get', 'create', 'update', 'patch', 'delete'];
const LEASE_NAMESPACE = 'kube-node-lease';

/**
 * Kubernetes' Node authorizer in front of another one: a kubelet may do what every node may (`NODE_RULES`), read what the pods on its node use, and write what is its own. Kubernetes keeps a graph of who uses what; here
 * the pods are read when a kubelet asks. Other users, and what is not allowed to nodes in general, are for the other authorizer.
 */
export function withNodeRules(others: Authorizer, reads: Reads): Authorizer {
  return {
    ...others,
    async allows(user, attributes) {
      const node = nodeNameOf(user);
      const isAllowed =
        node !== undefined && attributes.path === undefined && (await allowsNode(reads, node, attributes));
      return isAllowed || (await others.allows(user, attributes));
    },
  };
}

async function allowsNode(reads: Reads, node: string, access: ResourceAccess): Promise<boolean> {
  switch (`${access.resource}.${access.group}/${access.subresource}`) {
    case 'nodes./':
      return allowsOwnNode(node, access);
    case 'pods./':
      return READ.includes(access.verb) ? await allowsPods(reads, node, access) : allowsStatically(access);
    case 'secrets./':
    case 'configmaps./':
      return READ.includes(access.verb) && (await isUsed(reads, node, access));
    case 'persistentvolumeclaims./':
      return access.verb === 'get' && (await isUsed(reads, node, access));
    case 'persistentvolumeclaims./status':
      return ['get', 'update', 'patch'].includes(access.verb) && (await isUsed(reads, node, access));
    case 'serviceaccounts./token':
      return access.verb === 'create' && (await isUsed(reads, node, access));
    case 'persistentvolumes./':
      return access.verb === 'get' && (await isVolumeUsed(reads, node, access.name));
    case 'volumeattachments.storage.k8s.io/':
      return access.verb === 'get' && (await isAttachedTo(reads, node, access.name));
    case 'leases.coordination.k8s.io/':
      return access.namespace === LEASE_NAMESPACE && allowsOwnObject(node, access);
    case 'csinodes.storage.k8s.io/':
      return allowsOwnObject(node, access);
    default:
      return allowsStatically(access);
  }
}

function allowsStatically(access: ResourceAccess): boolean {
  return rulesAllow(NODE_RULES, access);
}

/** A kubelet watches its own node by its name. Which node it may write is decided when it is written. */
function allowsOwnNode(node: string, access: ResourceAccess): boolean {
  return READ.includes(access.verb) ? access.name === node : allowsStatically(access);
}

/** An object that has the node's name. A create names nothing yet. */
function allowsOwnObject(node: string, { verb, name }: ResourceAccess): boolean {
  return OWN_OBJECT.includes(verb) && (name === node || (verb === 'create' && name === ''));
}

async function allowsPods(reads: Reads, node: string, access: ResourceAccess): Promise<boolean> {
  if (selectsNode(access.fieldSelector, node)) return true;
  if (access.name === '') return false;
  const pod = await reads.get<Pod>({ resource: 'pods', namespace: access.namespace, name: access.name });
  return pod?.spec?.nodeName === node;
}

function selectsNode(fieldSelector: string | undefined, node: string): boolean {
  try {
    const requirements = parseFieldSelector(fieldSelector ?? '');
    return requirements.some(
      ({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node,
    );
  } catch {
    // The list refuses a selector that cannot be read.
    return false;
  }
}

async function podsOn(reads: Reads, node: string, namespace?: string): Promise<readonly Pod[]> {
  const { items } = await reads.list<Pod>('pods', namespace === undefined ? {} : { namespace });
  return items.filter(({ spec }) => spec?.nodeName === node);
}

async function isUsed(reads: Reads, node: string, { resource, namespace, name }: ResourceAccess): Promise<boolean> {
  if (name === '' || namespace === '') return false;
  const pods = await podsOn(reads, node, namespace);
  return pods.some((pod) => referencesObject(pod, resource as ReferencedResource, name));
}

async function isVolumeUsed(reads: Reads, node: string, name: string): Promise<boolean> {
  const [pods, claims] = await Promise.all([
    podsOn(reads, node),
    reads.list<Stored<PersistentVolumeClaim>>('persistentvolumeclaims'),
  ]);
  const bound = claims.items.filter(({ spec }) => spec?.volumeName === name);
  return bound.some(({ metadata }) =>
    pods.some(
      (pod) =>
        pod.metadata.namespace === metadata.namespace && referencesObject(pod, 'persistentvolumeclaims', metadata.name),
    ),
  );
}

async function isAttachedTo(reads: Reads, node: string, name: string): Promise<boolean> {
  const place = { resource: 'volumeattachments.storage.k8s.io', namespace: '', name };
  return (await reads.get<Stored<VolumeAttachment>>(place))?.spec?.nodeName === node;
}
