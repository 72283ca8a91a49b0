import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { exceptFields } from '../../registry/fieldmanager/fieldFilter.ts';
import { FieldSet } from '../../registry/fieldmanager/FieldSet.ts';
import { appliedTracker, type FieldTracker } from '../../registry/fieldmanager/FieldTracker.ts';
import { decodeManagedFields, encodeManagedFields } from '../../registry/fieldmanager/ManagedFields.ts';
import { fieldElement } from '../../registry/fieldmanager/pathElement.ts';
import { type ReplicasPath, toParentOwners, toScaleOwners } from '../../registry/fieldmanager/scaleFields.ts';
import { trackApply } from '../../registry/fieldmanager/trackApply.ts';
import { type FieldWriter, trackUpdate } from '../../registry/fieldmanager/trackUpdate.ts';
import { fieldWriterOf } from '../request/fieldWriter.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { kindSchema } from '../schema/kindSchema.ts';
import { mergeSchemaOf } from '../schema/mergeSchema.ts';
import { objectVersionsOf } from '../schema/objectVersions.ts';
import { type ApplyOptions, asApiError } from '../verbs/serveApply.ts';

const exceptStatus = exceptFields(FieldSet.of(['f:status']));

/** Who writes a Scale. The time is not noted, as in Kubernetes. */
function scaleWriter(request: ResourceRequest, fieldManager: string): FieldWriter {
  const apiVersion = 'autoscaling/v1';
  const kind = 'Scale';
  const schema = kindSchema(apiVersion, kind);
  const { time: _, ...writer } = fieldWriterOf(request, fieldManager);
  return {
    ...writer,
    apiVersion,
    storageApiVersion: apiVersion,
    kind,
    versions: { schema: () => schema && mergeSchemaOf(schema), convert: (object) => object },
    filter: exceptStatus,
  };
}

function replicasPath({ resource }: ResourceRequest): ReplicasPath {
  const { entry, apiVersion } = resource;
  const path = (entry.scale?.specReplicasPath ?? '.spec.replicas').split('.').slice(1).map(fieldElement);
  const versions = objectVersionsOf(entry);
  return { apiVersion, pathIn: (version) => (versions.schema(version) === undefined ? undefined : path) };
}

/** Tracks an update of a Scale in the managedFields of the scaled object: who changes the replicas takes them. `scaleOf` shows an object's Scale. */
export function scaleTracker(
  request: ResourceRequest,
  fieldManager: string,
  scaleOf: (object: KubernetesObject) => KubernetesObject,
): FieldTracker {
  const writer = scaleWriter(request, fieldManager);
  const replicas = replicasPath(request);
  return {
    droppable: true,
    managedFields: ({ live, draft }) => {
      if (live === undefined) return [];
      const owners = decodeManagedFields(live.metadata.managedFields ?? []);
      const update = { live: scaleOf(live), draft: scaleOf(draft), managed: toScaleOwners(owners, replicas) };
      return encodeManagedFields(toParentOwners(owners, trackUpdate(writer, update), replicas));
    },
  };
}

export interface AppliedScale {
  readonly scale: KubernetesObject;
  /** For the scaled object. */
  readonly fieldTracker: FieldTracker;
}

/** Applies a Scale to the one of the stored object. Throws ApiError: Conflict if others own the replicas, and for a configuration that is no Scale. */
export function applyScale(
  request: ResourceRequest,
  { config, force, fieldManager }: ApplyOptions,
  current: KubernetesObject,
  live: KubernetesObject,
): AppliedScale {
  const replicas = replicasPath(request);
  const owners = decodeManagedFields(current.metadata.managedFields ?? []);
  const stored = encodeManagedFields(toScaleOwners(owners, replicas));
  const writer = scaleWriter(request, fieldManager);
  const applied = asApiError(() => trackApply(writer, { live, stored, config, force }));
  if (applied.refused !== undefined) throw applied.refused;
  const scale = applied.object as KubernetesObject;
  return { scale, fieldTracker: appliedTracker(toParentOwners(owners, applied.managed, replicas)) };
}
