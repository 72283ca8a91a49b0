import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.js';
import { forbidden } from '../../objects/apiErrors.ts';
import type { ApiError } from '../../objects/ApiError.ts';
import { askedName } from '../../objects/askedName.ts';
import type { KubernetesObject, NewObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import { parseCertificateRequest } from '../../objects/certificates/parseCertificateRequest.ts';
import { mirrorPodProblem } from './mirrorPodProblem.ts';
import { NODE_PREFIX } from './nodeUser.ts';
import { claimStatusProblem, nodeCreateProblem, nodeUpdateProblem, podStatusProblem } from './nodeUpdateProblem.ts';

const LEASES = 'leases.coordination.k8s.io';
const CSI_NODES = 'csinodes.storage.k8s.io';
const SLICES = 'resourceslices.resource.k8s.io';
const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';
/** The signers of kubelets' certificates. */
const KUBELET_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** Kubernetes' NodeRestriction admission: the registry for the requests of one kubelet, which changes its own node and the pods on it, and nothing else. */
export function restrictNode(registry: Registry, node: string): Registry {
  const read = (resource: string, namespace: string, name: string) => registry.get({ resource, namespace, name });
  return {
    ...registry,
    async create(resource, object, options) {
      const created = object as unknown as KubernetesObject;
      const own =
        resource === 'pods' ? await registry.get<Node>({ resource: 'nodes', namespace: '', name: node }) : undefined;
      const error = errorOf(resource, created, createProblem(node, resource, created, own));
      return error ? { status: 'refused', error } : await registry.create(resource, object, options);
    },
    async update(resource, object, options) {
      const { namespace = '', name } = object.metadata;
      const old = options?.from ?? (await read(resource, namespace, name));
      const error = old && errorOf(resource, old, updateProblem(node, resource, object, old, options?.subresource));
      return error ? { status: 'refused', error } : await registry.update(resource, object, options);
    },
    async delete(key, options) {
      const old = options?.from ?? (await read(key.resource, key.namespace, key.name));
      const error = old && errorOf(key.resource, old, deleteProblem(node, key.resource, old));
      return error ? { status: 'refused', error } : await registry.delete(key, options);
    },
  };
}

function errorOf(resource: string, object: NewObject, problem: string | undefined): ApiError | undefined {
  return problem === undefined ? undefined : forbidden(resource, askedName(object), problem);
}

function createProblem(
  node: string,
  resource: string,
  object: KubernetesObject,
  own: Node | undefined,
): string | undefined {
  switch (resource) {
    case 'pods':
      return mirrorPodProblem(node, own, object);
    case 'nodes':
      return ownProblem(node, resource, object) ?? nodeCreateProblem(node, object);
    case SLICES:
      return sliceProblem(node, object, 'create');
    case REQUESTS:
      return requestProblem(node, object as Stored<CertificateSigningRequest>);
    default:
      return ownProblem(node, resource, object);
  }
}

function updateProblem(
  node: string,
  resource: string,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string | undefined,
): string | undefined {
  switch (resource) {
    case 'pods':
      return subresource === 'status' ? podStatusProblem(node, object, old) : undefined;
    case 'nodes':
      return ownProblem(node, resource, object) ?? nodeUpdateProblem(node, object, old);
    case 'persistentvolumeclaims':
      return subresource === 'status' ? claimStatusProblem(node, object, old) : 'may only update PVC status';
    default:
      return ownProblem(node, resource, object);
  }
}

function deleteProblem(node: string, resource: string, old: KubernetesObject): string | undefined {
  if (resource === SLICES) return sliceProblem(node, old, 'delete');
  if (resource !== 'pods') return ownProblem(node, resource, old);
  const isOwn = (old as Pod).spec?.nodeName === node;
  return isOwn ? undefined : `node ${JSON.stringify(node)} can only delete pods with spec.nodeName set to itself`;
}

/** The objects that have their node's name. */
function ownProblem(node: string, resource: string, { metadata }: KubernetesObject): string | undefined {
  // A new object whose name is still to be generated has none.
  const { name = '', namespace } = metadata as NewObject['metadata'];
  const isOwn = name === node;
  switch (resource) {
    case 'nodes':
      return isOwn ? undefined : `node ${JSON.stringify(node)} is not allowed to modify node ${JSON.stringify(name)}`;
    case LEASES:
      if (namespace !== 'kube-node-lease') return 'can only access leases in the "kube-node-lease" system namespace';
      return isOwn ? undefined : 'can only access node lease with the same name as the requesting node';
    case CSI_NODES:
      return isOwn ? undefined : 'can only access CSINode with the same name as the requesting node';
    default:
      return undefined;
  }
}

function sliceProblem(node: string, slice: KubernetesObject, verb: 'create' | 'delete'): string | undefined {
  const isOwn = (slice as { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName === node;
  return isOwn ? undefined : `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
}

/** A kubelet asks for certificates of its own only. The signer checks the rest. */
function requestProblem(node: string, { spec }: Stored<CertificateSigningRequest>): string | undefined {
  if (!KUBELET_SIGNERS.includes(spec?.signerName ?? '')) return undefined;
  const own = NODE_PREFIX + node;
  const parsed = parseCertificateRequest(spec?.request ?? '');
  if (parsed.status === 'refused') return 'unable to parse csr';
  return parsed.request.commonName === own ? undefined : `can only create a node CSR with CN=${own}`;
}
