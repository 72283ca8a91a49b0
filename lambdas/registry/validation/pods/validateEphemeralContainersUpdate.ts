import type { EphemeralContainer, PodSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { forbidden } from '../fieldErrors.ts';
import { fieldsOf, itemsOf, textOf } from '../fieldsOf.ts';
import { validateWholePod } from './validatePod.ts';
import { isMirrorPod, validateAnnotationChanges } from './validatePodUpdate.ts';

/** Returns the errors of a pod whose ephemeral containers change, except those of its metadata: they can be added, and never change or go away. Pure. */
export function validateEphemeralContainersUpdate(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  if (isMirrorPod(old)) return [forbidden('[]', 'static pods do not support ephemeral containers')];
  const now = new Map(containersOf(pod).map((container) => [textOf(container.name), container]));
  return [
    ...validateWholePod(pod),
    ...validateAnnotationChanges(pod, old),
    ...containersOf(old).flatMap((before) => changeErrors(before, now.get(textOf(before.name)))),
  ];
}

function containersOf(pod: KubernetesObject) {
  return itemsOf<EphemeralContainer>(fieldsOf<PodSpec>(pod['spec']).ephemeralContainers);
}

function changeErrors(before: { readonly name?: unknown }, after: object | undefined): FieldError[] {
  const refused = (what: string) => [
    forbidden(
      'spec.ephemeralContainers',
      `existing ephemeral containers ${goQuote(textOf(before.name))} may not be ${what}\n`,
    ),
  ];
  if (after === undefined) return refused('removed');
  return jsonEqual(before, after) ? [] : refused('changed');
}
