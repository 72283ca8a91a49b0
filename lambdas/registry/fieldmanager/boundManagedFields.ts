import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { requestEntityTooLarge } from '../../objects/apiErrors.ts';

/**
 * The most values (objects, lists and scalars) that an object's managedFields may hold. They do not count as values of the object: the server makes them, and a client that
 * sends back what it has read must not be refused. The limit lets one owner have every field of the largest object, and others half of them. A request for so many takes a quarter of a second.
 */
export const MAX_MANAGED_VALUES = 50_000;

export function tooManyManagedValues(): ApiError {
  return requestEntityTooLarge(MAX_MANAGED_VALUES, 'values of managedFields');
}

/** True if the entries hold more values than managedFields may. */
export function exceedsManagedValues(entries: readonly ManagedFieldsEntry[]): boolean {
  return valuesOf(entries) > MAX_MANAGED_VALUES;
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) count += valuesOf(member);
  return count;
}
