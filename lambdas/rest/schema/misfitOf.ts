import { parseQuantity } from '../../objects/quantities/quantity.ts';
import { endlessOwner } from './endlessOwner.ts';
import { kindSchema } from './kindSchema.ts';
import type { Scalar } from './parseField.ts';
import { fieldOf, type FieldSchema, type Schema } from './schemaOf.ts';

/**
 * Returns why a stored object does not have the shape of its kind, such as `spec.replicas is not of type int32`; `undefined` if it has. This is what Kubernetes checks when it decodes what is stored: types, and no rules apart from the one that
 * `endlessOwner` tells. All code behind the store relies on it. Unknown fields are left to whoever knows them. Of a kind without a schema, such as a custom resource, only the metadata are looked at. Pure.
 */
export function misfitOf(object: unknown): string | undefined {
  if (!isStruct(object)) return 'it is no object';
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string') return 'apiVersion is not of type string';
  if (typeof kind !== 'string') return 'kind is not of type string';
  if (!isStruct(metadata)) return 'metadata is not of type ObjectMeta';
  const missing = IDENTITY.find((name) => typeof metadata[name] !== 'string');
  if (missing !== undefined) return `metadata.${missing} is not of type string`;
  const misfit = misfitIn(kindSchema(apiVersion, kind) ?? METADATA_ONLY, object);
  return misfit ? `${misfit.path.reverse().join('.')} ${misfit.is}` : endlessOwner(object);
}

type Shape = Pick<Schema, 'name' | 'fields' | 'union' | 'required'>;
type Struct = Readonly<Record<string, unknown>>;

interface Misfit {
  /** The names of the fields, the innermost first. */
  readonly path: string[];
  /** `is not of type int32`, `is missing` */
  readonly is: string;
}

function wrongType(type: string): Misfit {
  return { path: [], is: `is not of type ${type}` };
}

/** Without these an object cannot be addressed. */
const IDENTITY = ['name', 'uid', 'resourceVersion'];

const METADATA_ONLY: Shape = {
  name: '',
  union: undefined,
  required: [],
  get fields() {
    return new Map([['metadata', fieldOf('meta.v1', 'metadata:1:ObjectMeta')]]);
  },
};

function isStruct(value: unknown): value is Struct {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function misfitIn({ name: type, fields, union, required }: Shape, value: unknown): Misfit | undefined {
  if (!isStruct(value)) return union && fitsUnion(union, value) ? undefined : wrongType('object');
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    const misfit = field && value[name] !== undefined ? misfitOfField(field, value[name]) : undefined;
    if (misfit) return { ...misfit, path: [...misfit.path, name] };
  }
  const missing = required.find((name) => !hasField(value, name)) ?? missingInParts(type, value);
  return missing === undefined ? undefined : { path: [missing], is: 'is missing' };
}

function hasField(value: Struct, name: string): boolean {
  return value[name] !== undefined && value[name] !== null;
}

/** A Job's spec always has a selector, while that of a CronJob's template has none. */
function missingInParts(type: string, { spec }: Struct): string | undefined {
  if (type !== 'batch.v1.Job') return undefined;
  return isStruct(spec) && hasField(spec, 'selector') ? undefined : 'spec.selector';
}

/** What JSON may have in place of the struct. The items of a list of structs are looked at by nobody but the validation of schemas. */
function fitsUnion(union: NonNullable<Schema['union']>, value: unknown): boolean {
  return union === 'boolean' ? typeof value === 'boolean' : Array.isArray(value);
}

function misfitOfField({ shape, of, goType, keepsEmpty }: FieldSchema, value: unknown): Misfit | undefined {
  // Go writes a list that it never leaves out, and that has no items, as null.
  if (value === null && keepsEmpty) return undefined;
  if (shape === 'single') return misfitOfValue(of, value);
  if (shape === 'list' && !Array.isArray(value)) return wrongType(goType);
  if (shape === 'map' && !isStruct(value)) return wrongType(goType);
  for (const item of Object.values(value as object)) {
    const misfit = misfitOfValue(of, item);
    if (misfit) return misfit;
  }
  return undefined;
}

function misfitOfValue(of: FieldSchema['of'], value: unknown): Misfit | undefined {
  if (typeof of !== 'string') return misfitIn(of, value);
  return FITS[of](value) ? undefined : wrongType(of);
}

const isString = (value: unknown): value is string => typeof value === 'string';
/** `null` is how Go writes that there is no time. */
const isTime = (value: unknown) => value === null || (isString(value) && !Number.isNaN(Date.parse(value)));

const FITS: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  string: isString,
  bool: (value) => typeof value === 'boolean',
  int32: Number.isInteger,
  int64: Number.isInteger,
  float64: (value) => typeof value === 'number',
  bytes: isString,
  Time: isTime,
  MicroTime: isTime,
  Quantity: (value) => parseQuantity(value) !== undefined,
  IntOrString: (value) => isString(value) || Number.isInteger(value),
  RawExtension: () => true,
  FieldsV1: isStruct,
  ExtraValue: (value) => Array.isArray(value) && value.every(isString),
};
