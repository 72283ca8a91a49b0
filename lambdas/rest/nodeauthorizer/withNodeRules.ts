import type { PersistentVolume } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { parseFieldSelector } from '../../objects/selectors/fieldSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { AccessAttributes } from '../rbac/AccessAttributes.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import { rulesAllow } from '../rbac/evaluateRules.ts';
import { MIRROR } from './mirrorPodProblem.ts';
import { NODE_RULES } from './nodeRules.ts';
import { nodeNameOf } from './nodeUser.ts';
import { type ReferencedResource, referencesObject } from './podReferences.ts';

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

type Reads = Pick<Registry, 'get' | 'list'>;
type ResourceAccess = Extract<AccessAttributes, { readonly resource: string }>;

const READ = ['get', 'list', 'watch'];
/** What is allowed of all objects of a node together. */
const SELECTED = ['list', 'watch', 'deletecollection'];
const OWN_OBJECT = ['get', 'create', 'update', 'patch', 'delete'];
const LEASE_NAMESPACE = 'kube-node-lease';
/** The resources of which a node may not do the same everywhere: `NODE_RULES` says less of them than what is decided here. */
const DECIDED_ABOVE = new Set([
  'nodes.',
  'pods.',
  'secrets.',
  'configmaps.',
  'persistentvolumeclaims.',
  'persistentvolumes.',
  'serviceaccounts.',
  'resourceclaims.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'volumeattachments.storage.k8s.io',
  'leases.coordination.k8s.io',
  'csinodes.storage.k8s.io',
]);

/**
 * Kubernetes' Node authorizer in front of another one: a kubelet may do what every node may (`NODE_RULES`), read what the pods on its node use, and write what is its own. Kubernetes keeps a graph of who uses what; here
 * the pods are read when a kubelet asks. Other users, and what is not allowed to nodes in general, are for the other authorizer.
 */
export function withNodeRules(others: Authorizer, reads: Reads): Authorizer {
  const judge: Authorizer['judge'] = async (user, attributes) => {
    const node = nodeNameOf(user);
    const isAllowed =
      node !== undefined && attributes.path === undefined && (await allowsNode(reads, node, attributes));
    return isAllowed ? { isAllowed, reason: '' } : await others.judge(user, attributes);
  };
  return {
    ...others,
    judge,
    missingRules: (user) =>
      nodeNameOf(user) === undefined ? undefined : 'node authorizer does not support user rule resolution',
    allows: async (...asked) => (await judge(...asked)).isAllowed,
  };
}

async function allowsNode(reads: Reads, node: string, access: ResourceAccess): Promise<boolean> {
  const { verb } = access;
  switch (`${access.resource}.${access.group}/${access.subresource}`) {
    case 'nodes./':
      return allowsOwnNode(node, access);
    case 'nodes./status':
    case 'pods./status':
      return ['update', 'patch'].includes(verb);
    case 'pods./':
      return ['create', 'delete'].includes(verb) || (READ.includes(verb) && (await allowsPods(reads, node, access)));
    case 'pods./eviction':
      return verb === 'create';
    case 'secrets./':
      return READ.includes(verb) && (await isSecretUsed(reads, node, access));
    case 'configmaps./':
      return READ.includes(verb) && (await isUsed(reads, node, access));
    case 'persistentvolumeclaims./':
    case 'serviceaccounts./':
    case 'resourceclaims.resource.k8s.io/':
      return verb === 'get' && (await isUsed(reads, node, access));
    case 'persistentvolumeclaims./status':
      return ['update', 'patch'].includes(verb) && (await isUsed(reads, node, access));
    case 'serviceaccounts./token':
      return verb === 'create' && (await isUsed(reads, node, access));
    case 'persistentvolumes./':
      return verb === 'get' && (await isVolumeUsed(reads, node, access.name));
    case 'volumeattachments.storage.k8s.io/':
      return verb === 'get' && (await isAttachedTo(reads, node, access.name));
    case 'leases.coordination.k8s.io/':
      return access.namespace === LEASE_NAMESPACE && allowsOwnObject(node, access);
    case 'csinodes.storage.k8s.io/':
      return allowsOwnObject(node, access);
    case 'resourceslices.resource.k8s.io/':
      return await allowsSlices(reads, node, access);
    default:
      return !DECIDED_ABOVE.has(`${access.resource}.${access.group}`) && rulesAllow(NODE_RULES, access);
  }
}

/** A kubelet watches its own node by its name. Which node it may write is decided when it is written. */
function allowsOwnNode(node: string, access: ResourceAccess): boolean {
  return READ.includes(access.verb) ? access.name === node : ['create', 'update', 'patch'].includes(access.verb);
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

/** The pods by which a node may read what they use. Those that it has created itself do not count. */
async function podsOn(reads: Reads, node: string, namespace: string): Promise<readonly Pod[]> {
  const { items } = await reads.list<Pod>('pods', { namespace });
  return items.filter(({ spec, metadata }) => spec?.nodeName === node && metadata.annotations?.[MIRROR] === undefined);
}

type ObjectOfResource = Pick<ResourceAccess, 'resource' | 'namespace' | 'name'>;

async function isUsed(reads: Reads, node: string, { resource, namespace, name }: ObjectOfResource): Promise<boolean> {
  if (name === '' || namespace === '') return false;
  const pods = await podsOn(reads, node, namespace);
  return pods.some((pod) => referencesObject(pod, resource as ReferencedResource, name));
}

/** A secret of a volume may be in another namespace than the pods. */
async function isSecretUsed(reads: Reads, node: string, access: ResourceAccess): Promise<boolean> {
  const { namespace, name } = access;
  if (await isUsed(reads, node, access)) return true;
  if (name === '' || namespace === '') return false;
  const volumes = (await reads.list<Stored<PersistentVolume>>('persistentvolumes')).items;
  const using = volumes.filter((volume) => volumeUsesSecret(volume, namespace, name));
  for (const volume of using) if (await isBoundOn(reads, node, volume)) return true;
  return false;
}

async function isVolumeUsed(reads: Reads, node: string, name: string): Promise<boolean> {
  const volume = await reads.get<Stored<PersistentVolume>>({ resource: 'persistentvolumes', namespace: '', name });
  return volume !== undefined && (await isBoundOn(reads, node, volume));
}

/** The volume says which claim it is bound to. A claim may ask for any volume, so what the claim says gives a node nothing. */
async function isBoundOn(reads: Reads, node: string, { spec }: Stored<PersistentVolume>): Promise<boolean> {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return await isUsed(reads, node, { resource: 'persistentvolumeclaims', namespace, name });
}

/** A node publishes what its own devices are. Whose a new one is, is decided when it is written. */
async function allowsSlices(reads: Reads, node: string, access: ResourceAccess): Promise<boolean> {
  if (access.verb === 'create') return true;
  if (access.name === '') return SELECTED.includes(access.verb) && selectsNode(access.fieldSelector, node);
  const place = { resource: 'resourceslices.resource.k8s.io', namespace: '', name: access.name };
  const slice = await reads.get<Stored<{ readonly spec?: { readonly nodeName?: string } }>>(place);
  return OWN_OBJECT.includes(access.verb) && slice?.spec?.nodeName === node;
}

async function isAttachedTo(reads: Reads, node: string, name: string): Promise<boolean> {
  const place = { resource: 'volumeattachments.storage.k8s.io', namespace: '', name };
  return (await reads.get<Stored<VolumeAttachment>>(place))?.spec?.nodeName === node;
}

/** True if a node needs the secret to mount the volume: Kubernetes' `VisitPVSecretNames`. The secrets by which a controller attaches or grows a volume are none of the node's. A reference without a namespace is to that of the claim. Pure. */
function volumeUsesSecret({ spec }: Stored<PersistentVolume>, namespace: string, name: string): boolean {
  const own = spec?.claimRef?.namespace;
  return secretsOf(spec).some((secret) => secret.name === name && (secret.namespace ?? own) === namespace);
}

function secretsOf(spec: PersistentVolume['spec']): readonly SecretReference[] {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec ?? {};
  const references: readonly (SecretReference | undefined)[] = [
    ...[cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].map((source) => source?.secretRef),
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    azureFile && {
      name: azureFile.secretName,
      ...(azureFile.secretNamespace && { namespace: azureFile.secretNamespace }),
    },
  ];
  return references.filter((reference) => reference !== undefined);
}
