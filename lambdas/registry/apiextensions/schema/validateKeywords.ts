import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid, notSupported, required } from '../../validation/fieldErrors.ts';
import { childPath, indexPath, keyPath } from './fieldPath.ts';
import type { JsonSchemaProps } from './JsonSchemaProps.ts';
import { validateRuleTexts } from './validateRuleTexts.ts';

/** What a node inherits from the nodes around it. */
interface Surroundings {
  /** Why defaults are forbidden here; absent: they are allowed. */
  readonly noDefaults?: string;
  /** True within apiVersion, kind or metadata of the object or of an embedded resource. */
  readonly isInsideMeta?: boolean;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = new Set(['metadata', 'kind', 'apiVersion']);

/**
 * Returns the errors of the keywords of a schema and of all schemas in it: keywords that are not supported, and combinations that contradict each other.
 * Follows apiextensions-apiserver's `ValidateCustomResourceDefinitionOpenAPISchema`, without CEL. Pure.
 */
export function validateKeywords(schema: JsonSchemaProps, path: string): FieldError[] {
  return validateNode(schema, path, {}, true);
}

function validateNode(schema: JsonSchemaProps, path: string, around: Surroundings, isRoot: boolean): FieldError[] {
  const child = (one: JsonSchemaProps, at: string, inherited = around) => validateNode(one, at, inherited, false);
  const all = (keyword: 'allOf' | 'oneOf' | 'anyOf') =>
    (schema[keyword] ?? []).flatMap((one, index) => child(one, indexPath(childPath(path, keyword), index)));
  const named = (keyword: 'properties' | 'definitions', inherited: (name: string) => Surroundings) =>
    [...(schema[keyword] ?? [])].flatMap(([name, one]) =>
      child(one, keyPath(childPath(path, keyword), name), inherited(name)),
    );
  return [
    ...checkSupport(schema, path, around),
    ...(schema.uniqueItems
      ? [
          forbidden(
            childPath(path, 'uniqueItems'),
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...checkAdditionalProperties(schema, path),
    ...(typeof schema.additionalProperties === 'object'
      ? child(schema.additionalProperties, childPath(path, 'additionalProperties'), insideValues(around))
      : []),
    ...named('properties', (name) => insideProperty(name, schema, around, isRoot)),
    ...(schema.not === undefined ? [] : child(schema.not, childPath(path, 'not'))),
    ...all('allOf'),
    ...all('oneOf'),
    ...all('anyOf'),
    ...named('definitions', () => around),
    ...(schema.items === undefined ? [] : child(schema.items, childPath(path, 'items'))),
    ...(schema.itemList ?? []).flatMap((one, index) => child(one, indexPath(childPath(path, 'items'), index))),
    ...(schema.preserveUnknownFields === false
      ? [invalid(childPath(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined')]
      : []),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...(schema.listType === 'map' ? checkListMap(schema, path) : []),
    ...checkListItems(schema, path),
    ...validateRuleTexts(schema, path),
  ];
}

function insideValues(around: Surroundings): Surroundings {
  return around.isInsideMeta
    ? { ...around, noDefaults: 'inside additionalProperties applying to object metadata' }
    : around;
}

function insideProperty(name: string, schema: JsonSchemaProps, around: Surroundings, isRoot: boolean): Surroundings {
  if (!(isRoot || schema.embeddedResource) || !META_FIELDS.has(name)) return around;
  return { ...around, isInsideMeta: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
}

const UNSUPPORTED: readonly (readonly [keyword: string, detail: string])[] = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
];

function checkSupport(schema: JsonSchemaProps, path: string, around: Surroundings): FieldError[] {
  const { type } = schema;
  const isSet = (keyword: string) =>
    keyword === 'definitions' ? schema.definitions !== undefined : schema.otherKeywords.has(keyword);
  return [
    ...(type !== undefined && !TYPES.includes(type) ? [notSupported(childPath(path, 'type'), type, TYPES)] : []),
    ...(schema.default !== undefined && around.noDefaults !== undefined
      ? [forbidden(childPath(path, 'default'), `must not be set ${around.noDefaults}`)]
      : []),
    ...UNSUPPORTED.filter(([keyword]) => isSet(keyword)).map(([keyword, detail]) =>
      forbidden(childPath(path, keyword), detail),
    ),
    ...(type === 'null'
      ? [forbidden(childPath(path, 'type'), 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(schema.itemList !== undefined && schema.itemList.length > 0
      ? [forbidden(childPath(path, 'items'), 'items must be a schema object and not an array')]
      : []),
    ...(around.isInsideMeta && schema.embeddedResource
      ? [forbidden(childPath(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta')]
      : []),
  ];
}

function checkAdditionalProperties({ properties, additionalProperties }: JsonSchemaProps, path: string): FieldError[] {
  if (properties === undefined || additionalProperties === undefined || additionalProperties === true) return [];
  const detail = 'additionalProperties and properties are mutual exclusive';
  return [forbidden(childPath(path, 'additionalProperties'), detail)];
}

function checkMapType({ mapType, type }: JsonSchemaProps, path: string): FieldError[] {
  if (mapType === undefined) return [];
  return [
    ...(type === 'object' ? [] : [wrongType(type, 'object', 'x-kubernetes-map-type', path)]),
    ...(mapType === 'atomic' || mapType === 'granular'
      ? []
      : [notSupported(childPath(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular'])]),
  ];
}

function wrongType(type: string | undefined, expected: string, keyword: string, path: string): FieldError {
  const detail = `must be ${expected} if ${keyword} is specified`;
  const field = childPath(path, 'type');
  return type === undefined ? required(field, detail) : invalid(field, type, detail);
}

function checkListType({ listType, type, items, listMapKeys }: JsonSchemaProps, path: string): FieldError[] {
  const field = childPath(path, 'x-kubernetes-list-type');
  const needsMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return [
    ...(listType !== undefined && type !== 'array' ? [wrongType(type, 'array', 'x-kubernetes-list-type', path)] : []),
    ...(listType === 'set' && type === 'array' && items !== undefined
      ? checkSetItems(items, childPath(path, 'items'))
      : []),
    ...(listType !== undefined && !['atomic', 'set', 'map'].includes(listType)
      ? [notSupported(field, listType, ['atomic', 'set', 'map'])]
      : []),
    ...(listMapKeys !== undefined && listType === undefined ? [required(field, needsMap)] : []),
    ...(listMapKeys !== undefined && listType !== undefined && listType !== 'map'
      ? [invalid(field, listType, needsMap)]
      : []),
  ];
}

function checkSetItems({ type, listType, mapType }: JsonSchemaProps, path: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(childPath(path, 'x-kubernetes-list-type'), listType, detail)];
  // Upstream shows the list type of the items here, not their map type.
  if (type === 'object' && mapType !== 'atomic')
    return [invalid(childPath(path, 'x-kubernetes-map-type'), listType, detail)];
  return [];
}

function checkListMap(schema: JsonSchemaProps, path: string): FieldError[] {
  const { items, itemList, listMapKeys = [] } = schema;
  const itemsPath = childPath(path, 'items');
  const keysPath = childPath(path, 'x-kubernetes-list-map-keys');
  return [
    ...(listMapKeys.length === 0 ? [required(keysPath, 'must not be empty if x-kubernetes-list-type is map')] : []),
    ...(items === undefined && itemList === undefined
      ? [required(itemsPath, 'must have a schema if x-kubernetes-list-type is map')]
      : []),
    ...(itemList === undefined
      ? []
      : [invalid(itemsPath, '', 'must only have a single schema if x-kubernetes-list-type is map')]),
    ...(items !== undefined && items.type !== 'object'
      ? [
          invalid(
            childPath(itemsPath, 'type'),
            items.type ?? '',
            "must be object if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(items?.type === 'object' ? listMapKeys.flatMap((key, index) => checkKey(key, index, schema, items, path)) : []),
  ];
}

function checkKey(
  key: string,
  index: number,
  schema: JsonSchemaProps,
  items: JsonSchemaProps,
  path: string,
): FieldError[] {
  const { listMapKeys = [] } = schema;
  const keysPath = childPath(path, 'x-kubernetes-list-map-keys');
  const property = items.properties?.get(key);
  const typePath = `${keyPath(childPath(path, 'items.properties'), key)}.type`;
  return [
    ...(property === undefined ? [invalid(keysPath, listMapKeys, 'entries must all be names of item properties')] : []),
    ...(property?.type === 'array' || property?.type === 'object'
      ? [invalid(typePath, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map")]
      : []),
    ...(listMapKeys.indexOf(key) < index ? [invalid(keysPath, listMapKeys, 'must not contain duplicate entries')] : []),
  ];
}

/** The items of sets and maps may not be null, and the keys of a map must have a value. */
function checkListItems({ listType, items, listMapKeys = [] }: JsonSchemaProps, path: string): FieldError[] {
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const property = (key: string) => keyPath(childPath(path, 'items.properties'), key);
  return [
    ...(items.nullable
      ? [forbidden(childPath(path, 'items.nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : []),
    ...(listType === 'map' ? listMapKeys : []).flatMap((key) => {
      const schema = items.properties?.get(key);
      if (schema === undefined) return [];
      const isSet = items.required?.includes(key) || schema.default !== undefined;
      const why = 'this property is in x-kubernetes-list-map-keys, so it';
      return [
        ...(isSet
          ? []
          : [required(`${property(key)}.default`, `${why} must have a default or be a required property`)]),
        ...(schema.nullable ? [forbidden(`${property(key)}.nullable`, `${why} cannot be nullable`)] : []),
      ];
    }),
  ];
}
