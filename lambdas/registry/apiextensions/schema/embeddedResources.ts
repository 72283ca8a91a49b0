import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1035Label } from '../../../objects/nameFormats.ts';
import { validateFinalizers, validateOwnerReferences } from '../../validation/metadataFields.ts';
import { invalid, invalidEach, required } from '../../validation/fieldErrors.ts';
import { validateAnnotations, validateLabels } from '../../validation/validateLabels.ts';
import { decodeMetadata } from './embeddedMetadata.ts';
import { childPath, indexPath, keyPath } from './fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from './JsonSchemaProps.ts';

export type Coercion =
  /** `removed`: the paths of unknown fields of metadata, which were removed. */
  | { readonly status: 'coerced'; readonly removed: readonly string[] }
  | { readonly status: 'refused'; readonly error: FieldError };

/**
 * Changes the value: reads apiVersion, kind and metadata of embedded resources as Go's types, which drops what they do not know. A wrong type refuses the
 * value, or, with `dropMalformed`, is dropped. The root is not looked at. Follows upstream's `objectmeta.Coerce`.
 */
export function coerceEmbedded(value: unknown, schema: JsonSchemaProps, dropMalformed = false): Coercion {
  const removed: string[] = [];
  const error = coerce(value, schema, '', { dropMalformed, removed });
  return error === undefined ? { status: 'coerced', removed: removed.sort() } : { status: 'refused', error };
}

interface Coercing {
  readonly dropMalformed: boolean;
  readonly removed: string[];
}

function coerce(
  value: unknown,
  schema: JsonSchemaProps | undefined,
  path: string,
  coercing: Coercing,
): FieldError | undefined {
  if (schema === undefined || typeof value !== 'object' || value === null) return undefined;
  if (schema.embeddedResource && !Array.isArray(value)) {
    const error = coerceMeta(value as Record<string, unknown>, path, coercing);
    if (error !== undefined) return error;
  }
  for (const child of childrenOf(value, schema, path)) {
    const error = coerce(child.value, child.schema, child.path, coercing);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceMeta(object: Record<string, unknown>, path: string, coercing: Coercing): FieldError | undefined {
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(object, name) || typeof object[name] === 'string') continue;
    if (!coercing.dropMalformed) return invalid(childPath(path, name), object[name], 'must be a string');
    delete object[name];
  }
  if (!Object.hasOwn(object, 'metadata')) return undefined;
  const field = childPath(path, 'metadata');
  const decoded = decodeMetadata(object['metadata'], coercing.dropMalformed);
  if (decoded.status === 'failed')
    return coercing.dropMalformed ? undefined : invalid(field, object['metadata'], decoded.error);
  object['metadata'] = decoded.metadata;
  coercing.removed.push(...decoded.unknown.map((name) => childPath(field, name)));
  return undefined;
}

/** Returns the errors of embedded resources. With `isRoot` the value itself is one. Follows upstream's `objectmeta.Validate`. Pure. */
export function validateEmbedded(
  value: unknown,
  schema: JsonSchemaProps | undefined,
  path: string,
  isRoot = false,
): FieldError[] {
  if (schema === undefined || typeof value !== 'object' || value === null) return [];
  const isResource = (schema.embeddedResource || isRoot) && !Array.isArray(value);
  return [
    ...(isResource ? validateResource(value as Readonly<Record<string, unknown>>, path) : []),
    ...childrenOf(value, schema, path).flatMap((child) => validateEmbedded(child.value, child.schema, child.path)),
  ];
}

interface Child {
  readonly value: unknown;
  readonly schema: JsonSchemaProps | undefined;
  readonly path: string;
}

function childrenOf(value: object, schema: JsonSchemaProps, path: string): Child[] {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ value: item, schema: schema.items, path: indexPath(path, index) }));
  const object = value as Readonly<Record<string, unknown>>;
  return Object.keys(object)
    .sort()
    .map((name) => {
      const property = schema.properties?.get(name);
      return property === undefined
        ? { value: object[name], schema: valuesSchema(schema), path: keyPath(path, name) }
        : { value: object[name], schema: property, path: childPath(path, name) };
    });
}

function validateResource(object: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  return [
    ...['apiVersion', 'kind']
      .filter((name) => !Object.hasOwn(object, name))
      .map((name) => required(childPath(path, name))),
    ...validateApiVersion(object['apiVersion'], childPath(path, 'apiVersion')),
    ...validateKind(object['kind'], childPath(path, 'kind')),
    ...(Object.hasOwn(object, 'metadata') ? validateMeta(object['metadata'], childPath(path, 'metadata')) : []),
  ];
}

function validateApiVersion(value: unknown, path: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function validateKind(value: unknown, path: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  const errors = isDns1035Label(value.toLowerCase());
  if (errors.length === 0) return [];
  return [invalid(path, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

function validateMeta(value: unknown, path: string): FieldError[] {
  const decoded = decodeMetadata(value, false);
  if (decoded.status === 'failed') return [invalid(path, value, decoded.error)];
  const { name, generateName, labels, annotations, ownerReferences, finalizers } = decoded.metadata;
  return [
    ...(typeof generateName === 'string'
      ? invalidEach(`${path}.generateName`, generateName, slashErrors(generateName))
      : []),
    ...(typeof name === 'string' ? invalidEach(`${path}.name`, name, pathSegmentErrors(name)) : []),
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validateOwnerReferences(Array.isArray(ownerReferences) ? ownerReferences : [], `${path}.ownerReferences`),
    ...validateFinalizers(Array.isArray(finalizers) ? finalizers : [], `${path}.finalizers`),
  ];
}

/** The names of embedded resources need only be usable in a path: upstream does not know their kinds' own rules. */
function pathSegmentErrors(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return slashErrors(name);
}

function slashErrors(name: string): string[] {
  return ['/', '%']
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}
