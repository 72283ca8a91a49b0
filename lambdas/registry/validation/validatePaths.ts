import type { FieldError } from '../../objects/FieldError.ts';
import { invalid } from './fieldErrors.ts';

/** No step back. */
export function validatePathNoBacksteps(target: string, path: string): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Relative, and no step back. */
export function validateLocalDescendingPath(target: string, path: string): FieldError[] {
  return [
    ...(target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : []),
    ...validatePathNoBacksteps(target, path),
  ];
}

/** A relative path below the volume: no step back, and no name that begins like one. */
export function validateLocalNonReservedPath(target: string, path: string): FieldError[] {
  return [
    ...validateLocalDescendingPath(target, path),
    ...(target.startsWith('..') && !target.startsWith('../')
      ? [invalid(path, target, "must not start with '..'")]
      : []),
  ];
}
