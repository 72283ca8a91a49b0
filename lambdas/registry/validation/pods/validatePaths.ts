import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid } from '../fieldErrors.ts';

/** Refuses a path that contains `..`. */
export function validatePathNoBacksteps(target: string, path: string): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Validates a relative path without `..`. */
export function validateLocalDescendingPath(target: string, path: string): FieldError[] {
  return [
    ...(target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : []),
    ...validatePathNoBacksteps(target, path),
  ];
}

/** Validates a relative path without `..` whose first name does not begin with `..` either: a kubelet reserves those. */
export function validateLocalNonReservedPath(target: string, path: string): FieldError[] {
  return [
    ...validateLocalDescendingPath(target, path),
    ...(target.startsWith('..') && !target.startsWith('../')
      ? [invalid(path, target, "must not start with '..'")]
      : []),
  ];
}
