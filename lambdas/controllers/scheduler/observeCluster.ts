import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Namespace, Node, Pod } from '../../objects/kinds.ts';
import type { Labels } from '../../objects/selectors/labelRequirement.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulated/simulatedStorage.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { ClusterPods } from './framework/ClusterPods.ts';
import { Snapshot } from './framework/Snapshot.ts';
import {
  CSI_DRIVERS,
  CSI_NODES,
  type Claim,
  claimsUsedBy,
  type CsiDriver,
  type CsiNode,
  driverVolumesOf,
  NO_VOLUMES,
  STORAGE_CAPACITIES,
  type StorageCapacity,
  type StorageClass,
  type Volume,
  type Volumes,
} from './framework/Volumes.ts';
import type { PodsReader } from './KeptPods.ts';
import type { DisruptionBudget } from './selectVictimsOnNode.ts';

/** What the scheduler reads before it decides. The nodes are read elsewhere. */
export interface ObservedPods {
  readonly pods: ClusterPods;
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
  readonly volumes: Volumes;
  readonly budgets: readonly DisruptionBudget[];
}

/** Reads the pods, and what those that wait need: the namespaces if a pod selects some by their labels, the volumes if one has claims, and the budgets if one may preempt others. */
export async function observePods(registry: RegistryReader, readPods: PodsReader): Promise<ObservedPods> {
  const pods = await readPods(registry);
  const waiting = pods.pending;
  if (waiting.length === 0) return { pods, namespaceLabels: new Map(), volumes: NO_VOLUMES, budgets: [] };
  const [namespaceLabels, volumes, budgets] = await Promise.all([
    pods.areAnySelectingNamespaces ? listNamespaceLabels(registry) : new Map(),
    listVolumes(
      registry,
      waiting.filter((pod) => claimsUsedBy(pod).length > 0),
    ),
    mayPreempt(waiting, pods) ? listBudgets(registry) : [],
  ]);
  return { pods, namespaceLabels, volumes, budgets };
}

/** Puts the pods on the nodes. */
export function snapshotOf(observed: ObservedPods, nodes: readonly Node[]): Snapshot {
  return Snapshot.of(nodes, observed.pods, observed);
}

function mayPreempt(waiting: readonly Pod[], { lowestBoundPriority }: ClusterPods): boolean {
  const highest = Math.max(...waiting.map(({ spec }) => spec?.priority ?? 0));
  return lowestBoundPriority < highest;
}

/** Lists what pods with claims need. */
async function listVolumes(registry: RegistryReader, pods: readonly Pod[]): Promise<Volumes> {
  if (pods.length === 0) return NO_VOLUMES;
  const [claims, volumes, classes] = await Promise.all([
    registry.list<Claim>('persistentvolumeclaims'),
    registry.list<Volume>('persistentvolumes'),
    registry.list<StorageClass>('storageclasses.storage.k8s.io'),
  ]);
  const known = {
    ...NO_VOLUMES,
    claims: new Map(claims.items.map((one) => [`${one.metadata.namespace ?? ''}/${one.metadata.name}`, one])),
    volumes: byName(volumes.items),
    classes: byName(classes.items),
  };
  const drivers = pods.flatMap((pod) => driverVolumesOf(pod, known)).map(({ driver }) => driver);
  const isSimulated = drivers.every((driver) => driver === SIMULATED_PROVISIONER);
  return isSimulated ? known : { ...known, ...(await listDrivers(registry, new Set(drivers))) };
}

/** Lists what the storage drivers say of nodes, and of the room that they have, if one of these says so. */
async function listDrivers(
  registry: RegistryReader,
  used: ReadonlySet<string>,
): Promise<Pick<Volumes, 'csiNodes' | 'csiDrivers' | 'capacities'>> {
  const [csiNodes, csiDrivers] = await Promise.all([
    registry.list<CsiNode>(CSI_NODES),
    registry.list<CsiDriver>(CSI_DRIVERS),
  ]);
  const isLimited = csiDrivers.items.some(({ metadata, spec }) => spec.storageCapacity && used.has(metadata.name));
  const capacities = isLimited ? (await registry.list<StorageCapacity>(STORAGE_CAPACITIES)).items : [];
  return { csiNodes: byName(csiNodes.items), csiDrivers: byName(csiDrivers.items), capacities };
}

function byName<T extends KubernetesObject>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((one) => [one.metadata.name, one]));
}

async function listBudgets(registry: RegistryReader): Promise<readonly DisruptionBudget[]> {
  return (await registry.list<DisruptionBudget>('poddisruptionbudgets.policy')).items;
}

async function listNamespaceLabels(registry: RegistryReader): Promise<ReadonlyMap<string, Labels>> {
  const { items } = await registry.list<Namespace>('namespaces');
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}
