import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { DeleteOutcome, WriteOutcome } from '../../registry/Registry.ts';
import type { SyncContext } from '../Controller.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import type { ObjectIdentity } from './collectKey.ts';
import {
  type Attempt,
  decideAttempt,
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  waitsForDependents,
} from './decideAttempt.ts';
import { observeOwners } from './keysForChange.ts';
import type { Dependent, OwnerGraph } from './OwnerGraph.ts';

/** What a sync of the collector works with. */
export interface CollectDeps extends Pick<SyncContext, 'registry' | 'mayWrite'> {
  readonly graph: OwnerGraph;
}

/** How far collecting around one object came. */
export interface Collected {
  readonly status: 'settled' | 'conflict' | 'outOfTime';
  readonly why: readonly string[];
  readonly writes: readonly string[];
}

// As many workers as Kubernetes' collector has.
const CONCURRENT_ATTEMPTS = 20;

/** Collects around one object: its dependents once it is gone or about to go, itself once its owners are. */
export async function collectObject(deps: CollectDeps, identity: ObjectIdentity): Promise<Collected> {
  const object = await deps.graph.get(identity);
  if (object?.metadata.uid !== identity.uid) return collectDependents(deps, identity);
  if (object.metadata.deletionTimestamp === undefined) return attempt(deps, { key: identity, object });
  if (object.metadata.finalizers?.includes(ORPHAN_FINALIZER)) return orphanDependents(deps, { key: identity, object });
  if (waitsForDependents(object)) return finishForeground(deps, { key: identity, object });
  return { status: 'settled', why: ['It is being deleted, and nothing of that is ours.'], writes: [] };
}

async function collectDependents(deps: CollectDeps, owner: ObjectIdentity): Promise<Collected> {
  const dependents = await deps.graph.dependentsOf(owner);
  const collected = await each(deps, dependents, (dependent) => attempt(deps, dependent));
  return {
    ...collected,
    why: [`It is gone and left ${dependents.length} dependent(s).`, ...collected.why.slice(0, 3)],
  };
}

/** Decides about one object from its owners, and does it. */
async function attempt(deps: CollectDeps, { key, object }: Dependent): Promise<Collected> {
  const owners = await observeOwners(deps.graph, object);
  const waiting = owners.some(({ owner }) => owner && owner !== 'unknown' && waitsForDependents(owner));
  const { uid, namespace = '' } = object.metadata;
  const dependents = waiting ? await deps.graph.dependentsOf({ uid, namespace }) : [];
  const decided = decideAttempt(
    object,
    owners,
    dependents.map(({ object }) => object),
  );
  return commitAttempt(deps, { key, object }, decided);
}

async function commitAttempt(
  { registry }: CollectDeps,
  { key, object }: Dependent,
  decided: Attempt,
): Promise<Collected> {
  const place = `${key.resource} ${key.namespace}/${key.name}`;
  const { uid } = object.metadata;
  switch (decided.action) {
    case 'keep':
      return { status: 'settled', why: [decided.why], writes: [] };
    case 'dropReferences': {
      const unwanted = new Set(decided.uids);
      const ownerReferences = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !unwanted.has(uid));
      const outcome = await registry.update(key.resource, withMetadata(object, { ownerReferences }), { from: object });
      return collectedFrom(outcome, decided.why, `drop gone owners of ${place}`);
    }
    case 'delete': {
      const unblocked = decided.unblockOwners ? await unblock(registry, key.resource, object) : undefined;
      if (unblocked?.status === 'refused')
        return collectedFrom(unblocked, decided.why, `unblock the owners of ${place}`);
      // The version too: an object that someone has adopted or changed since is looked at again first.
      const { resourceVersion } = (unblocked?.object ?? object).metadata;
      const { propagationPolicy } = decided;
      const outcome = await registry.delete(key, { propagationPolicy, preconditions: { uid, resourceVersion } });
      return collectedFrom(outcome, decided.why, `delete ${place}`);
    }
    default:
      return decided satisfies never;
  }
}

function unblock(registry: GuardedRegistry, resource: string, object: KubernetesObject) {
  const ownerReferences = (object.metadata.ownerReferences ?? []).map((owner) => ({
    ...owner,
    blockOwnerDeletion: false,
  }));
  return registry.update(resource, withMetadata(object, { ownerReferences }), { from: object });
}

/** Takes the reference to this owner from all its dependents, and only then lets it go. */
async function orphanDependents(deps: CollectDeps, owner: Dependent): Promise<Collected> {
  const { uid, namespace = '' } = owner.object.metadata;
  const dependents = await deps.graph.dependentsOf({ uid, namespace });
  const orphaned = await each(deps, dependents, async ({ key, object }) => {
    const ownerReferences = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
    const outcome = await deps.registry.update(key.resource, withMetadata(object, { ownerReferences }), {
      from: object,
    });
    return collectedFrom(outcome, 'Its owner orphans it.', `orphan ${key.resource} ${key.namespace}/${key.name}`);
  });
  return orphaned.status === 'settled' ? dropFinalizer(deps, owner, ORPHAN_FINALIZER, orphaned) : orphaned;
}

/** Foreground deletion: all dependents are asked to go, and the owner goes once none that blocks it is left. */
async function finishForeground(deps: CollectDeps, owner: Dependent): Promise<Collected> {
  const { uid, namespace = '' } = owner.object.metadata;
  const dependents = await deps.graph.dependentsOf({ uid, namespace });
  const blocking = dependents.filter(({ object }) => blocks(object, uid));
  if (blocking.length === 0) {
    const why = ['No dependent blocks its deletion any more.'];
    return dropFinalizer(deps, owner, FOREGROUND_FINALIZER, { status: 'settled', why, writes: [] });
  }
  const asked = dependents.filter(({ object }) => object.metadata.deletionTimestamp === undefined);
  const collected = await each(deps, asked, (dependent) => attempt(deps, dependent));
  return { ...collected, why: [`It waits for ${blocking.length} dependent(s) to go.`, ...collected.why.slice(0, 3)] };
}

function blocks(dependent: KubernetesObject, ownerUid: string): boolean {
  return (
    dependent.metadata.ownerReferences?.some((owner) => owner.uid === ownerUid && owner.blockOwnerDeletion === true) ===
    true
  );
}

async function dropFinalizer(
  { registry }: CollectDeps,
  { key, object }: Dependent,
  name: string,
  soFar: Collected,
): Promise<Collected> {
  const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name);
  const outcome = await registry.update(key.resource, withMetadata(object, { finalizers }), { from: object });
  const dropped = collectedFrom(
    outcome,
    `The finalizer ${name} has done its work.`,
    `drop finalizer ${name} of ${keyName(key)}`,
  );
  return { status: dropped.status, why: [...soFar.why, ...dropped.why], writes: [...soFar.writes, ...dropped.writes] };
}

function keyName({ resource, namespace, name }: Dependent['key']): string {
  return `${resource} ${namespace}/${name}`;
}

function withMetadata(object: KubernetesObject, metadata: Partial<KubernetesObject['metadata']>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** A refusal is a conflict to look at again, unless the object is gone, which is all that was wanted. */
function collectedFrom(outcome: WriteOutcome<unknown> | DeleteOutcome<unknown>, why: string, write: string): Collected {
  if (outcome.status !== 'refused') return { status: 'settled', why: [why], writes: [write] };
  if (outcome.error.reason === 'NotFound') return { status: 'settled', why: ['It is gone already.'], writes: [] };
  if (outcome.error.reason === 'Conflict') return { status: 'conflict', why: ['It changed meanwhile.'], writes: [] };
  throw outcome.error;
}

/** Does `act` for each, a few at a time, for as long as writes may begin. */
async function each(
  { mayWrite }: CollectDeps,
  dependents: readonly Dependent[],
  act: (dependent: Dependent) => Promise<Collected>,
): Promise<Collected> {
  const waiting = [...dependents];
  const results: Collected[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!mayWrite()) return;
      results.push(await act(next));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_ATTEMPTS, dependents.length) }, worker));
  const conflicted = results.some(({ status }) => status === 'conflict');
  const status = results.length < dependents.length ? 'outOfTime' : conflicted ? 'conflict' : 'settled';
  return { status, why: results.flatMap(({ why }) => why), writes: results.flatMap(({ writes }) => writes) };
}
