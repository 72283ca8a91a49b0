import { isKnownIn, type KubernetesRelease, NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import { fieldReleases } from './fieldReleases.ts';
import type { FieldSchema, Schema } from './schemaOf.ts';

const narrowed = new Map<KubernetesRelease, Map<Schema, Schema>>();

/** Returns the type as the release has it: without the fields that came later, in its members' types, too. The newest release (absent) has all fields, so its types are the tables' own. Each type is made once. */
export function schemaIn(release: KubernetesRelease = NEWEST_RELEASE, schema: Schema): Schema {
  if (release === NEWEST_RELEASE) return schema;
  const known = narrowed.get(release) ?? new Map<Schema, Schema>();
  narrowed.set(release, known);
  const made = known.get(schema) ?? narrow(release, schema);
  known.set(schema, made);
  return made;
}

/** Fields are resolved on first use, since types may refer to each other. */
function narrow(release: KubernetesRelease, schema: Schema): Schema {
  const fieldIn = (field: FieldSchema): FieldSchema =>
    typeof field.of === 'string' ? field : { ...field, of: schemaIn(release, field.of) };
  const isThere = ({ name }: FieldSchema) => isKnownIn(release, sinceOf(schema.name, name));
  let wireFields: FieldSchema[] | undefined;
  let fields: Map<string, FieldSchema> | undefined;
  return {
    name: schema.name,
    goName: schema.goName,
    union: schema.union,
    get wireFields() {
      wireFields ??= schema.wireFields.filter(isThere).map(fieldIn);
      return wireFields;
    },
    get fields() {
      if (fields) return fields;
      // JSON writes the fields of an inlined struct directly into its parent.
      const inlined = this.wireFields.flatMap(({ inlined: isInlined, of }) =>
        isInlined && typeof of !== 'string' ? [...of.fields.values()] : [],
      );
      const own = this.wireFields.filter((field) => !field.inlined);
      const there = new Map([...own, ...inlined].map((field) => [field.name, field]));
      fields = new Map([...schema.fields.keys()].flatMap((name) => entryOf(there, name)));
      return fields;
    },
  };
}

/** In the order of the whole type, by which messages and documents list fields. */
function entryOf(there: ReadonlyMap<string, FieldSchema>, name: string): [string, FieldSchema][] {
  const field = there.get(name);
  return field ? [[name, field]] : [];
}

function sinceOf(type: string, field: string): number | undefined {
  const listed = fieldReleases[type]?.split(/\s+/).find((one) => one.startsWith(`${field}:`));
  return listed === undefined ? undefined : Number(listed.slice(field.length + 1));
}
