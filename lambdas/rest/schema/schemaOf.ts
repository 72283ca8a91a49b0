import { type FieldFacts, parseField, type Scalar } from './parseField.ts';
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

export interface FieldSchema extends FieldFacts {
  /** The type of the single value, of each item, or of each value of the map (whose keys are strings). */
  readonly of: Scalar | Schema;
}

const UNIONS = ['boolean', 'structs', 'strings'] as const;
/** The form of the other member: a boolean, a list of the same structs, or a list of strings. */
export type Union = (typeof UNIONS)[number];

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
  /** True for a struct that server-side apply replaces as a whole. */
  readonly isAtomic: boolean;
  /** The names of the fields that every stored object has; see `FieldFacts.isRequired`. */
  readonly required: readonly string[];
}

/**
 * Every API type that is served, and every type that those refer to, as of the newest release of Kubernetes; a test lists what is left out. A type is `name: fields`, in the notation of parseField.ts. `/atomic` before the fields of a type:
 * server-side apply replaces it as a whole. `/union(boolean)`: it is written in JSON as one of its two members.
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

/** A word that begins with a slash is about the type: `/atomic`, `/union(boolean)`. All others are fields. */
function createSchema(name: string, packageName: string, goName: string, notation: string): Schema {
  const words = notation.split(/\s+/).filter((word) => word !== '');
  const union = UNIONS.find((form) => words.includes(`/union(${form})`));
  return lazySchema({ name, goName, union, isAtomic: words.includes('/atomic') }, () =>
    words.filter((word) => !word.startsWith('/')).map((word) => fieldOf(packageName, word)),
  );
}

/** Returns the field that the notation describes; see parseField. Throws for a struct that is not in the tables. */
export function fieldOf(packageName: string, notation: string): FieldSchema {
  const facts = parseField(packageName, notation);
  return { ...facts, of: facts.scalar ?? schemaOf(facts.typeName) };
}

/** A type whose fields are asked for when they are needed first. */
export function lazySchema(
  type: Pick<Schema, 'name' | 'goName' | 'union' | 'isAtomic'>,
  fieldsOf: () => readonly FieldSchema[],
): Schema {
  let wireFields: readonly FieldSchema[] | undefined;
  let fields: Map<string, FieldSchema> | undefined;
  let required: readonly string[] | undefined;
  return {
    ...type,
    get wireFields() {
      wireFields ??= fieldsOf();
      return wireFields;
    },
    get fields() {
      fields ??= new Map(this.wireFields.flatMap(jsonFields).map((field) => [field.name, field]));
      return fields;
    },
    get required() {
      required ??= this.wireFields.filter(({ isRequired }) => isRequired).map((field) => field.name);
      return required;
    },
  };
}

function jsonFields(field: FieldSchema): FieldSchema[] {
  return field.inlined && typeof field.of !== 'string' ? [...field.of.fields.values()] : [field];
}
