import type { CustomResource } from '../ResourceCatalog.ts';
import {
  type CustomResourceDefinition,
  isConditionTrue,
  storageVersionOf,
  versionsOf,
} from './CustomResourceDefinition.ts';
import { customResourceEntry } from './customResourceEntry.ts';

/** Makes the custom resource that a definition describes. Its schemas are compiled when they are first used. Pure. */
export function createCustomResource(definition: CustomResourceDefinition): CustomResource {
  const { group, names, scope } = definition.spec;
  const versions = versionsOf(definition);
  const storage = storageVersionOf(definition) ?? { name: 'v1', served: false, storage: true };
  const entries = new Map(
    [storage, ...versions].map((version) => [version.name, customResourceEntry(definition, version)]),
  );
  const stored = entries.get(storage.name) ?? customResourceEntry(definition, storage);
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
