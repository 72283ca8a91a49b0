import { badRequest } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { ResourceRequest } from './ResourceRequest.ts';

/** Where the object that the URL names is stored. */
export function keyOf({ info, resource }: ResourceRequest): ObjectKey {
  const { groupResource, namespaced } = resource.entry;
  return { resource: groupResource, namespace: namespaced ? info.namespace : '', name: info.name };
}

/**
 * Gives a client's object the namespace of the URL, which it may leave out but not contradict. A namespace on an object of a cluster-scoped resource is dropped,
 * as Kubernetes does. Changes the draft.
 */
export function placeInNamespace({ info, resource }: ResourceRequest, draft: KubernetesObject): void {
  const given = draft.metadata.namespace ?? '';
  const expected = resource.entry.namespaced ? info.namespace : '';
  if (given !== '' && expected !== '' && given !== expected) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (expected === '') delete draft.metadata.namespace;
  else draft.metadata.namespace = expected;
}

/** Holds the object of a PUT or a patch against the name and namespace of its URL. Throws BadRequest. */
export function checkPlace(request: ResourceRequest, draft: KubernetesObject): void {
  placeInNamespace(request, draft);
  const { name } = request.info;
  const given = (draft.metadata.name as string | undefined) ?? '';
  if (given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}

/** Which part of the object a write to this URL touches, as the registry wants to be told it. */
export function updatedSubresource({ info }: ResourceRequest): { subresource?: 'status' | 'finalize' } {
  const { subresource } = info;
  return subresource === 'status' || subresource === 'finalize' ? { subresource } : {};
}
