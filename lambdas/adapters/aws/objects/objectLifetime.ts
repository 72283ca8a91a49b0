import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import { EVENT_LIFETIME_MS } from '../../../ports/ObjectStore.ts';
import { isLive, keyOfItem, type ObjectItem, versionOf } from './objectItem.ts';

/**
 * Resources whose objects end by themselves, so long after their last write. DynamoDB's time to live deletes the items, minutes to days later and at no cost; until then, reads leave them out. The deletion is
 * logged with the version after that of the object's last write, which is drawn together with it (see `versionsPerWrite`): so it is recognised when it is delivered twice, as any other change is.
 */
const LIFETIMES_MS: Readonly<Record<GroupResource, number>> = { events: EVENT_LIFETIME_MS };

/** Returns the attribute with the time, in seconds, at which an object that is written now ends; nothing for one that does not end by itself. */
export function expiryAttribute(resource: GroupResource, nowMs: number): Readonly<Record<string, AttributeValue>> {
  const lifetimeMs = LIFETIMES_MS[resource];
  return lifetimeMs === undefined ? {} : { expiresAt: { N: String(Math.ceil((nowMs + lifetimeMs) / 1000)) } };
}

/** Whether a live item's object has ended by itself. Its item may still be there for days. */
export function isExpired(item: ObjectItem, nowMs: number): boolean {
  const seconds = item['expiresAt']?.N;
  return isLive(item) && seconds !== undefined && Number(seconds) * 1000 <= nowMs;
}

/** Returns the objects among these items that have ended by themselves. A list that leaves them out has read them nevertheless: what is logged of them later is older than the list. Pure. */
export function endedAmong(items: readonly ObjectItem[], nowMs: number): readonly ReadVersion[] {
  return items.flatMap((item) => {
    const key = isExpired(item, nowMs) ? keyOfItem(item) : undefined;
    if (!key) return [];
    const { resource, namespace, name } = key;
    const version = versionOf(item);
    return [{ namespace, name, version, endVersion: expiryVersion(resource, version) ?? version }];
  });
}

/** Whether writes of the resource give way when DynamoDB throttles them. Events do: most are written when thousands of pods start, and then the pods need the throughput. */
export function givesWay(resource: GroupResource): boolean {
  return LIFETIMES_MS[resource] !== undefined;
}

/** Returns how many versions are drawn for one write: one for the write, and one for the end of what it wrote. */
export function versionsPerWrite(resource: GroupResource): number {
  return LIFETIMES_MS[resource] === undefined ? 1 : 2;
}

/** Returns the version with which the end of an object is logged; nothing if the object does not end by itself. */
export function expiryVersion(resource: GroupResource, version: number): number | undefined {
  return LIFETIMES_MS[resource] === undefined ? undefined : version + 1;
}
