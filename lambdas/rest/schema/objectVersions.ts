import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ObjectVersions } from '../../registry/fieldmanager/VersionedObject.ts';
import type { ResourceEntry, ServedVersion } from '../../registry/ResourceEntry.ts';
import { groupVersionOf } from '../ServedResources.ts';
import { kindSchema } from './kindSchema.ts';
import { mergeSchemaOf } from './mergeSchema.ts';

/** The served versions of a resource, as field managers compare objects in them. */
export function objectVersionsOf(entry: ResourceEntry): ObjectVersions {
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

/** The versions of a resource by their apiVersions. */
export function servedVersions({ versions, group }: ResourceEntry): ReadonlyMap<string, ServedVersion> {
  return new Map(versions.map((one) => [groupVersionOf(one.group ?? group, one.version), one]));
}
