import { isMap, type JsonMap, type MapSchema, type MergeSchema } from './MergeSchema.ts';

/** The versions in which objects of one kind are served. Managers own fields in the version that they wrote, so comparing needs the object in each of those. */
export interface ObjectVersions {
  /** `undefined` for a version that is not served (any more). */
  schema(apiVersion: string): MergeSchema | undefined;
  /** Converts an object, which may lack any of its fields, between two served versions. Leaves the given object unchanged. */
  convert(object: JsonMap, from: string, to: string): JsonMap;
}

/** An object in one version with its schema. */
export interface TypedObject {
  readonly object: JsonMap;
  readonly schema: MergeSchema;
}

/** An object that can be read in any served version. */
export class VersionedObject {
  readonly #object: JsonMap;
  readonly #apiVersion: string;
  readonly #versions: ObjectVersions;
  readonly #read = new Map<string, TypedObject>();

  /** The object is given in the version `apiVersion`. */
  constructor(object: JsonMap, apiVersion: string, versions: ObjectVersions) {
    this.#object = object;
    this.#apiVersion = apiVersion;
    this.#versions = versions;
  }

  /** The object in that version; `undefined` if the version is not served. */
  in(apiVersion: string): TypedObject | undefined {
    const known = this.#read.get(apiVersion);
    if (known !== undefined) return known;
    const schema = this.#versions.schema(apiVersion);
    if (schema === undefined) return undefined;
    const object =
      apiVersion === this.#apiVersion
        ? this.#object
        : this.#versions.convert(this.#object, this.#apiVersion, apiVersion);
    const typed = { object: withPresentFields(object, schema), schema };
    this.#read.set(apiVersion, typed);
    return typed;
  }

  /** Another object in place of this one, given in the version `apiVersion`. */
  with(object: JsonMap, apiVersion: string): VersionedObject {
    return new VersionedObject(object, apiVersion, this.#versions);
  }
}

/** Adds the structs and lists that Kubernetes' objects always have; see `MapSchema.alwaysPresent`. */
function withPresentFields(object: JsonMap, { map }: MergeSchema): JsonMap {
  if (map === undefined || map.alwaysPresent.length === 0) return object;
  const complete: Record<string, unknown> = { ...object };
  for (const name of map.alwaysPresent) complete[name] = presentValue(complete[name], map, name);
  return complete;
}

function presentValue(value: unknown, map: MapSchema, name: string): unknown {
  const schema = map.field(name)?.schema ?? {};
  if (schema.map === undefined) return value ?? [];
  return value === undefined || isMap(value) ? withPresentFields(value ?? {}, schema) : value;
}
