import { validateAnnotations } from '../validation/validateLabels.ts';
import { compareObjects } from './compareObjects.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { type FieldSet, NOTHING } from './FieldSet.ts';
import { isMap, type JsonMap } from './MergeSchema.ts';
import { toFieldSet } from './toFieldSet.ts';
import { validateConfiguration } from './validateConfiguration.ts';
import type { TypedObject } from './VersionedObject.ts';

/** The annotation in which kubectl keeps what it applied last, when it merges on the client's side. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The fields of the live object that still are as kubectl applied them on the client's side. Kubectl may take them when it begins to apply on the server: they
 * have been its own. None if there is no annotation, or if it cannot be read in this version.
 */
export function clientSideApplied({ object, schema }: TypedObject): FieldSet {
  const config = lastAppliedOf(object);
  if (config === undefined || config['apiVersion'] !== object['apiVersion']) return NOTHING;
  try {
    validateConfiguration(config, schema);
    const { added, modified, removed } = compareObjects(config, object, schema);
    return toFieldSet(config, schema).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof FieldManagerError) return NOTHING;
    throw error;
  }
}

function lastAppliedOf(object: JsonMap): JsonMap | undefined {
  const text = annotationsOf(object)[LAST_APPLIED];
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const config: unknown = JSON.parse(text);
    return isMap(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

function annotationsOf({ metadata }: JsonMap): JsonMap {
  const annotations = isMap(metadata) ? metadata['annotations'] : undefined;
  return isMap(annotations) ? annotations : {};
}

/**
 * Brings the annotation, if the object has one, up to date with what kubectl applies on the server, so that kubectl can go back to merging on the client's side.
 * A configuration that does not fit an annotation removes it.
 */
export function withLastApplied(object: JsonMap, config: JsonMap): JsonMap {
  const annotations = annotationsOf(object);
  const present = annotations[LAST_APPLIED];
  if (present === undefined || present === '') return object;
  const text = `${sortedJson(withoutLastApplied(config))}\n`;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  const updated = { ...annotations, [LAST_APPLIED]: text };
  const fits = validateAnnotations(updated, '').every(({ type }) => type !== 'FieldValueTooLong');
  const metadata = { ...(object['metadata'] as JsonMap), annotations: fits ? updated : others };
  return { ...object, metadata };
}

function withoutLastApplied(config: JsonMap): JsonMap {
  const { [LAST_APPLIED]: present, ...annotations } = annotationsOf(config);
  return present === undefined ? config : { ...config, metadata: { ...(config['metadata'] as JsonMap), annotations } };
}

/** JSON as Go writes it: members in the order of their names, and no characters that mean something in HTML. */
function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    isMap(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
  return text.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
