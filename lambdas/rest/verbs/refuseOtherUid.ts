import { invalid } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { groupKind } from '../../registry/ResourceEntry.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/**
 * Throws Invalid if a patch or an apply sets another UID than the object has. A PUT with another UID means another object, which is a conflict; a patch can only mean to change it. Kubernetes finds the
 * error twice, and names it twice among the causes.
 */
export function refuseOtherUid(
  { resource }: ResourceRequest,
  draft: KubernetesObject,
  current: KubernetesObject,
): void {
  const { uid = '', name } = draft.metadata as { readonly uid?: string; readonly name: string };
  if (uid === '' || uid === current.metadata.uid) return;
  const error = {
    type: 'FieldValueInvalid',
    field: 'metadata.uid',
    badValue: uid,
    detail: 'field is immutable',
  } as const;
  throw invalid(groupKind(resource.entry), name, [error, error]);
}
