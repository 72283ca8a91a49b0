import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import { reasonInWords, reportDone } from './quotaReasons.ts';
import { SharedReads } from '../SharedReads.ts';
import { decideRecount, type ResourceQuota, resourceOfLimit } from './decideRecount.ts';

export interface ResourceQuotaControllerDeps {
  readonly objectStore: ObjectReader;
  /** The namespaced resources that are stored: quotas can count these. */
  readonly resources: readonly GroupResource[];
  /** Whether a resource is a custom one, which quotas can count too. Absent: there are none. */
  readonly isCustom?: (resource: GroupResource) => boolean;
}

const QUOTAS = 'resourcequotas';
/** A create is charged just before the object is stored. A recount without delay could see the charge and not yet the object. */
const RECOUNT_DELAY_MS = 1000;

/** Recounts what quotas have in use. Admission charges creates; a recount gives back what was deleted, has ended, or was charged and never created. */
export function createResourceQuotaController({
  objectStore,
  resources,
  isCustom = () => false,
}: ResourceQuotaControllerDeps): Controller<SyncContext> {
  const quotas = new SharedReads<ObjectList<ResourceQuota>>();
  const quotasIn = (namespace: string) =>
    quotas.share(namespace, () => objectStore.list<ResourceQuota>(QUOTAS, { namespace }));
  const known = new Set(resources);
  const isCounted = (resource: GroupResource) => known.has(resource) || isCustom(resource);
  return {
    name: 'resourcequota',
    resources: [QUOTAS],
    watches: { includes: (resource) => resource === QUOTAS || (resource !== 'events' && isCounted(resource)) },
    keysFor: (change) => keysForChange(quotasIn, change),
    keysToResync: (quota) => [keyOf(quota)],
    sync: (key, context) => syncResourceQuota(isCounted, key, context),
  };
}

function keyOf({ metadata }: KubernetesObject): WorkKey {
  return { controller: 'resourcequota', namespace: metadata.namespace ?? '', name: metadata.name };
}

function keysForChange(
  quotasIn: (namespace: string) => Promise<ObjectList<ResourceQuota>>,
  change: Change,
): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (change.resource === QUOTAS) return keysForQuota(change);
  const delayMs = recountDelayMs(change);
  return delayMs === undefined ? [] : keysForFreed(quotasIn, change, delayMs);
}

async function keysForFreed(
  quotasIn: (namespace: string) => Promise<ObjectList<ResourceQuota>>,
  change: Change,
  delayMs: number,
): Promise<readonly KeyToSend[]> {
  const { namespace = '' } = subjectOf(change).metadata;
  const quotas = await quotasIn(namespace);
  return quotas.items
    .filter((quota) => counts(quota, change.resource))
    .map((quota) => ({ key: keyOf(quota), delayMs }));
}

/** A charge causes a recount too: its create may have failed, or its writer may have died in between, and no other change would show that. */
function keysForQuota({ type, before, after }: Change): KeyToSend[] {
  if (type === 'DELETED') return [];
  const changed = (member: 'spec' | 'status') => JSON.stringify(before?.[member]) !== JSON.stringify(after[member]);
  if (changed('spec')) return [{ key: keyOf(after) }];
  return changed('status') ? [{ key: keyOf(after), delayMs: RECOUNT_DELAY_MS }] : [];
}

function counts(quota: ResourceQuota, resource: GroupResource): boolean {
  return Object.keys(quota.spec?.hard ?? {}).some((name) => resourceOfLimit(name) === resource);
}

/** Returns the delay to the recount that a change calls for, or `undefined` if the change frees nothing. */
function recountDelayMs(change: Change): number | undefined {
  if (change.type === 'DELETED') return 0;
  if (change.type === 'ADDED') return RECOUNT_DELAY_MS;
  if (change.resource !== 'pods') return undefined;
  if (hasEnded(change.after) && !hasEnded(change.before)) return 0;
  return isResized(change.before, change.after) ? RECOUNT_DELAY_MS : undefined;
}

/** A pod that grows was charged before. One that shrinks gives something back, as soon as its node has made it smaller. */
function isResized(before: Pod | undefined, after: Pod): boolean {
  // Most pods never change after their creation.
  if (before === undefined || (after.metadata.generation ?? 1) === 1) return false;
  if (before.spec === after.spec && before.status === after.status) return false;
  return !jsonEqual(sizesOf(before), sizesOf(after));
}

function sizesOf({ spec, status }: Pod): unknown {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return [
    containers.map(({ resources }) => resources),
    statuses.map(({ resources, allocatedResources }) => [resources, allocatedResources]),
  ];
}

function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Kubernetes' `syncResourceQuota`. */
async function syncResourceQuota(
  isCounted: (resource: GroupResource) => boolean,
  key: WorkKey,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const { namespace, name } = key;
  // The quota is read before the objects that it counts: if anything is charged in between, the write below is refused.
  const quota = await registry.get<ResourceQuota>({ resource: QUOTAS, namespace, name });
  if (!quota) return reportDone({ reason: 'isGone' });
  const limited = [...new Set(Object.keys(quota.spec?.hard ?? {}).map(resourceOfLimit))].filter(isCounted);
  const counted = new Map(
    await Promise.all(
      limited.map(async (resource) => [resource, (await registry.list(resource, { namespace })).items] as const),
    ),
  );
  const status = decideRecount(quota, counted, nowMs);
  if (!status) return reportDone({ reason: 'quotaIsRight' });
  const outcome = await registry.update(
    QUOTAS,
    { ...quota, status },
    {
      subresource: 'status',
      from: quota,
    },
  );
  if (outcome.status === 'stored') {
    return {
      outcome: { status: 'done' },
      why: [reasonInWords({ reason: 'quotaUsed', used: status.used })],
      writes: [`count ${QUOTAS} ${namespace}/${name}`],
    };
  }
  if (outcome.error.reason === 'Conflict' || outcome.error.reason === 'NotFound') {
    return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'quotaChargedMeanwhile' })], writes: [] };
  }
  throw outcome.error;
}
