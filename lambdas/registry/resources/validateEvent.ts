import type { Event as ApiEvent } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { invalid } from '../validation/fieldErrors.ts';

/** Where events about cluster-scoped objects stand. */
const DEFAULT_NAMESPACE = 'default';

/** An event lives in the namespace of what it tells of; that of something without a namespace in `default` (or kube-system, since 1.19, for new-style ones). Pure. */
export function validateEvent(object: KubernetesObject): FieldError[] {
  const { involvedObject, metadata } = object as Stored<ApiEvent>;
  const about = involvedObject?.namespace ?? '';
  const stands = metadata.namespace ?? '';
  if (about === '')
    return stands === DEFAULT_NAMESPACE || stands === 'kube-system'
      ? []
      : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
  return about === stands ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}
