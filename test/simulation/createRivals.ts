import { controllerOf, type KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Job, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { WriterStore } from './AuditedStore.ts';
import { selects } from './checks/Ownership.ts';
import type { GateParts } from './Gate.ts';
import type { Random } from './Random.ts';
import type { Rivals } from './GatedObjectStore.ts';
import { REPLACED, replaceByForce } from './replaceByForce.ts';
import type { World } from './World.ts';

/** Where two owners select the same pods, those of one that is deleted are orphans for the other, which is deleted for them, too, and so on as long as there are faults. */
const MOST_LATE_DELETES = 20;
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Rivals strike where a rule guards against them: one annotates an object between a worker's read and its write, one gives an object a further owner between two reads of the
 * garbage collector, and users delete an owner between its sync's first read and its look for orphans, or scale one whose pods an earlier sync has left half created or half deleted,
 * or name another of its pods as the one to delete first. They replace a Job or a pod by force when a controller is about to delete it or to write it, or take a Job away from its CronJob.
 */
export function createRivals(
  parts: GateParts,
  store: Pick<WriterStore, 'create' | 'replace' | 'remove'>,
  world: World,
): Rivals {
  const { random, faults, scheduler } = parts;
  let lateDeletesLeft = MOST_LATE_DELETES;
  const write = async (resource: string, object: KubernetesObject) => {
    await store.replace({ by: 'rival' }, resource, object);
  };
  return {
    beforeReplace: async ({ resource, namespace, name }) => {
      if (!random.chance(faults.rates.rival)) return;
      const object = world.get(resource, namespace, name);
      if (!object) return;
      const annotations = { ...object.metadata.annotations, 'simulation/rival': String(scheduler.eventCount) };
      await write(resource, { ...object, metadata: { ...object.metadata, annotations } });
    },
    beforeCollectorReads: async (key) => {
      if (!random.chance(faults.rates.lateOwner)) return;
      const object = ownedObject(world, key);
      const node = world.get('nodes', '', 'driftless-node-1');
      if (!object || !node) return;
      const { name, uid } = node.metadata;
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid };
      const ownerReferences = [...(object.metadata.ownerReferences ?? []), owner];
      await write(key.resource, { ...object, metadata: { ...object.metadata, ownerReferences } });
    },
    beforeOrphansAreListed: async (resource, owner) => {
      if (lateDeletesLeft === 0 || !hasAdoptable(world, resource, owner)) return;
      if (!random.chance(faults.rates.lateDelete)) return;
      lateDeletesLeft -= 1;
      const { namespace = '', name, uid } = owner.metadata;
      await store.remove({ by: 'client' }, { resource: ownResource(owner), namespace, name }, { uid });
    },
    beforeIntentIsSettled: async (key, intent) => {
      const owner = world.get<ReplicaSet & KubernetesObject>(key.resource, key.namespace, key.name);
      if (!owner || key.resource === 'deployments.apps' || intent.count + intent.deletes.length === 0) return;
      const others = othersThan(intent, world.activePodsOf(owner.metadata.uid));
      if (others.length > 0 && random.chance(faults.rates.lateDeletionCost)) {
        const other = random.pick(others);
        const annotations = { ...other.metadata.annotations, [DELETION_COST]: String(-scheduler.eventCount) };
        const cheap = { ...other, metadata: { ...other.metadata, annotations } };
        await store.replace({ by: 'client' }, 'pods', cheap);
      }
      if (controllerOf(owner) || !random.chance(faults.rates.lateScale)) return;
      const wanted = owner.spec?.replicas ?? 1;
      const active = world.activePodsOf(owner.metadata.uid).length;
      const replicas = intent.count === 0 ? wanted + 1 : fewerReplicas(random, wanted, active);
      const generation = (owner.metadata.generation ?? 0) + 1;
      const scaled = { ...owner, metadata: { ...owner.metadata, generation }, spec: { ...owner.spec, replicas } };
      await store.replace({ by: 'client' }, key.resource, scaled);
    },
    beforeJobIsRead: async (key) => {
      const job = world.get(key.resource, key.namespace, key.name);
      if (!job || !controllerOf(job) || isHeld(job) || !random.chance(faults.rates.lateReplacement)) return;
      if (random.chance(0.5)) await store.replace({ by: 'client' }, key.resource, asOrphan(job));
      else await replaceByForce(store, key.resource, job, { number: scheduler.eventCount, change: asUsersJob });
    },
    beforePodIsWritten: async (key, written) => {
      const pod = world.get(key.resource, key.namespace, key.name);
      const isRelease = pod?.metadata.finalizers !== undefined && written.metadata.finalizers === undefined;
      if (!pod || !isRelease || pod.metadata.uid !== written.metadata.uid) return;
      if (pod.metadata.deletionTimestamp !== undefined || countsFailedIndexes(world, pod)) return;
      if (!random.chance(faults.rates.lateReplacement)) return;
      await replaceByForce(store, key.resource, pod, { number: scheduler.eventCount, change: asNewPod });
    },
  };
}

function isHeld({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined || metadata.finalizers !== undefined;
}

/**
 * If the new pod of an index that is completed fails, the index has failed, too. The API refuses a status that says both, here as in Kubernetes, so that Job would be stuck for ever.
 */
function countsFailedIndexes(world: World, pod: KubernetesObject): boolean {
  const job = world.get<Job & KubernetesObject>(
    'jobs.batch',
    pod.metadata.namespace ?? '',
    controllerOf(pod)?.name ?? '',
  );
  return job?.spec?.backoffLimitPerIndex !== undefined;
}

/** A Job of the user's own, which belongs to no run of a CronJob. */
function asUsersJob({ metadata, ...job }: KubernetesObject): KubernetesObject {
  return { ...job, metadata: { ...metadata, ownerReferences: [], annotations: {} }, status: {} };
}

/** The same Job, which a user has taken away from its CronJob. */
function asOrphan({ metadata, ...job }: KubernetesObject): KubernetesObject {
  return { ...job, metadata: { ...metadata, ownerReferences: [] } };
}

/** It has not started. */
function asNewPod({ metadata, ...pod }: KubernetesObject): KubernetesObject {
  const annotations = { ...metadata.annotations, [REPLACED]: 'true' };
  return { ...pod, metadata: { ...metadata, annotations }, status: { phase: 'Pending' } };
}

/** The pods that the intent does not delete, where it deletes any: a new choice of pods to delete would be one of these. */
function othersThan({ deletes }: Intent, active: readonly Pod[]): readonly Pod[] {
  const chosen = new Set(deletes.map(({ uid }) => uid));
  return chosen.size === 0 ? [] : active.filter(({ metadata }) => !chosen.has(metadata.uid));
}

/** Where several pods are missing, so many that some of them are still created and others are not, also of those whose creates are under way. */
function fewerReplicas(random: Random, wanted: number, active: number): number {
  const missing = wanted - active;
  return missing > 1 ? active + random.integer(1, missing - 1) : Math.max(0, wanted - 1);
}

/**
 * The object, if all that owns it is a controller, it is not being deleted, and its namespace exists. The simulation over the embedded store lets a request take effect minutes after its sender has given up, so a create may land when its namespace is gone. In the
 * product it may not: an embedded store carries out a write at once, and DynamoDB's requests end in time (`LATE_CREATES_MS`, `lateCreates.test.ts`). The simulation of the stack checks that with `LateCreates`, but for functions that stand still and clocks that are wrong.
 * The collector removes what landed so late, because its owner is gone too. With an owner that exists it would stay for ever.
 */
function ownedObject(world: World, { resource, namespace, name }: ObjectKey): KubernetesObject | undefined {
  const object = world.get(resource, namespace, name);
  if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
  if (!world.get('namespaces', '', namespace)) return undefined;
  return object.metadata.ownerReferences?.length === 1 ? object : undefined;
}

function hasAdoptable(world: World, resource: string, owner: KubernetesObject): boolean {
  const kind = resource === 'pods' ? 'Pod' : 'ReplicaSet';
  return world
    .all(kind)
    .some(
      (object) =>
        !controllerOf(object) &&
        object.metadata.deletionTimestamp === undefined &&
        object.metadata.namespace === owner.metadata.namespace &&
        selects(owner, object),
    );
}

function ownResource({ kind }: KubernetesObject): string {
  return kind === 'ReplicationController' ? 'replicationcontrollers' : `${kind.toLowerCase()}s.apps`;
}
