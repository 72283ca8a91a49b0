import { emptyLists } from './emptyLists.ts';
import { goTypeNames } from './goTypeNames.ts';
import { atomicMaps, listTypes } from './listTypes.ts';
import { mergeStrategies } from './mergeStrategies.ts';
import { accessTypes } from './types/accessTypes.ts';
import { admissionTypes } from './types/admissionTypes.ts';
import { apiextensionsTypes } from './types/apiextensionsTypes.ts';
import { appsTypes } from './types/appsTypes.ts';
import { autoscalingTypes } from './types/autoscalingTypes.ts';
import { batchTypes } from './types/batchTypes.ts';
import { clusterTypes } from './types/clusterTypes.ts';
import { coreTypes } from './types/coreTypes.ts';
import { metaTypes } from './types/metaTypes.ts';
import { networkTypes } from './types/networkTypes.ts';
import { persistentVolumeTypes } from './types/persistentVolumeTypes.ts';
import { podTypes } from './types/podTypes.ts';
import { resourceTypes } from './types/resourceTypes.ts';
import { smallGroupTypes } from './types/smallGroupTypes.ts';
import { storageTypes } from './types/storageTypes.ts';
import { volumeTypes } from './types/volumeTypes.ts';
import { zeroFields } from './zeroFields.ts';

const SCALARS = [
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'RawExtension',
  'FieldsV1',
  'ExtraValue',
] as const;
/** Types other than structs. In JSON, `bytes` is base64, `RawExtension` and `FieldsV1` are any value, and `ExtraValue` is a list of strings. */
export type Scalar = (typeof SCALARS)[number];

export interface FieldSchema {
  readonly name: string;
  /** The field's number in Kubernetes' protobuf. */
  readonly number: number;
  readonly shape: 'single' | 'list' | 'map';
  /** The type of the single value, of each item, or of each value of the map (whose keys are strings). */
  readonly of: Scalar | Schema;
  /** True if JSON writes this struct's fields directly into its parent. Protobuf nests them. */
  readonly inlined: boolean;
  /** The Go type as reflection prints it in decoding errors: `[]v1.Container`. */
  readonly goType: string;
  /** `merge`, `retainKeys`; see mergeStrategies.ts. */
  readonly patchStrategies: readonly string[];
  readonly mergeKey: string | undefined;
  /** True if zero, false or the empty string differs from absence; see zeroFields.ts. */
  readonly keepsZero: boolean;
  /** True for a list that is written even if it is empty; see emptyLists.ts. */
  readonly keepsEmpty: boolean;
  /** How server-side apply merges the list: `atomic`, `set`, `map key …`. `undefined` for a field that is not a list. */
  readonly listType: string | undefined;
  /** True for a map that server-side apply replaces as a whole. */
  readonly atomicMap: boolean;
}

/** The form of the other member: a boolean, a list of the same structs, or a list of strings. */
export type Union = 'boolean' | 'structs' | 'strings';

/** A struct of the API. Its fields are resolved on first use, so that types may refer to each other. */
export interface Schema {
  /** `apps.v1.DeploymentSpec` */
  readonly name: string;
  /** `DeploymentSpec` */
  readonly goName: string;
  /** The fields of the protobuf message, in order. */
  readonly wireFields: readonly FieldSchema[];
  /** Set for a type that JSON writes as one of its two members: the struct in `schema`, or the other member. */
  readonly union: Union | undefined;
  /** The fields in JSON, including those of inlined structs. Without apiVersion and kind. */
  readonly fields: ReadonlyMap<string, FieldSchema>;
}

/**
 * Every API type that is served, and every type that those refer to, as of Kubernetes 1.33, those of resource.k8s.io as of 1.34. A type is `name: fields`, a field is `name:number:type` with its
 * protobuf number. `[]` before a type makes a list, and `{}` a map with string keys. `...` before a name means inlined in JSON. A type name without dots is in
 * the same package.
 */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core.v1': { ...volumeTypes, ...persistentVolumeTypes, ...podTypes, ...coreTypes },
  'meta.v1': metaTypes,
  ...appsTypes,
  ...accessTypes,
  ...autoscalingTypes,
  ...batchTypes,
  ...clusterTypes,
  ...admissionTypes,
  ...apiextensionsTypes,
  ...networkTypes,
  ...storageTypes,
  ...resourceTypes,
  ...smallGroupTypes,
};

const UNIONS: Readonly<Record<string, Union>> = {
  'apiextensions.v1.JSONSchemaPropsOrBool': 'boolean',
  'apiextensions.v1.JSONSchemaPropsOrArray': 'structs',
  'apiextensions.v1.JSONSchemaPropsOrStringArray': 'strings',
};

const schemas = new Map<string, Schema>();

/** The schema of a type such as `apps.v1.DeploymentSpec`. Throws for a name that is not in the tables, which is a bug in our code. */
export function schemaOf(name: string): Schema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const [packageName, goName] = splitName(name);
  const notation = PACKAGES[packageName]?.[goName];
  if (notation === undefined) throw new Error(`no API type is named ${name}`);
  const schema = createSchema(name, packageName, goName, notation);
  schemas.set(name, schema);
  return schema;
}

/** The names of all types in the tables. */
export function schemaNames(): string[] {
  return Object.entries(PACKAGES).flatMap(([name, types]) => Object.keys(types).map((goName) => `${name}.${goName}`));
}

/** True if there is such a type. */
export function hasSchema(name: string): boolean {
  const [packageName, goName] = splitName(name);
  const types = PACKAGES[packageName];
  return types !== undefined && Object.hasOwn(types, goName);
}

function splitName(name: string): [string, string] {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, dot), name.slice(dot + 1)];
}

function createSchema(name: string, packageName: string, goName: string, notation: string): Schema {
  let wireFields: FieldSchema[] | undefined;
  let fields: Map<string, FieldSchema> | undefined;
  return {
    name,
    goName,
    union: UNIONS[name],
    get wireFields() {
      wireFields ??= notation
        .split(/\s+/)
        .filter((text) => text !== '')
        .map((text) => parseField(name, packageName, text));
      return wireFields;
    },
    get fields() {
      fields ??= new Map(this.wireFields.flatMap(jsonFields).map((field) => [field.name, field]));
      return fields;
    },
  };
}

function jsonFields(field: FieldSchema): FieldSchema[] {
  return field.inlined && typeof field.of !== 'string' ? [...field.of.fields.values()] : [field];
}

function parseField(owner: string, packageName: string, text: string): FieldSchema {
  const [, dots, name = '', number, prefix, type = ''] =
    /^(\.\.\.)?([\w$-]+):(\d+):(\[\]|\{\})?([\w.]+)$/.exec(text) ?? [];
  const scalar = SCALARS.find((known) => known === type);
  const of = scalar ?? schemaOf(type.includes('.') ? type : `${packageName}.${type}`);
  const [strategies = '', mergeKey] = mergeStrategies[owner]?.[name]?.split(' ') ?? [];
  const shape = prefix === '[]' ? 'list' : prefix === '{}' ? 'map' : 'single';
  return {
    name,
    number: Number(number),
    shape,
    of,
    inlined: dots !== undefined,
    goType: goTypeNames[`${owner}.${name}`] ?? goTypeOf(shape, of),
    patchStrategies: strategies === '' ? [] : strategies.split(','),
    mergeKey,
    keepsZero: (zeroFields[owner] ?? '').split(/\s+/).includes(name),
    keepsEmpty: emptyLists.has(`${owner}.${name}`),
    listType: shape === 'list' ? (listTypes[`${owner}.${name}`] ?? defaultListType(mergeKey)) : undefined,
    atomicMap: atomicMaps.has(`${owner}.${name}`),
  };
}

function defaultListType(mergeKey: string | undefined): string {
  return mergeKey === undefined ? 'atomic' : `map ${mergeKey}`;
}

const GO_SCALARS: Readonly<Record<Scalar, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'float64',
  bytes: '[]uint8',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  RawExtension: 'runtime.RawExtension',
  FieldsV1: 'v1.FieldsV1',
  ExtraValue: 'v1.ExtraValue',
};

function goTypeOf(shape: FieldSchema['shape'], of: Scalar | Schema): string {
  if (shape === 'map' && of === 'Quantity') return 'v1.ResourceList';
  const element = typeof of === 'string' ? GO_SCALARS[of] : of.name.split('.').slice(-2).join('.');
  return { single: '', list: '[]', map: 'map[string]' }[shape] + element;
}
