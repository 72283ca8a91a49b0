import { all, type Check, matching } from '../checks.ts';

/** A path without `..`. */
export const validatePathNoBacksteps: Check = matching(
  (target) => !target.split('/').includes('..'),
  "must not contain '..'",
);

/** A relative path without `..`. */
export const validateLocalDescendingPath: Check = all(
  matching((target) => !target.startsWith('/'), 'must be a relative path'),
  validatePathNoBacksteps,
);

/** A relative path without `..` whose first name does not begin with `..` either: a kubelet reserves those. */
export const validateLocalNonReservedPath: Check = all(
  validateLocalDescendingPath,
  matching((target) => !target.startsWith('..') || target.startsWith('../'), "must not start with '..'"),
);
