import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Verb } from '../ResourceEntry.ts';

/** The verbs of nearly every resource. */
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

/** True if the spec differs, which increases the generation of most objects. Pure. */
export function specChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  return !jsonEqual(object['spec'], old['spec']);
}

/**
 * Returns the values at these paths (`status.phase`) as field selectors compare them. An absent value is the empty string, or the text in `absent`: Go
 * prints a boolean that is not set as `false`. Pure.
 */
export function selectFields(
  object: KubernetesObject,
  paths: readonly string[],
  absent: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, textAt(object, path) ?? absent[path] ?? '']));
}

function textAt(object: KubernetesObject, path: string): string | undefined {
  let value: unknown = object;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
