import { type FieldError, fieldErrorMessage } from '../../../objects/FieldError.ts';
import { forbidden, invalid, required } from '../../validation/fieldErrors.ts';
import { compilePattern, PatternError } from '../values/patterns.ts';
import { childPath, indexPath, keyPath } from './fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from './JsonSchemaProps.ts';

type Level = 'root' | 'item' | 'field';

/**
 * Returns why a schema is not structural, sorted by message. Kubernetes refuses such schemas in v1, and reports them for old definitions in the condition
 * NonStructuralSchema. Follows apiextensions-apiserver's `schema.ValidateStructural`. Pure.
 */
export function validateStructural(schema: JsonSchemaProps, path: string): FieldError[] {
  const errors = [...checkInvariants(schema, 'root', path), ...checkCompleteness(schema, schema, path, path)];
  const byMessage = errors.map((error) => ({ error, message: fieldErrorMessage(error) }));
  return byMessage
    .sort((a, b) => (a.message < b.message ? -1 : Number(a.message > b.message)))
    .map(({ error }) => error);
}

function checkInvariants(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const values = valuesSchema(schema);
  return [
    ...(schema.type === 'array' && schema.items === undefined
      ? [required(childPath(path, 'items'), 'must be specified')]
      : []),
    ...(schema.items === undefined ? [] : checkInvariants(schema.items, 'item', childPath(path, 'items'))),
    ...[...(schema.properties ?? [])].flatMap(([name, property]) =>
      checkInvariants(property, 'field', keyPath(childPath(path, 'properties'), name)),
    ),
    ...(schema.additionalProperties !== undefined && level === 'root'
      ? [forbidden(childPath(path, 'additionalProperties'), 'must not be used at the root')]
      : []),
    ...(values === undefined ? [] : checkInvariants(values, 'field', childPath(path, 'additionalProperties'))),
    ...checkExtensions(schema, path),
    ...checkNestedLists(schema, path),
    ...checkType(schema, level, path),
    ...checkMeta(schema, level, path),
  ];
}

function checkExtensions(schema: JsonSchemaProps, path: string): FieldError[] {
  const reason = 'must be false if x-kubernetes-int-or-string is true';
  if (!schema.intOrString) return [];
  return [
    ...(schema.preserveUnknownFields
      ? [invalid(childPath(path, 'x-kubernetes-preserve-unknown-fields'), true, reason)]
      : []),
    ...(schema.embeddedResource ? [invalid(childPath(path, 'x-kubernetes-embedded-resource'), true, reason)] : []),
  ];
}

function checkType(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const { type, embeddedResource } = schema;
  const field = childPath(path, 'type');
  return [
    ...(embeddedResource && type !== 'object' ? [wrongEmbeddedType(type, field)] : []),
    ...(!embeddedResource && type === undefined && !schema.intOrString && !schema.preserveUnknownFields
      ? [required(field, MISSING_TYPE[level])]
      : []),
    ...(embeddedResource && schema.additionalProperties !== undefined
      ? [
          forbidden(
            childPath(path, 'additionalProperties'),
            'must not be used if x-kubernetes-embedded-resource is set',
          ),
        ]
      : []),
    ...(level === 'root' && type !== undefined && type !== 'object'
      ? [invalid(field, type, 'must be object at the root')]
      : []),
  ];
}

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function wrongEmbeddedType(type: string | undefined, field: string): FieldError {
  const reason = 'must be object if x-kubernetes-embedded-resource is true';
  return type === undefined ? required(field, reason) : invalid(field, type, reason);
}

/** The rules of apiVersion, kind and metadata at the root and in embedded resources. */
function checkMeta(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const isObject = level === 'root' || schema.embeddedResource === true;
  const propertyPath = (name: string) => keyPath(childPath(path, 'properties'), name);
  const metadata = schema.properties?.get('metadata');
  return [
    ...['kind', 'apiVersion'].flatMap((name) => {
      const property = schema.properties?.get(name);
      if (!isObject || property === undefined || property.type === 'string') return [];
      return [invalid(`${propertyPath(name)}.type`, property.type ?? '', 'must be string')];
    }),
    ...(metadata !== undefined && isObject && metadata.type !== 'object'
      ? [invalid(`${propertyPath('metadata')}.type`, metadata.type ?? '', 'must be object')]
      : []),
    ...(metadata !== undefined && level === 'root' && !restrictsNamesOnly(metadata)
      ? [
          forbidden(
            propertyPath('metadata'),
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : []),
    ...(schema.embeddedResource && !schema.preserveUnknownFields && schema.properties === undefined
      ? [
          required(
            childPath(path, 'properties'),
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ];
}

function restrictsNamesOnly(metadata: JsonSchemaProps): boolean {
  const names = [...(metadata.properties?.keys() ?? [])];
  const keywords = Object.keys(metadata).filter((keyword) => !ALLOWED_IN_METADATA.has(keyword));
  return (
    names.every((name) => name === 'name' || name === 'generateName') &&
    metadata.otherKeywords.size === 0 &&
    keywords.length === 0
  );
}

/** The default is judged elsewhere. */
const ALLOWED_IN_METADATA = new Set(['type', 'default', 'properties', 'otherKeywords']);

/** The schemas under anyOf, allOf, oneOf and not may restrict values only, and must not say anything of the structure. */
function checkNestedLists(schema: JsonSchemaProps, path: string): FieldError[] {
  const nested = (keyword: string, schemas: readonly JsonSchemaProps[] | undefined, skipped: boolean) =>
    skipped
      ? []
      : (schemas ?? []).flatMap((one, index) => checkNested(one, indexPath(childPath(path, keyword), index)));
  const isShort = isIntOrStringPattern(schema.anyOf);
  const isLong = isIntOrStringPattern(schema.allOf?.[0]?.anyOf);
  return [
    ...nested('anyOf', schema.anyOf, isShort),
    ...(schema.allOf ?? []).flatMap((one, index) =>
      checkNested(one, indexPath(childPath(path, 'allOf'), index), isLong && index === 0),
    ),
    ...nested('oneOf', schema.oneOf, false),
    ...(schema.not === undefined ? [] : checkNested(schema.not, childPath(path, 'not'))),
    ...checkPattern(schema.pattern, path),
  ];
}

/** `x-kubernetes-int-or-string` is often spelled out, too: any of integer and string, in this order. */
function isIntOrStringPattern(schemas: readonly JsonSchemaProps[] | undefined): boolean {
  const isOnlyType = (schema: JsonSchemaProps | undefined, type: string) =>
    schema?.type === type && schema.otherKeywords.size === 0 && Object.keys(schema).length === 2;
  return schemas?.length === 2 && isOnlyType(schemas[0], 'integer') && isOnlyType(schemas[1], 'string');
}

function checkPattern(pattern: string | undefined, path: string): FieldError[] {
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  if (!(compiled instanceof PatternError)) return [];
  return [
    invalid(childPath(path, 'pattern'), pattern, `must be a valid regular expression, but isn't: ${compiled.message}`),
  ];
}

function checkNested(schema: JsonSchemaProps, path: string, skipsAnyOf = false): FieldError[] {
  const { anyOf: _, ...withoutAnyOf } = schema;
  return [
    ...checkNestedLists(skipsAnyOf ? withoutAnyOf : schema, path),
    ...(schema.items === undefined ? [] : checkNested(schema.items, childPath(path, 'items'))),
    ...[...(schema.properties ?? [])].flatMap(([name, property]) =>
      checkNested(property, keyPath(childPath(path, 'properties'), name)),
    ),
    ...FORBIDDEN_IN_NESTED.filter((one) => one.isSet(schema)).map(({ keyword, detail }) =>
      forbidden(childPath(path, keyword), `must be ${detail} to be structural`),
    ),
    ...(schema.properties?.has('metadata')
      ? [forbidden(keyPath(childPath(path, 'properties'), 'metadata'), 'must not be specified in a nested context')]
      : []),
  ];
}

interface ForbiddenKeyword {
  readonly keyword: string;
  readonly detail: 'empty' | 'undefined' | 'false';
  isSet(schema: JsonSchemaProps): boolean;
}

const FORBIDDEN_IN_NESTED: readonly ForbiddenKeyword[] = [
  { keyword: 'type', detail: 'empty', isSet: ({ type }) => type !== undefined },
  {
    keyword: 'additionalProperties',
    detail: 'undefined',
    isSet: ({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== false,
  },
  { keyword: 'default', detail: 'undefined', isSet: (schema) => schema.default !== undefined },
  { keyword: 'title', detail: 'empty', isSet: ({ title }) => title !== undefined },
  { keyword: 'description', detail: 'empty', isSet: ({ description }) => description !== undefined },
  { keyword: 'nullable', detail: 'false', isSet: ({ nullable }) => nullable === true },
  {
    keyword: 'x-kubernetes-preserve-unknown-fields',
    detail: 'false',
    isSet: ({ preserveUnknownFields }) => preserveUnknownFields === true,
  },
  {
    keyword: 'x-kubernetes-embedded-resource',
    detail: 'false',
    isSet: ({ embeddedResource }) => embeddedResource === true,
  },
  { keyword: 'x-kubernetes-int-or-string', detail: 'false', isSet: ({ intOrString }) => intOrString === true },
  { keyword: 'x-kubernetes-list-map-keys', detail: 'empty', isSet: ({ listMapKeys }) => listMapKeys !== undefined },
  { keyword: 'x-kubernetes-list-type', detail: 'undefined', isSet: ({ listType }) => listType !== undefined },
  { keyword: 'x-kubernetes-map-type', detail: 'undefined', isSet: ({ mapType }) => mapType !== undefined },
  { keyword: 'x-kubernetes-validations', detail: 'empty', isSet: ({ validations }) => validations !== undefined },
];

/** What restricts a field must not be the only place that specifies it. Upstream looks at the root's own lists only. */
function checkCompleteness(
  restriction: JsonSchemaProps,
  structure: JsonSchemaProps,
  path: string,
  from: string,
): FieldError[] {
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (restriction[keyword] ?? []).map((nested, index) => ({ nested, from: indexPath(childPath(from, keyword), index) })),
  );
  const all =
    restriction.not === undefined ? lists : [{ nested: restriction.not, from: childPath(from, 'not') }, ...lists];
  return all.flatMap((one) => checkNestedCompleteness(one.nested, structure, path, one.from));
}

function checkNestedCompleteness(
  nested: JsonSchemaProps,
  structure: JsonSchemaProps | undefined,
  path: string,
  from: string,
): FieldError[] {
  if (structure === undefined) return [required(path, `because it is defined in ${from}`)];
  return [
    ...checkCompleteness(nested, structure, path, from),
    ...(nested.items === undefined
      ? []
      : checkNestedCompleteness(nested.items, structure.items, childPath(path, 'items'), childPath(from, 'items'))),
    ...[...(nested.properties ?? [])].flatMap(([name, property]) => {
      const at = (base: string) => keyPath(childPath(base, 'properties'), name);
      return checkNestedCompleteness(property, structure.properties?.get(name), at(path), at(from));
    }),
  ];
}
