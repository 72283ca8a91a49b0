import type { ApiError } from '../objects/ApiError.ts';
import { conflict } from '../objects/apiErrors.ts';
import { copyJson, jsonEqual } from '../objects/json.ts';
import { controllerOf, type KubernetesObject } from '../objects/KubernetesObject.ts';
import { formatTime, LATEST_TIME_MS } from '../ports/Clock.ts';
import type { DeleteOptions } from './Registry.ts';
import { groupKind, type ResourceEntry } from './ResourceEntry.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './validation/metadataFields.ts';

export type DeletionDecision =
  | { readonly decision: 'refuse'; readonly error: ApiError }
  /** The object is already being deleted, and this request does not change how. */
  | { readonly decision: 'wait' }
  /** The object's deletion timestamp, grace period or finalizers change. */
  | { readonly decision: 'mark'; readonly object: KubernetesObject }
  /** The object gets a grace period of 0, which watchers see, and is removed after that. */
  | { readonly decision: 'markAndRemove'; readonly object: KubernetesObject }
  | { readonly decision: 'remove' };

/** Decides a DELETE of this object, as `rest.BeforeDelete` and the generic store's Delete of the API server. Pure. */
export function decideDeletion(
  entry: ResourceEntry,
  object: KubernetesObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionDecision {
  const error = preconditionError(entry, object, options);
  if (error !== undefined) return { decision: 'refuse', error };
  if (entry.strategy.markDeleting !== undefined) return decideTwoSteps(entry, object, options, nowMs);
  if (entry.strategy.gracePeriodSeconds !== undefined) return decideGraceful(entry, object, options, nowMs);
  return decideAtOnce(entry, object, options, nowMs);
}

function preconditionError(
  entry: ResourceEntry,
  object: KubernetesObject,
  { preconditions = {}, onlyIfControlledBy }: DeleteOptions,
): ApiError | undefined {
  const { metadata } = object;
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid)
    return conflict(
      groupKind(entry),
      metadata.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    return conflict(
      groupKind(entry),
      metadata.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  if (onlyIfControlledBy !== undefined && onlyIfControlledBy !== controllerOf(object)?.uid)
    return conflict(
      groupKind(entry),
      metadata.name,
      `its controller is no longer the one with the UID ${onlyIfControlledBy}`,
    );
  return undefined;
}

/** For namespaces and definitions: the first DELETE only marks the object; later ones wait until nothing holds it. */
function decideTwoSteps(
  entry: ResourceEntry,
  object: KubernetesObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionDecision {
  if (object.metadata.deletionTimestamp !== undefined)
    return entry.strategy.isHeld?.(object) === true
      ? { decision: 'wait' }
      : decideAtOnce(entry, object, options, nowMs);
  const draft = withFinalizers(entry, object, options);
  draft.metadata.deletionTimestamp = formatTime(nowMs);
  entry.strategy.markDeleting?.(draft, nowMs);
  return { decision: 'mark', object: draft };
}

/** For pods: once the containers have ended, the pod's runtime deletes the pod with a grace period of 0. Until then another DELETE can only shorten the grace period. */
function decideGraceful(
  entry: ResourceEntry,
  object: KubernetesObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionDecision {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation = 0 } = object.metadata;
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0)
    return decideAtOnce(entry, object, options, nowMs);
  const draft = withFinalizers(entry, object, options);
  if (deletionTimestamp === undefined) {
    const seconds = boundGracePeriod(entry.strategy.gracePeriodSeconds?.(object, options) ?? 0, nowMs);
    setGracePeriod(draft, nowMs, seconds);
    if (generation > 0) Object.assign(draft.metadata, { generation: generation + 1 });
    return markOrRemove(draft, seconds);
  }
  const askedAtMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const seconds = boundGracePeriod(options.gracePeriodSeconds ?? deletionGracePeriodSeconds, askedAtMs);
  if (seconds >= deletionGracePeriodSeconds) return { decision: 'wait' };
  return shorten(draft, askedAtMs, seconds, nowMs);
}

/** Counts the shorter period from the first request. Where it has already passed, the deletion is due now, and the one who runs the pod has a second left. */
function shorten(draft: KubernetesObject, askedAtMs: number, seconds: number, nowMs: number): DeletionDecision {
  const endsAtMs = askedAtMs + seconds * 1000;
  const left = endsAtMs < nowMs ? Math.min(seconds, 1) : seconds;
  draft.metadata.deletionTimestamp = formatTime(Math.max(endsAtMs, nowMs));
  Object.assign(draft.metadata, { deletionGracePeriodSeconds: left });
  return markOrRemove(draft, left);
}

/**
 * Returns the grace period that is stored. Kubernetes reads a negative one as one second. It accepts any int64, and where its nanoseconds overflow, the pod's end lies anywhere within 292 years; here a
 * longer one ends at the latest time that can be written.
 */
function boundGracePeriod(seconds: number, askedAtMs: number): number {
  return seconds < 0 ? 1 : Math.min(seconds, Math.floor((LATEST_TIME_MS - askedAtMs) / 1000));
}

function setGracePeriod(draft: KubernetesObject, askedAtMs: number, seconds: number): void {
  draft.metadata.deletionTimestamp = formatTime(askedAtMs + seconds * 1000);
  Object.assign(draft.metadata, { deletionGracePeriodSeconds: seconds });
}

function markOrRemove(draft: KubernetesObject, seconds: number): DeletionDecision {
  const held = (draft.metadata.finalizers ?? []).length > 0;
  return { decision: seconds > 0 || held ? 'mark' : 'markAndRemove', object: draft };
}

function decideAtOnce(
  entry: ResourceEntry,
  object: KubernetesObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionDecision {
  const draft = withFinalizers(entry, object, options);
  if ((draft.metadata.finalizers ?? []).length === 0) return { decision: 'remove' };
  const { deletionTimestamp, generation = 0 } = object.metadata;
  if (deletionTimestamp === undefined && generation > 0) Object.assign(draft.metadata, { generation: generation + 1 });
  if (deletionTimestamp === undefined || Date.parse(deletionTimestamp) > nowMs)
    draft.metadata.deletionTimestamp = formatTime(nowMs);
  Object.assign(draft.metadata, { deletionGracePeriodSeconds: 0 });
  return jsonEqual(draft, object) ? { decision: 'wait' } : { decision: 'mark', object: draft };
}

/** Drafts the object with the finalizer that tells the garbage collector what to do with the dependents. Only the metadata is copied, the rest is shared. */
function withFinalizers(entry: ResourceEntry, object: KubernetesObject, options: DeleteOptions): KubernetesObject {
  const draft: KubernetesObject = { ...object, metadata: copyJson(object.metadata) };
  const { finalizers = [] } = object.metadata;
  const others = finalizers.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER);
  const wanted = entry.strategy.collectsGarbage === false ? undefined : collectorFinalizer(finalizers, options);
  const next = wanted === undefined ? others : [...others, wanted];
  // If the set is the same, its order stays.
  if (next.length === finalizers.length && next.every((name) => finalizers.includes(name))) return draft;
  if (next.length === 0) delete draft.metadata.finalizers;
  else draft.metadata.finalizers = next;
  return draft;
}

/** The finalizer for the requested policy. Without one, the finalizer from an earlier request stays; otherwise the version's default decides. */
function collectorFinalizer(finalizers: readonly string[], options: DeleteOptions): string | undefined {
  const { propagationPolicy, defaultPropagation } = options;
  if (propagationPolicy === 'Orphan') return ORPHAN_FINALIZER;
  if (propagationPolicy === 'Foreground') return FOREGROUND_FINALIZER;
  if (propagationPolicy === 'Background') return undefined;
  const standing = finalizers.find((name) => name === ORPHAN_FINALIZER || name === FOREGROUND_FINALIZER);
  return standing ?? (defaultPropagation === 'Orphan' ? ORPHAN_FINALIZER : undefined);
}
