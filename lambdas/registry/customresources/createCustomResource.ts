import { type CustomSchema, compileSchema } from '../apiextensions/CustomSchema.ts';
import type { CustomResource } from '../ResourceCatalog.ts';
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  isConditionTrue,
  storageVersionOf,
  versionsOf,
} from './CustomResourceDefinition.ts';
import { customResourceEntry } from './customResourceEntry.ts';

/** Compiles the schema of each version when it is first asked for. */
function compiledSchemas(definition: CustomResourceDefinition): (version: string) => CustomSchema | undefined {
  const compiled = new Map<string, CustomSchema>();
  const preserveUnknownFields = definition.spec.preserveUnknownFields === true;
  return (name) => {
    const known = compiled.get(name);
    const json = versionsOf(definition).find((version) => version.name === name)?.schema?.openAPIV3Schema;
    if (known || json === undefined) return known;
    const schema = compileSchema(json, { preserveUnknownFields });
    compiled.set(name, schema);
    return schema;
  };
}

/** Makes the custom resource that a definition describes. Its schemas are compiled when they are first used. Pure. */
export function createCustomResource(definition: CustomResourceDefinition): CustomResource {
  const { group, names, scope } = definition.spec;
  const versions = versionsOf(definition);
  const storage = storageVersionOf(definition) ?? { name: 'v1', served: false, storage: true };
  const schemaOf = compiledSchemas(definition);
  const entryOf = (version: DefinitionVersion) => customResourceEntry(definition, version, schemaOf);
  const entries = new Map([storage, ...versions].map((version) => [version.name, entryOf(version)]));
  const stored = entries.get(storage.name) ?? entryOf(storage);
  const served = versions.flatMap(({ name, served: isServed }) => {
    const entry = entries.get(name);
    return isServed && entry ? [[name, entry] as const] : [];
  });
  return {
    groupResource: definition.metadata.name,
    group,
    plural: names.plural,
    kind: stored.kind,
    namespaced: scope === 'Namespaced',
    isEstablished: isConditionTrue(definition, 'Established'),
    stored,
    served: new Map(served),
  };
}
