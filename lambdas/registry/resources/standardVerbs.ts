import type { Verb } from '../ResourceEntry.ts';

/** What nearly every resource can do. */
export const STANDARD_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];
