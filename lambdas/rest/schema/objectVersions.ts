import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { AwaitedConversions } from '../../registry/customresources/conversion/AwaitedConversions.ts';
import { validateConfiguration } from '../../registry/fieldmanager/validateConfiguration.ts';
import type { ObjectVersions } from '../../registry/fieldmanager/VersionedObject.ts';
import type { CustomRules, ResourceEntry } from '../../registry/ResourceEntry.ts';
import { convertVersion, servedVersionOf } from '../../registry/versions/convertVersion.ts';
import { customMergeSchema } from './customMergeSchema.ts';
import { kindSchema, parseApiVersion } from './kindSchema.ts';
import { mergeSchemaOf } from './mergeSchema.ts';

/** The served versions of a resource, as field managers compare objects in them. `conversions`: for a custom resource whose versions a webhook converts. */
export function objectVersionsOf(entry: ResourceEntry, conversions?: AwaitedConversions): ObjectVersions {
  if (entry.custom) return customVersions(entry.group, entry.custom, conversions);
  return {
    schema: (apiVersion) => {
      const schema = servedVersionOf(entry, apiVersion) && kindSchema(apiVersion, entry.kind, entry.release);
      return schema && mergeSchemaOf(schema);
    },
    convert: (object, from, to) => convertVersion(entry, object as KubernetesObject, from, to),
  };
}

/**
 * The versions of a custom resource. Without a webhook, objects are the same in all of them. Nothing that a schema does not know is dropped here, so converting an object that does not fit the other schema
 * throws FieldManagerError.
 */
function customVersions(group: string, custom: CustomRules, conversions?: AwaitedConversions): ObjectVersions {
  const schemaOf = (apiVersion: string) => {
    const { group: given, version } = parseApiVersion(apiVersion);
    if (given !== group) return undefined;
    const schema = custom.schemaOf(version);
    return schema && customMergeSchema(schema.schema);
  };
  return {
    schema: schemaOf,
    convert: (object, from, to) => {
      const converted = { ...(conversions?.convert(object, from, to) ?? object), apiVersion: to };
      const schema = schemaOf(to);
      if (schema) validateConfiguration(converted, schema);
      return converted;
    },
  };
}
