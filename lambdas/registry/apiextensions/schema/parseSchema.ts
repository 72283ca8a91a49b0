import type { JsonSchemaProps, ValidationRule } from './JsonSchemaProps.ts';

const OTHER_KEYWORDS = [
  'id',
  '$schema',
  '$ref',
  'additionalItems',
  'patternProperties',
  'dependencies',
  'externalDocs',
  'example',
];

/**
 * Parses the JSON of an `openAPIV3Schema`. Members of a wrong type, which the decoder of requests refuses anyway, are left out; so are zero values, which
 * Kubernetes drops. Never throws.
 */
export function parseSchema(value: unknown): JsonSchemaProps {
  const json = membersOf(value);
  return defined({
    type: textIn(json, 'type'),
    format: textIn(json, 'format'),
    title: textIn(json, 'title'),
    description: textIn(json, 'description'),
    nullable: trueIn(json, 'nullable'),
    default: json['default'] ?? undefined,
    enum: listIn(json, 'enum'),
    required: textsIn(json, 'required'),
    ...parseBounds(json),
    ...parseNested(json),
    ...parseExtensions(json),
    otherKeywords: otherKeywordsOf(json),
  });
}

const NONE: ReadonlySet<string> = new Set();

function otherKeywordsOf(json: Members): ReadonlySet<string> {
  const found = OTHER_KEYWORDS.filter((keyword) => !isEmpty(json[keyword]));
  return found.length === 0 ? NONE : new Set(found);
}

function parseBounds(json: Members) {
  return {
    maximum: numberIn(json, 'maximum'),
    exclusiveMaximum: trueIn(json, 'exclusiveMaximum'),
    minimum: numberIn(json, 'minimum'),
    exclusiveMinimum: trueIn(json, 'exclusiveMinimum'),
    multipleOf: numberIn(json, 'multipleOf'),
    maxLength: numberIn(json, 'maxLength'),
    minLength: numberIn(json, 'minLength'),
    pattern: textIn(json, 'pattern'),
    maxItems: numberIn(json, 'maxItems'),
    minItems: numberIn(json, 'minItems'),
    uniqueItems: trueIn(json, 'uniqueItems'),
    maxProperties: numberIn(json, 'maxProperties'),
    minProperties: numberIn(json, 'minProperties'),
  };
}

function parseNested(json: Members) {
  const { items, additionalProperties, not } = json;
  return {
    items: isObject(items) ? parseSchema(items) : undefined,
    itemList: Array.isArray(items) ? items.map(parseSchema) : undefined,
    properties: parseSchemas(json['properties']),
    additionalProperties: isObject(additionalProperties)
      ? parseSchema(additionalProperties)
      : flag(additionalProperties),
    allOf: listIn(json, 'allOf')?.map(parseSchema),
    anyOf: listIn(json, 'anyOf')?.map(parseSchema),
    oneOf: listIn(json, 'oneOf')?.map(parseSchema),
    not: isObject(not) ? parseSchema(not) : undefined,
    definitions: parseSchemas(json['definitions']),
  };
}

function parseExtensions(json: Members) {
  return {
    preserveUnknownFields: flag(json['x-kubernetes-preserve-unknown-fields']),
    embeddedResource: trueIn(json, 'x-kubernetes-embedded-resource'),
    intOrString: trueIn(json, 'x-kubernetes-int-or-string'),
    listType: typeof json['x-kubernetes-list-type'] === 'string' ? json['x-kubernetes-list-type'] : undefined,
    listMapKeys: textsIn(json, 'x-kubernetes-list-map-keys'),
    mapType: typeof json['x-kubernetes-map-type'] === 'string' ? json['x-kubernetes-map-type'] : undefined,
    validations: listIn(json, 'x-kubernetes-validations')?.map(parseRule),
  };
}

function parseRule(value: unknown): ValidationRule {
  const json = membersOf(value);
  return defined({
    rule: textIn(json, 'rule') ?? '',
    message: textIn(json, 'message') ?? '',
    messageExpression: textIn(json, 'messageExpression') ?? '',
    reason: typeof json['reason'] === 'string' ? json['reason'] : undefined,
    fieldPath: textIn(json, 'fieldPath') ?? '',
    optionalOldSelf: flag(json['optionalOldSelf']),
  });
}

function parseSchemas(value: unknown): ReadonlyMap<string, JsonSchemaProps> | undefined {
  const json = membersOf(value);
  const names = Object.keys(json).sort();
  return names.length === 0 ? undefined : new Map(names.map((name) => [name, parseSchema(json[name])]));
}

type Members = Readonly<Record<string, unknown>>;

/** The same object, in whose type a member that may be `undefined` may be absent too. `defined` below makes it true. */
type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A large definition has thousands of schemas of forty members, so this makes no lists of them. */
function defined<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name];
  return kept as Defined<T>;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function trueIn(json: Members, name: string): true | undefined {
  return json[name] === true ? true : undefined;
}

function textIn(json: Members, name: string): string | undefined {
  const value = json[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberIn(json: Members, name: string): number | undefined {
  const value = json[name];
  return typeof value === 'number' ? value : undefined;
}

function listIn(json: Members, name: string): readonly unknown[] | undefined {
  const value = json[name];
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function textsIn(json: Members, name: string): readonly string[] | undefined {
  return listIn(json, name)?.map((item) => (typeof item === 'string' ? item : ''));
}
