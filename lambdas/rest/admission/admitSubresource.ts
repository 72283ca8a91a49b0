import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../../registry/admission/dynamic/AdmissionAttributes.ts';
import { parseApiVersion } from '../schema/kindSchema.ts';
import { attributesOf } from '../request/admitAs.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** What a request to a subresource asks for, if the registry stores no object of its kind. */
export interface SubresourceWrite {
  readonly operation: 'CREATE' | 'CONNECT';
  /** With apiVersion and kind: an Eviction, or the options of a connection. */
  readonly object: object;
  readonly dryRun: boolean;
}

/** Lets webhooks and policies see a request to a subresource that stores no object of its own kind. Returns the object as webhooks have changed it. Throws ApiError if it is refused. */
export async function admitSubresource<T extends object>(
  request: ResourceRequest,
  write: SubresourceWrite & { readonly object: T },
): Promise<T> {
  const { dynamicAdmission } = request.dependencies;
  if (!dynamicAdmission) return write.object;
  const attributes = admissionAttributes(request, write);
  const mutation = await dynamicAdmission.mutate(attributes, () => Promise.resolve(undefined));
  if (mutation.status === 'refused') throw mutation.error;
  const { object } = mutation;
  const error = await dynamicAdmission.validate({ ...attributes, object });
  if (error) throw error;
  return object as unknown as T;
}

function admissionAttributes(
  request: ResourceRequest,
  { operation, object, dryRun }: SubresourceWrite,
): AdmissionAttributes {
  const { info, resource, dependencies } = request;
  const { options, ...attributes } = attributesOf({ ...request, authorizer: dependencies.authorizer });
  const { apiVersion, kind } = object as KubernetesObject;
  const createOptions = {
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...options,
    ...(dryRun && { dryRun: ['All'] }),
  };
  return {
    ...attributes,
    operation,
    entry: resource.entry,
    kind: { ...parseApiVersion(apiVersion), kind },
    namespace: info.namespace,
    object: object as KubernetesObject,
    options: operation === 'CREATE' ? createOptions : null,
    dryRun,
    timeLeftMs: () => Number.POSITIVE_INFINITY,
    budget: request.budget,
    inVersion: (one) => Promise.resolve(one),
    fromVersion: (one) => Promise.resolve(one),
  };
}
