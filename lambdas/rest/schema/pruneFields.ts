import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { checkScalar, jsonWord, zeroOf } from './checkScalar.ts';
import { isKind } from './kindSchema.ts';
import { fieldOf, type FieldSchema, type Schema, type Union } from './schemaOf.ts';

/** `unknown` lists the paths of fields that the schema does not know. `error` says, in Go's words, why the object cannot be decoded at all. */
export type Pruned =
  | { readonly unknown: readonly string[]; readonly error?: undefined }
  | { readonly error: string; readonly mismatch?: Mismatch; readonly unknown?: undefined };

/** A value of a wrong JSON type: the type that was found, and the Go type that was expected. `isText`: the Go type is a kind of string. */
export interface Mismatch {
  readonly word: string;
  readonly goType: string;
  readonly isText: boolean;
}

/** The number of errors after which Go's strict decoder stops collecting. */
const MAX_STRICT_ERRORS = 100;

/** The most amounts that one list of resources may hold: to parse, canonicalize and compare an amount takes longer than any other value. */
export const MAX_AMOUNTS = 1_000;

/** The most members that an object or a map may have. A larger one does not fit the processor's caches, and costs more for each member. */
export const MAX_MEMBERS = 10_000;

/** A map key is told from a field name: Go's decoder names keys only in strict errors. */
type PathStep = string | number | { readonly key: string };

interface Walk {
  /** Field names, list indexes and map keys from the root. */
  readonly path: PathStep[];
  readonly unknown: string[];
}

class DecodingError extends Error {
  readonly mismatch: Mismatch | undefined;

  constructor(message: string, mismatch?: Mismatch) {
    super(message);
    this.mismatch = mismatch;
  }
}

/**
 * Changes a decoded JSON object IN PLACE to the form that Kubernetes would decode it to. Members that are null or that the schema does not know are dropped, and so
 * are empty lists and maps; times and quantities get their canonical form, and every value's type is checked. Names are case-sensitive. Errors are worded as in
 * sigs.k8s.io/json.
 */
export function pruneFields(object: Record<string, unknown>, schema: Schema): Pruned {
  const walk: Walk = { path: [], unknown: [] };
  try {
    pruneStruct(object, schema, walk);
    return { unknown: walk.unknown };
  } catch (error) {
    if (error instanceof DecodingError)
      return { error: error.message, ...(error.mismatch && { mismatch: error.mismatch }) };
    throw error;
  }
}

function pruneStruct(struct: Record<string, unknown>, schema: Schema, walk: Walk): void {
  for (const name of membersOf(struct)) {
    const member = struct[name];
    const field = schema.fields.get(name) ?? typeMetaField(name, schema);
    if (field === undefined) noteUnknown(name, walk);
    if (field === undefined || member === null || member === undefined) {
      delete struct[name];
      continue;
    }
    walk.path.push(name);
    const pruned = pruneField(member, field, schema, walk);
    if (isOmitted(pruned, field)) delete struct[name];
    else if (pruned !== member) struct[name] = pruned;
    walk.path.pop();
  }
}

/** True for an empty list or map that Kubernetes does not write. */
function isOmitted(value: unknown, { shape, keepsEmpty }: FieldSchema): boolean {
  if (shape === 'single' || keepsEmpty) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value as object).length === 0;
}

const TYPE_META: ReadonlyMap<string, FieldSchema> = new Map(
  ['apiVersion', 'kind'].map((name) => [name, fieldOf('meta.v1', `${name}:0:string`)]),
);

function typeMetaField(name: string, schema: Schema): FieldSchema | undefined {
  const field = TYPE_META.get(name);
  return field !== undefined && isKind(schema) ? field : undefined;
}

function pruneField(value: unknown, field: FieldSchema, owner: Schema, walk: Walk): unknown {
  if (field.shape === 'single') return pruneValue(value, field, owner, walk);
  if (field.shape === 'list') {
    if (!Array.isArray(value)) throw wrongType(jsonWord(value), owner, walk, field.goType);
    value.forEach((item: unknown, index) => {
      walk.path.push(index);
      value[index] = item === null ? zero(field) : pruneValue(item, field, owner, walk);
      walk.path.pop();
    });
    return value;
  }
  if (jsonWord(value) !== 'object') throw wrongType(jsonWord(value), owner, walk, field.goType);
  const map = value as Record<string, unknown>;
  const keys = membersOf(map);
  if (field.of === 'Quantity' && keys.length > MAX_AMOUNTS) throw requestEntityTooLarge(MAX_AMOUNTS, 'amounts');
  for (const key of keys) {
    const item = map[key];
    walk.path.push({ key });
    const pruned = item === null ? zero(field) : pruneValue(item, field, owner, walk);
    walk.path.pop();
    // A plain assignment to a key named `__proto__` would set the prototype.
    if (pruned !== item)
      Object.defineProperty(map, key, { value: pruned, enumerable: true, configurable: true, writable: true });
  }
  return map;
}

function membersOf(object: object): string[] {
  const names = Object.keys(object);
  if (names.length > MAX_MEMBERS) throw requestEntityTooLarge(MAX_MEMBERS, 'members');
  return names;
}

function pruneValue(value: unknown, field: FieldSchema, owner: Schema, walk: Walk): unknown {
  if (typeof field.of !== 'string') {
    if (field.of.union !== undefined) return pruneUnion(value, field.of, field, walk);
    if (jsonWord(value) !== 'object') throw wrongType(jsonWord(value), owner, walk, elementType(field));
    pruneStruct(value as Record<string, unknown>, field.of, walk);
    return value;
  }
  const check = checkScalar(value, field.of);
  if ('value' in check) return check.value;
  if ('error' in check) throw new DecodingError(check.error);
  throw wrongType(check.unmarshal, owner, walk, check.goType ?? elementType(field), field.of === 'string');
}

/** Prunes a value that may be a struct or the union's other form. Of another type it becomes what Go's decoder makes of it: an error. */
function pruneUnion(value: unknown, { union, wireFields }: Schema, field: FieldSchema, walk: Walk): unknown {
  const struct = wireFields.find(({ name }) => name === 'schema');
  if (struct === undefined || typeof struct.of === 'string') return value;
  const { of } = struct;
  if (jsonWord(value) === 'object') {
    pruneStruct(value as Record<string, unknown>, of, walk);
    return value;
  }
  if (union === 'boolean' && typeof value === 'boolean') return value;
  if (union === 'boolean' || !Array.isArray(value)) throw new DecodingError(UNION_ERRORS[union ?? 'boolean']);
  if (union === 'structs')
    return pruneField(value, { ...field, shape: 'list', of, goType: `[]v1.${of.goName}` }, of, walk);
  return pruneField(value, { ...field, shape: 'list', of: 'string', goType: '[]string' }, of, walk);
}

/** The errors of the decoders of these types. */
const UNION_ERRORS: Readonly<Record<Union, string>> = {
  boolean: 'boolean or JSON schema expected',
  structs: 'only JSON object or array of objects are expected',
  strings: 'only JSON object or array of strings are expected',
};

/** The Go type of one value, item or member of the field. */
function elementType({ shape, goType }: FieldSchema): string {
  return shape === 'single' ? goType : goType.replace(/^(?:\[\]|map\[string\])/, '');
}

function zero(field: FieldSchema): unknown {
  return typeof field.of === 'string' ? zeroOf(field.of) : {};
}

function wrongType(word: string, owner: Schema, walk: Walk, goType: string, isText = false): DecodingError {
  const path = walk.path.filter((step) => typeof step === 'string').join('.');
  return new DecodingError(
    `json: cannot unmarshal ${word} into Go struct field ${owner.goName}.${path} of type ${goType}`,
    { word, goType, isText },
  );
}

function noteUnknown(name: string, walk: Walk): void {
  if (walk.unknown.length >= MAX_STRICT_ERRORS) return;
  walk.unknown.push(pathText([...walk.path, name]));
}

/** `spec.containers[0].image` */
export function pathText(path: readonly PathStep[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = typeof step === 'string' ? step : step.key;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
