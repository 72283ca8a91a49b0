import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ObjectVersions } from '../../registry/fieldmanager/VersionedObject.ts';
import type { CustomRules, ResourceEntry, ServedVersion } from '../../registry/ResourceEntry.ts';
import { groupVersionOf } from '../ServedResources.ts';
import { customMergeSchema } from './customMergeSchema.ts';
import { kindSchema, parseApiVersion } from './kindSchema.ts';
import { mergeSchemaOf } from './mergeSchema.ts';

/** The served versions of a resource, as field managers compare objects in them. */
export function objectVersionsOf(entry: ResourceEntry): ObjectVersions {
  if (entry.custom) return customVersions(entry.group, entry.custom);
  const versions = servedVersions(entry);
  return {
    schema: (apiVersion) => {
      const schema = versions.has(apiVersion) ? kindSchema(apiVersion, entry.kind) : undefined;
      return schema && mergeSchemaOf(schema);
    },
    convert: (object, from, to) => {
      const draft = copyJson(object) as KubernetesObject;
      versions.get(from)?.toStorage?.(draft);
      versions.get(to)?.fromStorage?.(draft);
      return { ...draft, apiVersion: to };
    },
  };
}

/** The versions of a custom resource differ in their schemas only. */
function customVersions(group: string, custom: CustomRules): ObjectVersions {
  return {
    schema: (apiVersion) => {
      const { group: given, version } = parseApiVersion(apiVersion);
      if (given !== group) return undefined;
      const schema = custom.schemaOf(version);
      return schema && customMergeSchema(schema.schema);
    },
    convert: (object, _from, to) => ({ ...object, apiVersion: to }),
  };
}

/** The versions of a resource by their apiVersions. */
function servedVersions({ versions, group }: ResourceEntry): ReadonlyMap<string, ServedVersion> {
  return new Map(versions.map((one) => [groupVersionOf(one.group ?? group, one.version), one]));
}
