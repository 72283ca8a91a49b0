/**
 * How server-side apply treats one value, whatever the schema of its kind is written in: the tables of the built-in types, or the structural schema of a custom
 * resource. A value that may have several shapes (an int or a string, or a value without a schema) has several members. Schemas may refer to each other, so
 * what lies below a list or a map is asked for only when it is needed.
 */
export interface MergeSchema {
  readonly scalar?: ScalarType;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

/** The JSON type of a scalar. `any` allows all three, as for quantities, times and ints or strings. */
export type ScalarType = 'string' | 'number' | 'boolean' | 'any';

/** `atomic`: owned and replaced as a whole. `set`: each scalar is owned by itself. `map`: each item is owned by itself, and its keys tell items apart. */
export interface ListSchema {
  readonly type: 'atomic' | 'set' | 'map';
  /** The fields that tell the items of a `map` apart; otherwise none. */
  readonly keys: readonly string[];
  readonly items: MergeSchema;
}

export interface MapSchema {
  /** True if the map is owned and replaced as a whole. */
  readonly atomic: boolean;
  /** The declared field of that name; `undefined` for a member that no field declares. */
  field(name: string): MapField | undefined;
  /** The schema of the members that no field declares; absent if there may be none. */
  readonly values?: MergeSchema;
  /**
   * Fields that Kubernetes' objects always have, even where JSON from elsewhere leaves them out: structs that are not pointers, and lists that are never
   * omitted. Nobody owns the existence of such a field.
   */
  readonly alwaysPresent: readonly string[];
}

export interface MapField {
  readonly schema: MergeSchema;
  /** What an item of a list has as this key if it leaves the key out; absent: nothing. */
  readonly keyDefault?: unknown;
}

/** The schema of a value of which the API's description says nothing: it is replaced as a whole. */
export const ATOMIC_VALUE: MergeSchema = {
  scalar: 'any',
  list: {
    type: 'atomic',
    keys: [],
    get items() {
      return ATOMIC_VALUE;
    },
  },
  map: {
    atomic: true,
    field: () => undefined,
    alwaysPresent: [],
    get values() {
      return ATOMIC_VALUE;
    },
  },
};

/** The schema of a value of which nothing is known: its maps are merged member by member, its lists are replaced. */
export const DEDUCED: MergeSchema = {
  scalar: 'any',
  list: { type: 'atomic', keys: [], items: ATOMIC_VALUE },
  map: {
    atomic: false,
    field: () => undefined,
    alwaysPresent: [],
    get values() {
      return DEDUCED;
    },
  },
};

export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a value as a map: anything else has no members. */
export function asMap(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

/** Reads a value as a list: anything else has no items. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The shape in which the schema reads the value. A value of no shape that the schema allows is read as the first that it does allow. */
export type Shape =
  | { readonly is: 'scalar'; readonly type: ScalarType }
  | { readonly is: 'list'; readonly list: ListSchema }
  | { readonly is: 'map'; readonly map: MapSchema };

export function shapeOf({ scalar, list, map }: MergeSchema, value: unknown): Shape {
  if (map !== undefined && (isMap(value) || !fits(value, scalar, list))) return { is: 'map', map };
  if (list !== undefined && (Array.isArray(value) || scalar === undefined)) return { is: 'list', list };
  return { is: 'scalar', type: scalar ?? 'any' };
}

/** True if the schema reads this value as a scalar or as a list. */
function fits(value: unknown, scalar: ScalarType | undefined, list: ListSchema | undefined): boolean {
  if (Array.isArray(value)) return list !== undefined;
  return scalar !== undefined && value !== null && value !== undefined && !isMap(value);
}

/** The schema of a map's member; `undefined` for one that the schema does not allow. */
export function declaredMember(map: MapSchema, name: string): MergeSchema | undefined {
  return map.field(name)?.schema ?? map.values;
}

/** The schema by which a map's member is walked: what the schema does not allow is walked as a value of which nothing is known. */
export function memberSchema(map: MapSchema, name: string): MergeSchema {
  return declaredMember(map, name) ?? DEDUCED;
}
