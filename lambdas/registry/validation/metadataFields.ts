import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { invalid } from './fieldErrors.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

export function validateOwnerReferences(references: readonly OwnerReference[], field: string): FieldError[] {
  const [first, second] = references.filter((reference) => reference.controller === true);
  const nameOf = ({ kind, name }: OwnerReference) => `${kind}/${name}`;
  const errors = references.flatMap((reference) => ownerReferenceErrors(reference, field));
  if (!first || !second) return errors;
  // Kubernetes repeats the whole list for each further controller; once is enough to say what is wrong.
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${nameOf(first)} and ${nameOf(second)}`;
  return [...errors, invalid(field, references.map(inOrder), detail)];
}

/** An owner reference with its members in the order in which Go writes them. */
function inOrder({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): object {
  return { apiVersion, kind, name, uid, controller, blockOwnerDeletion };
}

function ownerReferenceErrors(reference: OwnerReference, field: string): FieldError[] {
  const required = (['apiVersion', 'kind', 'name', 'uid'] as const).filter(
    (member) => (reference[member] ?? '') === '',
  );
  const errors = required.map((member) =>
    invalid(
      `${field}.${member}`,
      reference[member] ?? '',
      member === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
    ),
  );
  if (reference.apiVersion !== 'v1' || reference.kind !== 'Event') return errors;
  return [...errors, invalid(field, reference, '/v1, Kind=Event is disallowed from being an owner')];
}

export function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const both = finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER);
  return [
    ...finalizers.flatMap((name) => isQualifiedName(name).map((detail) => invalid(field, name, detail))),
    ...(both
      ? [invalid(field, finalizers, `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`)]
      : []),
  ];
}
