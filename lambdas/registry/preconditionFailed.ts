import type { ApiError } from '../objects/ApiError.ts';
import { conflict } from '../objects/apiErrors.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';

/** True for a UID or a resourceVersion that an object or a precondition really gives. Kubernetes takes a version of 0 for none. */
export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text !== '0';
}

/** Conflict, for a write that is meant for another object of the name, as the API server's storage words it. `key` is the object's key in etcd: `/registry/pods/default/web`. */
export function preconditionFailed(resource: GroupResource, name: string, key: string, why: string): ApiError {
  return conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${why}`,
  );
}
