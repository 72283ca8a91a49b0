import type { Volume } from 'kubernetes-types/core/v1.js';

/** A disk that a pod names itself, and that not all pods of a node can have at the same time. */
export interface Disk {
  readonly kind: 'gce' | 'aws' | 'iscsi' | 'rbd';
  /** Two disks are the same if they are of one kind and share a name. */
  readonly names: readonly string[];
  /** Pods that only read a disk may share it. */
  readonly isReadOnly: boolean;
}

/** Returns the disk of a pod's volume; `undefined` for other volumes. A Ceph image is known by each of its monitors. Pure. */
export function diskOf({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): Disk | undefined {
  if (gcePersistentDisk)
    return { kind: 'gce', names: [gcePersistentDisk.pdName], isReadOnly: gcePersistentDisk.readOnly === true };
  // No two pods of a node share one of these, not even to read it.
  if (awsElasticBlockStore) return { kind: 'aws', names: [awsElasticBlockStore.volumeID], isReadOnly: false };
  if (iscsi) return { kind: 'iscsi', names: [iscsi.iqn], isReadOnly: iscsi.readOnly === true };
  if (!rbd) return undefined;
  const names = rbd.monitors.map((monitor) => `${monitor}/${rbd.pool ?? 'rbd'}/${rbd.image}`);
  return { kind: 'rbd', names, isReadOnly: rbd.readOnly === true };
}

/** Whether the two cannot be on one node: Kubernetes' `isVolumeConflict`. Pure. */
export function disksConflict(a: Disk, b: Disk): boolean {
  if (a.kind !== b.kind || (a.isReadOnly && b.isReadOnly)) return false;
  return a.names.some((name) => b.names.includes(name));
}
