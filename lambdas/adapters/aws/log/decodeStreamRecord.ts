import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { TracedChange } from '../../../ports/ChangeLog.ts';
import { changeOf } from './logContents.ts';
import { traceOf } from '../objects/traceAttribute.ts';
import { expiryVersion } from '../objects/objectLifetime.ts';
import { decodeSizedObject, isLive, keyOfItem, type ObjectItem, versionOf } from '../objects/objectItem.ts';

/** A record of the objects table's stream as Lambda delivers it: byte values are base64. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  /** DynamoDB itself, if the time to live deleted the item. */
  readonly userIdentity?: { readonly type?: string | undefined; readonly principalId?: string | undefined } | undefined;
  readonly dynamodb?:
    | {
        readonly SequenceNumber?: string | undefined;
        readonly Keys?: object | undefined;
        readonly NewImage?: object | undefined;
        readonly OldImage?: object | undefined;
      }
    | undefined;
}

/** Who deletes items whose time to live is over. */
const TIME_TO_LIVE = 'dynamodb.amazonaws.com';

export type DecodedRecord =
  /** `jsonLength`: how long both objects are as JSON, in characters. */
  | { readonly status: 'change'; readonly change: TracedChange; readonly jsonLength: number }
  /** No change of an object: a tombstone expired or was updated, or a UID was burned. */
  | { readonly status: 'none' }
  /** The object cannot be read, or something other than this store changed it. The resource's log is not complete any more. */
  | { readonly status: 'unreadable'; readonly resource: GroupResource | undefined; readonly why: string };

/** Decodes a record of the stream. Never throws. Pure. */
export function decodeStreamRecord({ dynamodb, userIdentity }: StreamRecord): DecodedRecord {
  const before = dynamodb?.OldImage as ObjectItem | undefined;
  const after = dynamodb?.NewImage as ObjectItem | undefined;
  const key = keyOfItem((dynamodb?.Keys ?? {}) as ObjectItem);
  if (!key) return { status: 'unreadable', resource: undefined, why: 'the record has no key of an object' };
  const { resource } = key;
  const liveBefore = before && isLive(before) ? before : undefined;
  const liveAfter = after && isLive(after) ? after : undefined;
  if (!liveBefore && !liveAfter) return { status: 'none' };
  const expired =
    userIdentity?.principalId === TIME_TO_LIVE && before ? expiryVersion(resource, versionOf(before)) : undefined;
  const version = after ? versionOf(after) : expired;
  if (version === undefined)
    return { status: 'unreadable', resource, why: `${resource} ${key.name} was deleted without a tombstone` };
  if (before && versionOf(before) === version) return { status: 'none' };
  try {
    const [old, now] = [read(liveBefore), read(liveAfter)];
    const jsonLength = (old?.jsonLength ?? 0) + (now?.jsonLength ?? 0);
    const change = changeOf(resource, version, old?.object ?? null, now?.object ?? null);
    const replaces = before && !liveBefore ? versionOf(before) : 0;
    const trace = after && traceOf(after);
    const told = { ...change, ...(replaces > 0 && { replaces }), ...(trace && { trace }) };
    return { status: 'change', change: told, jsonLength };
  } catch (error) {
    return { status: 'unreadable', resource, why: String(error) };
  }
}

function read(
  item: ObjectItem | undefined,
): { readonly object: KubernetesObject; readonly jsonLength: number } | undefined {
  return item && decodeSizedObject(item);
}
