import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { FieldTracker } from '../../registry/fieldmanager/FieldTracker.ts';
import type { UpdateOptions } from '../../registry/Registry.ts';
import { toStorageVersion } from '../convertObject.ts';
import { updatedSubresource } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** What a create, an update, a patch or an apply gives to the registry. */
export interface DraftedWrite {
  /** In the storage version. */
  readonly object: KubernetesObject;
  readonly options: Pick<UpdateOptions<KubernetesObject>, 'dryRun' | 'fieldTracker' | 'subresource'>;
}

/** The last part of every write's way to the registry: defaults, the storage version, and the part of the object that the URL names. Changes the draft, which is in the version of the request. */
export function draftWrite(
  request: ResourceRequest,
  draft: KubernetesObject,
  dryRun: boolean,
  fieldTracker: FieldTracker,
): DraftedWrite {
  return {
    object: toStorageVersion(request.resource, draft),
    options: { dryRun, fieldTracker, ...updatedSubresource(request) },
  };
}
