import { FieldSet } from './FieldSet.ts';
import type { ManagedFields, ManagedSet } from './ManagedFields.ts';
import type { FieldPath } from './pathElement.ts';

/** Where the object that is scaled has its replicas. */
export interface ReplicasPath {
  /** The version of the request. */
  readonly apiVersion: string;
  /** The path in any version; `undefined` for one that is not served. */
  pathIn(apiVersion: string): FieldPath | undefined;
}

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS: FieldPath = ['f:spec', 'f:replicas'];

/** The owners of a Scale: those of the scaled object who own its replicas. As apimachinery's `ScaleHandler.ToSubresource`. Pure. */
export function toScaleOwners(managed: ManagedFields, replicas: ReplicasPath): ManagedFields {
  const owners = [...managed].filter(([, { apiVersion, set }]) => {
    const path = replicas.pathIn(apiVersion);
    return path !== undefined && set.has(path);
  });
  return new Map(owners.map(([key, owner]) => [key, asScaleOwner(owner)]));
}

function asScaleOwner(owner: ManagedSet): ManagedSet {
  return { ...owner, apiVersion: SCALE_VERSION, set: FieldSet.of(SCALE_REPLICAS) };
}

/**
 * The owners of the scaled object's fields, after the Scale got these owners. A manager that owned the replicas and is not among the Scale's owners loses them. New
 * owners of the Scale are added. As `ScaleHandler.ToParent`. Pure.
 */
export function toParentOwners(managed: ManagedFields, scale: ManagedFields, replicas: ReplicasPath): ManagedFields {
  const owners = new Map<string, ManagedSet>();
  for (const [key, owner] of managed) {
    const path = replicas.pathIn(owner.apiVersion);
    if (path === undefined) continue;
    const set = scale.has(key) ? owner.set : owner.set.difference(FieldSet.of(path));
    if (!set.isEmpty) owners.set(key, { ...owner, set });
  }
  const { apiVersion } = replicas;
  const path = replicas.pathIn(apiVersion);
  for (const [key, owner] of scale) {
    if (owners.has(key) || path === undefined || !owner.set.has(SCALE_REPLICAS)) continue;
    owners.set(key, { ...owner, apiVersion, set: FieldSet.of(path) });
  }
  return owners;
}
