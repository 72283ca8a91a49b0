import type {
  Claim,
  CsiDriver,
  CsiNode,
  StorageCapacity,
  StorageClass,
  Volume,
  Volumes,
} from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';

export const ZONE = 'topology.kubernetes.io/zone';

const meta = (name: string) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: '' });

/** A claim in the namespace `default`, by default with the name `data`. */
export function claim(
  spec: NonNullable<Claim['spec']>,
  phase = 'Pending',
  metadata: Partial<Claim['metadata']> = {},
): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...meta(metadata.name ?? 'data'), namespace: 'default', ...metadata },
    spec,
    status: { phase },
  };
}

/** A claim that has the volume of this name. */
export function boundClaim(volumeName: string, name = 'data'): Claim {
  return claim({ volumeName }, 'Bound', { name });
}

export function storageClass(name: string, volumeBindingMode: string, provisioner: string): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: meta(name),
    provisioner,
    volumeBindingMode,
  };
}

/** A volume that can be used in this zone only, or anywhere. */
export function volume(
  name: string,
  zone?: string,
  { labels, ...spec }: NonNullable<Volume['spec']> & { readonly labels?: Record<string, string> } = {},
): Volume {
  const term = { matchExpressions: [{ key: ZONE, operator: 'In', values: [zone ?? ''] }] };
  const nodeAffinity = { required: { nodeSelectorTerms: [term] } };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { ...meta(name), ...(labels && { labels }) },
    spec: { ...(zone !== undefined && { nodeAffinity }), ...spec },
    status: { phase: 'Available' },
  };
}

/** What the node's driver says of how many volumes it can attach. */
export function csiNode(name: string, driver: string, count: number): CsiNode {
  const drivers = [{ name: driver, nodeID: name, allocatable: { count }, topologyKeys: null as never }];
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: meta(name), spec: { drivers } };
}

/** A driver that says how much room it has. */
export function csiDriver(name: string): CsiDriver {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: meta(name), spec: { storageCapacity: true } };
}

/** So much room for new volumes of the class, on nodes with these labels. */
export function storageCapacity(
  storageClassName: string,
  room: Pick<StorageCapacity, 'capacity' | 'maximumVolumeSize'>,
  labels: Record<string, string> = {},
): StorageCapacity {
  const nodeTopology = { matchLabels: labels };
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: meta('room'),
    storageClassName,
    nodeTopology,
    ...room,
  };
}

/** The storage of a cluster. */
export function volumesOf({
  claims = [],
  volumes = [],
  classes = [],
  csiNodes = [],
  csiDrivers = [],
  capacities = [],
}: {
  readonly claims?: readonly Claim[];
  readonly volumes?: readonly Volume[];
  readonly classes?: readonly StorageClass[];
  readonly csiNodes?: readonly CsiNode[];
  readonly csiDrivers?: readonly CsiDriver[];
  readonly capacities?: readonly StorageCapacity[];
}): Volumes {
  return {
    claims: new Map(claims.map((one) => [`default/${one.metadata.name}`, one])),
    volumes: byName(volumes),
    classes: byName(classes),
    csiNodes: byName(csiNodes),
    csiDrivers: byName(csiDrivers),
    capacities,
  };
}

function byName<T extends { metadata: { name: string } }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.metadata.name, item]));
}
