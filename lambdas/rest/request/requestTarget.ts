import { badRequest } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { UpdateOptions } from '../../registry/Registry.ts';
import type { ResourceRequest } from './ResourceRequest.ts';

/** The key under which the object that the URL names is stored. */
export function keyOf({ info, resource }: ResourceRequest): ObjectKey {
  const { groupResource, namespaced } = resource.entry;
  return { resource: groupResource, namespace: namespaced ? info.namespace : '', name: info.name };
}

/**
 * Sets the URL's namespace on a client's object. The object may omit the namespace but may not name another one (BadRequest). A namespace on an object of a
 * cluster-scoped resource is dropped, as Kubernetes does. Changes the draft.
 */
export function setNamespace({ info, resource }: ResourceRequest, draft: KubernetesObject): void {
  const given = draft.metadata.namespace ?? '';
  const expected = resource.entry.namespaced ? info.namespace : '';
  if (given !== '' && expected !== '' && given !== expected) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (expected === '') delete draft.metadata.namespace;
  else draft.metadata.namespace = expected;
}

/** Checks that the object of a PUT or a patch has the URL's name and namespace. Throws BadRequest. */
export function checkNameAndNamespace(request: ResourceRequest, draft: KubernetesObject): void {
  setNamespace(request, draft);
  const { name } = request.info;
  const given = (draft.metadata.name as string | undefined) ?? '';
  if (given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}

const SUBRESOURCES = ['status', 'approval', 'finalize', 'ephemeralcontainers', 'resize'] as const;

/** The registry's update option for the subresource that a write to this URL changes. */
export function updatedSubresource({ info }: ResourceRequest): Pick<UpdateOptions<KubernetesObject>, 'subresource'> {
  const subresource = SUBRESOURCES.find((one) => one === info.subresource);
  return subresource === undefined ? {} : { subresource };
}
