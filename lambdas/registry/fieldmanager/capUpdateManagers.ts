import { NOTHING } from './FieldSet.ts';
import { compareTexts, managerKey, type ManagedFields, type ManagedSet } from './ManagedFields.ts';

/** The most entries of updates that an object keeps, as in Kubernetes. */
const MAX_UPDATE_MANAGERS = 10;

/** The manager under whose name old entries are merged. */
const OLD_UPDATES_MANAGER = 'ancient-changes';

/** Merges the oldest entries of updates, one entry for each version, until there are few enough. Entries of applies are kept. Pure. */
export function capUpdateManagers(managed: ManagedFields): ManagedFields {
  const updates = [...managed].filter(([, { operation }]) => operation === 'Update');
  let excess = updates.length - MAX_UPDATE_MANAGERS;
  if (excess <= 0) return managed;
  const capped = new Map(managed);
  const oldest = new Map<string, string>();
  for (const [key, update] of updates.sort(compareAge)) {
    if (excess <= 0) break;
    const first = oldest.get(update.apiVersion);
    if (first === undefined) oldest.set(update.apiVersion, key);
    else {
      mergeOld(capped, { key, first, update });
      excess -= 1;
    }
  }
  return capped;
}

/** Merges an entry into the one for old updates of its version, which begins as the oldest entry. Its time is that of the newest entry in it. */
function mergeOld(
  managed: Map<string, ManagedSet>,
  { key, first, update }: { readonly key: string; readonly first: string; readonly update: ManagedSet },
): void {
  const bucket = { ...update, manager: OLD_UPDATES_MANAGER, subresource: '' };
  const bucketKey = managerKey(bucket);
  const sources = managed.has(bucketKey) && key !== bucketKey ? [key, bucketKey] : [first, key];
  const set = sources.reduce((all, source) => all.union(managed.get(source)?.set ?? NOTHING), NOTHING);
  for (const source of sources) managed.delete(source);
  managed.set(bucketKey, { ...bucket, set });
}

function compareAge([keyA, a]: [string, ManagedSet], [keyB, b]: [string, ManagedSet]): number {
  return compareTexts(a.time ?? '', b.time ?? '') || compareTexts(keyA, keyB);
}
