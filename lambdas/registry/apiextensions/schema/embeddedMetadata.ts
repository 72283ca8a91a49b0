/** The fields of ObjectMeta as Go's JSON decoder knows them. */
const FIELDS: Readonly<Record<string, GoType>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'int64',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  deletionGracePeriodSeconds: 'int64',
  labels: 'map[string]string',
  annotations: 'map[string]string',
  ownerReferences: '[]v1.OwnerReference',
  finalizers: '[]string',
  managedFields: '[]v1.ManagedFieldsEntry',
};

const OWNER_REFERENCE: Readonly<Record<string, GoType>> = {
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'string',
  controller: 'bool',
  blockOwnerDeletion: 'bool',
};

const MANAGED_FIELDS_ENTRY: Readonly<Record<string, GoType>> = {
  manager: 'string',
  operation: 'string',
  apiVersion: 'string',
  time: 'time',
  fieldsType: 'string',
  fieldsV1: 'any',
  subresource: 'string',
};

type GoType =
  | 'string'
  | 'int64'
  | 'bool'
  | 'time'
  | 'any'
  | 'map[string]string'
  | '[]string'
  | '[]v1.OwnerReference'
  | '[]v1.ManagedFieldsEntry';

/** The metadata of an embedded resource as Go's ObjectMeta holds it: what it does not know is left out, and so is what is empty. */
export type DecodedMetadata =
  | {
      readonly status: 'decoded';
      readonly metadata: Record<string, unknown>;
      /** Paths within the metadata that were left out because ObjectMeta has no such field. */
      readonly unknown: readonly string[];
    }
  /** `error` is the sentence of Go's decoder. */
  | { readonly status: 'failed'; readonly error: string };

/** Decodes the metadata of an embedded resource. `dropMalformed`: fields of a wrong type are left out, as for objects that are stored already. Pure. */
export function decodeMetadata(value: unknown, dropMalformed: boolean): DecodedMetadata {
  if (value === null) return { status: 'decoded', metadata: {}, unknown: [] };
  if (!isObject(value))
    return { status: 'failed', error: `json: cannot unmarshal ${jsonWord(value)} into Go value of type v1.ObjectMeta` };
  const metadata: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const type = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (type === undefined) {
      unknown.push(name);
      continue;
    }
    const field = decodeField(value[name], type, name);
    if (field.error !== undefined && !dropMalformed) return { status: 'failed', error: field.error };
    if (field.error !== undefined || isEmpty(field.value)) continue;
    metadata[name] = field.value;
    unknown.push(...field.unknown);
  }
  return { status: 'decoded', metadata, unknown };
}

interface DecodedField {
  readonly value?: unknown;
  readonly error?: string;
  readonly unknown: readonly string[];
}

function decodeField(value: unknown, type: GoType, path: string): DecodedField {
  if (value === null || type === 'any') return { value, unknown: [] };
  if (type === '[]v1.OwnerReference') return decodeStructs(value, OWNER_REFERENCE, type, path);
  if (type === '[]v1.ManagedFieldsEntry') return decodeStructs(value, MANAGED_FIELDS_ENTRY, type, path);
  const mistake = mismatchOf(value, type);
  if (mistake === undefined) return { value, unknown: [] };
  if (type === 'time' && typeof value === 'string') return { error: timeError(value), unknown: [] };
  return { error: mismatch(mistake.value, path, mistake.type), unknown: [] };
}

function decodeStructs(
  value: unknown,
  fields: Readonly<Record<string, GoType>>,
  type: GoType,
  path: string,
): DecodedField {
  if (!Array.isArray(value)) return { error: mismatch(value, path, type), unknown: [] };
  const unknown: string[] = [];
  const structs: unknown[] = [];
  for (const [index, item] of value.entries()) {
    if (!isObject(item)) return { error: mismatch(item, path, type.slice(2)), unknown: [] };
    const struct: Record<string, unknown> = {};
    for (const name of Object.keys(item).sort()) {
      const fieldType = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (fieldType === undefined) {
        unknown.push(`${path}[${index}].${name}`);
        continue;
      }
      const field = decodeField(item[name], fieldType, `${path}.${name}`);
      if (field.error !== undefined) return { error: field.error, unknown: [] };
      struct[name] = field.value;
    }
    structs.push(struct);
  }
  return { value: structs, unknown };
}

/** Returns the part of a value that does not fit, and the type that was expected there. */
function mismatchOf(value: unknown, type: GoType): { readonly value: unknown; readonly type: string } | undefined {
  if (type === 'map[string]string') {
    if (!isObject(value)) return { value, type };
    const wrong = Object.values(value).find((item) => typeof item !== 'string' && item !== null);
    return wrong === undefined ? undefined : { value: wrong, type: 'string' };
  }
  if (type === '[]string') {
    if (!Array.isArray(value)) return { value, type };
    const wrong: unknown = value.find((item) => typeof item !== 'string' && item !== null);
    return wrong === undefined ? undefined : { value: wrong, type: 'string' };
  }
  return fitsScalar(value, type) ? undefined : { value, type: type === 'time' ? 'string' : type };
}

function fitsScalar(value: unknown, type: GoType): boolean {
  if (type === 'int64') return Number.isInteger(value);
  if (type === 'bool') return typeof value === 'boolean';
  if (type === 'time') return typeof value === 'string' && (value === '' || isTime(value));
  return typeof value === 'string';
}

function isTime(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}

function timeError(text: string): string {
  const shown = JSON.stringify(text);
  return `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`;
}

function mismatch(value: unknown, path: string, type: string): string {
  return `json: cannot unmarshal ${jsonWord(value)} into Go struct field ObjectMeta.${path} of type ${type}`;
}

/** The word of Go's JSON decoder for a kind of value. */
function jsonWord(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'array' : 'object';
  return typeof value;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
