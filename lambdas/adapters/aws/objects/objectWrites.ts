import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { deadWith, tombstoneExpiry } from './deadUids.ts';
import {
  BODY_ATTRIBUTES,
  bodyAttributes,
  FORMAT_ATTRIBUTE,
  type ObjectBody,
  type ObjectItem,
  uidOf,
  versionOf,
} from './objectItem.ts';
import { expiryAttribute } from './objectLifetime.ts';
import type { ItemWrite } from './ObjectTable.ts';

function numberValue(value: number) {
  return { N: String(value) };
}

/** Sets all attributes of the object, and removes those that only its predecessor had. `dead` stays as it is. */
function wholeBody(resource: GroupResource, body: ObjectBody, version: number, nowMs: number) {
  const attributes = { ...bodyAttributes(body), ...expiryAttribute(resource, nowMs) };
  return {
    set: { ...attributes, version: numberValue(version) },
    remove: [...BODY_ATTRIBUTES, 'expiresAt'].filter((attribute) => !(attribute in attributes)),
  };
}

export function creation(
  resource: GroupResource,
  body: ObjectBody,
  uid: string,
  version: number,
  nowMs: number,
): ItemWrite {
  return {
    ...wholeBody(resource, body, version, nowMs),
    condition:
      'attribute_not_exists(uid) AND (attribute_not_exists(dead.#dead) OR dead.#dead <= :now) ' +
      'AND (attribute_not_exists(version) OR version < :version)',
    names: { '#dead': uid },
    values: { ':now': numberValue(nowMs), ':version': numberValue(version) },
  };
}

/** An object that has expired is absent, so nothing replaces it. */
export function replacement(
  resource: GroupResource,
  body: ObjectBody,
  uid: string,
  read: number,
  version: number,
  nowMs: number,
): ItemWrite {
  const whole = wholeBody(resource, body, version, nowMs);
  const expires = 'expiresAt' in whole.set;
  return {
    ...whole,
    condition: `uid = :uid AND version = :read AND version < :version${expires ? ' AND (attribute_not_exists(expiresAt) OR expiresAt > :seconds)' : ''}`,
    values: {
      ':uid': { S: uid },
      ':read': numberValue(read),
      ':version': numberValue(version),
      ...(expires && { ':seconds': numberValue(nowMs / 1000) }),
    },
  };
}

/** The condition demands the known dead UIDs, since another one may have been burned beside the object. */
export function removal(item: ObjectItem, version: number, nowMs: number): ItemWrite {
  const uid = uidOf(item) ?? '';
  const unchanged = sameDead(item);
  return {
    set: {
      ...FORMAT_ATTRIBUTE,
      version: numberValue(version),
      dead: deadWith(item, uid, nowMs),
      expiresAt: tombstoneExpiry(nowMs),
    },
    remove: BODY_ATTRIBUTES,
    condition: `uid = :uid AND version = :read AND version < :version AND ${unchanged.condition}`,
    values: {
      ':uid': { S: uid },
      ':read': numberValue(versionOf(item)),
      ':version': numberValue(version),
      ...unchanged.values,
    },
  };
}

/** `item` is the known tombstone or object under the name. The condition demands its dead UIDs unchanged, since a newer item may have more. An object keeps its version: nothing of it changes. */
export function burning(item: ObjectItem | undefined, uid: string, nowMs: number): ItemWrite {
  const holder = item && uidOf(item);
  const unchanged = sameDead(item);
  const dead = deadWith(item, uid, nowMs);
  return {
    set: holder === undefined ? { ...FORMAT_ATTRIBUTE, dead, expiresAt: tombstoneExpiry(nowMs) } : { dead },
    remove: [],
    condition: `${holder === undefined ? 'attribute_not_exists(uid)' : 'uid = :holder'} AND ${unchanged.condition}`,
    values: { ...(holder !== undefined && { ':holder': { S: holder } }), ...unchanged.values },
  };
}

/** Holds for an item that has the dead UIDs of this one. */
function sameDead(item: ObjectItem | undefined): Pick<ItemWrite, 'condition' | 'values'> {
  const dead = item?.['dead'];
  return dead
    ? { condition: 'dead = :dead', values: { ':dead': dead as never } }
    : { condition: 'attribute_not_exists(dead)', values: {} };
}
