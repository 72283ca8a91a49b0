import { isKnownIn, type KubernetesRelease, NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import { type FieldSchema, lazySchema, type Schema } from './schemaOf.ts';

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

function narrow(release: KubernetesRelease, schema: Schema): Schema {
  const { name, goName, union, isAtomic } = schema;
  const fieldIn = (field: FieldSchema): FieldSchema =>
    typeof field.of === 'string' ? field : { ...field, of: schemaIn(release, field.of) };
  return lazySchema({ name, goName, union, isAtomic }, () =>
    schema.wireFields.filter(({ since }) => isKnownIn(release, since)).map(fieldIn),
  );
}
