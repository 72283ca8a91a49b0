import { cloneJson, copyJson } from '../objects/json.ts';
import type { ResourceEntry } from './ResourceEntry.ts';

/** The built-in kinds with fields that hold any JSON (`RawExtension`, `JSON`). What these hold comes back as it was given, nulls included. A test compares the list with the schemas. */
export const KINDS_WITH_RAW_FIELDS: ReadonlySet<string> = new Set([
  'controllerrevisions.apps',
  'customresourcedefinitions.apiextensions.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
]);

/** Makes a changeable copy of an object of the resource, or of a part of one. In a custom resource the schema says where a null may be, and in raw fields it is as good as any value: what clients send has lost its other nulls when it was decoded. Elsewhere null means absence. */
export function copyOf<T>(entry: Pick<ResourceEntry, 'custom' | 'groupResource'>, value: T): T {
  return entry.custom || KINDS_WITH_RAW_FIELDS.has(entry.groupResource) ? cloneJson(value) : copyJson(value);
}
