import { ApiError } from '../objects/ApiError.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ObjectKey } from '../objects/ObjectKey.ts';

/** An object is stored that nobody can work with, since it does not have its kind's shape. It can only be deleted. Clients get Kubernetes' InternalError. */
export class UnreadableObjectError extends ApiError {
  /** What is known of the object: the names under which it is stored. */
  readonly remains: KubernetesObject;

  /** `why`: `spec.replicas is not of type int32`. */
  constructor({ resource, namespace, name }: ObjectKey, object: KubernetesObject, why: string) {
    const place = namespace === '' ? name : `${namespace}/${name}`;
    super('InternalError', `data from the storage is not decodable: ${resource} ${place}: ${why}`);
    this.name = 'UnreadableObjectError';
    const { apiVersion, kind } = object;
    const { uid, resourceVersion } = object.metadata;
    this.remains = {
      apiVersion,
      kind,
      metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion, creationTimestamp: '' },
    };
  }
}
