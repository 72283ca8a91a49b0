import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type IndexName, indexValues } from '../../../objects/indexes.ts';
import { controllerOf, type KubernetesObject, type NewObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../../objects/ObjectKey.ts';
import { MAX_OBJECT_BYTES, type TooLargeOutcome } from '../../../ports/ObjectStore.ts';
import { assertFormat } from '../assertFormat.ts';
import { bodySize, decodeBody, encodeBody, encodePackedBody, isPacked, type StoredAttribute } from './storedBody.ts';

/**
 * An item of the objects table, live or a tombstone, as a read, a failed condition or the stream returns it:
 *
 * - `place` (see `placeOf`) and `name`: its key;
 * - `format`: the number of this layout. A reader refuses an item with a higher one;
 * - `version`: that of its last write, which may be a deletion;
 * - `dead`: the UIDs that may not come back under this name, each with the time in milliseconds at which its ban ends;
 * - live items only: `uid`; `body`, or `bulk` if it is too large for the indexes; `controller`, `coOwned`, `selects`: its
 *   places in the indexes. A pod whose name begins with its controller's has no `controller`: the controller's pods are found by their names;
 * - `trace`: the trace in which its last write was made, if that is sampled (see traceAttribute.ts);
 * - tombstones, and events (see `expiryAttribute`): `expiresAt`, in seconds, after which DynamoDB may delete the item.
 */
export type ObjectItem = Readonly<Record<string, StoredAttribute>>;

/** The largest body as it is stored, compressed: with its keys, its entries in indexes and its tombstones it still fits into an item of 400 KB. */
export const MAX_STORED_BYTES = 380_000;
/** Larger bodies are left out of indexes: DynamoDB's limit of 400 KB counts an item and its entries in all indexes together. */
const LARGEST_INDEXED_BODY_BYTES = 32_000;
/** DynamoDB's limits on the parts of a key. */
const LONGEST_PLACE_BYTES = 2048;
const LONGEST_NAME_BYTES = 1024;
/** A longer index value is replaced by its digest, so that it fits beside the longest name. */
const LONGEST_INDEX_VALUE_BYTES = 384;

const INDEX_ATTRIBUTES = ['controller', 'coOwned', 'selects'] as const satisfies readonly IndexName[];

/** True if the key is within DynamoDB's limits. No object has any other key, and no write of one is tried. */
export function isStorable(key: ObjectKey): boolean {
  const nameBytes = Buffer.byteLength(key.name);
  return nameBytes > 0 && nameBytes <= LONGEST_NAME_BYTES && Buffer.byteLength(placeOf(key)) <= LONGEST_PLACE_BYTES;
}

export function itemKey(key: ObjectKey): Record<string, AttributeValue> {
  return { place: { S: placeOf(key) }, name: { S: key.name } };
}

/**
 * Resources whose objects are spread over several partitions, because a partition takes 1,000 write units a second and one namespace may need more. A list of the namespace
 * costs at least a read unit for each partition, so it pays only for objects that come in thousands.
 */
const PLACE_COUNTS: Readonly<Record<GroupResource, number>> = { pods: 16, events: 16 };

/** Returns the partition that holds an object: `configmaps#default`, or `pods#default#7` for a resource that is spread. Neither resources nor namespaces contain a `#`. */
export function placeOf({ resource, namespace, name }: ObjectKey): string {
  const count = PLACE_COUNTS[resource];
  return count === undefined
    ? `${resource}#${namespace}`
    : `${resource}#${namespace}#${hashOf(spreadBy(resource, name)) % count}`;
}

/** The events of one object are in one partition, so that the stream has them in the order of their writes. Their names are the object's and a time. */
function spreadBy(resource: GroupResource, name: string): string {
  const end = resource === 'events' ? name.lastIndexOf('.') : -1;
  return end < 0 ? name : name.slice(0, end);
}

/** Returns all partitions of a resource's objects in one namespace. */
export function placesOf(resource: GroupResource, namespace: string): readonly string[] {
  const count = PLACE_COUNTS[resource];
  if (count === undefined) return [`${resource}#${namespace}`];
  return Array.from({ length: count }, (_, place) => `${resource}#${namespace}#${place}`);
}

/** FNV-1a over the UTF-16 code units. It decides where objects are stored, so it must never change. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  // The low bits of this hash depend on few bits of the text, so the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns the key of an item; `undefined` if it is not an object's item. */
export function keyOfItem(item: ObjectItem): ObjectKey | undefined {
  const [, resource, namespace] = /^([^#]+)#([^#]*)(?:#\d+)?$/.exec(item['place']?.S ?? '') ?? [];
  const name = item['name']?.S;
  return resource === undefined || namespace === undefined || !name ? undefined : { resource, namespace, name };
}

/** An object to be written: a copy as JSON, without its version, which has an attribute of its own. */
export interface ObjectBody {
  readonly json: string;
  /** The size of the JSON that a read will return. */
  readonly bytes: number;
  readonly uid: string;
  /** Returns the JSON as it is stored. It is encoded once, however often it is written. */
  readonly encoded: () => AttributeValue;
  /** Its places in the indexes. */
  readonly indexed: Readonly<Record<string, AttributeValue>>;
}

/** The size of `"resourceVersion":"9007199254740991",` in the JSON. */
const VERSION_BYTES = 37;

export function bodyOf(resource: GroupResource, object: NewObject): ObjectBody {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const json = JSON.stringify({ ...object, metadata });
  const bytes = Buffer.byteLength(json) + VERSION_BYTES;
  let body: AttributeValue | undefined;
  const encoded = () => (body ??= encodeSmall(json));
  const indexed = indexAttributes(resource, object as KubernetesObject);
  return { json, bytes, uid: metadata.uid ?? '', encoded, indexed };
}

/** Packs only what would be too large otherwise, since the release before this one cannot read it. */
function encodeSmall(json: string): AttributeValue {
  const body = encodeBody(json);
  return bodySize(body) > MAX_STORED_BYTES ? encodePackedBody(json) : body;
}

/** Returns why an object cannot be stored under a key; `undefined` if it can. */
export function tooLarge(key: ObjectKey, { bytes, encoded }: ObjectBody): TooLargeOutcome | undefined {
  if (!isStorable(key)) return refusal('name', Buffer.byteLength(key.name), LONGEST_NAME_BYTES);
  if (bytes > MAX_OBJECT_BYTES) return refusal('object', bytes, MAX_OBJECT_BYTES);
  // A JSON below the limit is not longer when it is stored.
  if (bytes <= MAX_STORED_BYTES) return undefined;
  const storedBytes = bodySize(encoded());
  return storedBytes > MAX_STORED_BYTES ? refusal('compressed', storedBytes, MAX_STORED_BYTES) : undefined;
}

function refusal(part: TooLargeOutcome['part'], bytes: number, limitBytes: number): TooLargeOutcome {
  return { status: 'tooLarge', part, bytes, limitBytes };
}

export function objectOf(body: { readonly json: string }, version: number): KubernetesObject {
  const object = JSON.parse(body.json) as KubernetesObject;
  object.metadata.resourceVersion = String(version);
  return object;
}

/** Returns the attributes that hold an object, and the number of their layout, apart from its key and version. Attributes of `BODY_ATTRIBUTES` that it leaves out must be removed from the item. */
export function bodyAttributes({ uid, encoded, indexed }: ObjectBody): Record<string, AttributeValue> {
  const body = encoded();
  const place = bodySize(body) > LARGEST_INDEXED_BODY_BYTES ? 'bulk' : 'body';
  return {
    ...(isPacked(body) ? PACKED_FORMAT_ATTRIBUTE : FORMAT_ATTRIBUTE),
    uid: { S: uid },
    [place]: body,
    ...indexed,
  };
}

function indexAttributes(resource: GroupResource, object: KubernetesObject): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  if (!isIndexed(resource)) return attributes;
  const values = indexValues(resource, object);
  for (const name of INDEX_ATTRIBUTES) {
    const value = values[name];
    if (value !== undefined && !(name === 'controller' && isFoundByName(resource, object)))
      attributes[name] = { S: `${indexPrefix(value)}${object.metadata.name}` };
  }
  return attributes;
}

/** The number of the layout of items. The second has a packed body (see `encodePackedBody`): a release that reads only the first refuses such items, and no other. */
const FORMAT = 2;

/** Every item without a packed body carries it. */
export const FORMAT_ATTRIBUTE = { format: { N: '1' } } as const;
const PACKED_FORMAT_ATTRIBUTE = { format: { N: String(FORMAT) } } as const;

/** Throws if a newer release wrote the item: this one might misread it. */
export function assertKnownFormat(item: ObjectItem): void {
  assertFormat(item, FORMAT, nameOfItem(item));
}

/** The longest part of a controller's name that its pods' names begin with: a generated name has five more characters and at most 63. */
const LONGEST_PREFIX = 58;

/** Returns the text with which the names of a controller's pods begin. */
export function podNamePrefix(controllerName: string): string {
  return `${controllerName}-`.slice(0, LONGEST_PREFIX);
}

/** Events are many, own nothing and belong to no controller. They are kept out of all indexes, so that their writes cost half as much. */
export function isIndexed(resource: GroupResource): boolean {
  return resource !== 'events';
}

/** Whether objects of the resource are kept out of the `controller` index if their names begin with their controller's. Without an entry there, a write costs half as much. */
export function mayBeFoundByName(resource: GroupResource): boolean {
  return resource === 'pods';
}

/**
 * Returns the name under which KnownNamespaces has the namespaces with entries of this resource in any index; `undefined` if every object has one. Most namespaces have no orphaned or adopted pods. One read
 * shows that, where the indexes of all partitions would take sixteen.
 */
export function indexedResource(resource: GroupResource): string | undefined {
  return mayBeFoundByName(resource) ? `${resource}#indexed` : undefined;
}

/** Whether an object has an entry in any index, where that is not the rule. */
export function isIndexedException(resource: GroupResource, { indexed }: ObjectBody): boolean {
  return mayBeFoundByName(resource) && Object.keys(indexed).length > 0;
}

function isFoundByName(resource: GroupResource, object: KubernetesObject): boolean {
  const controller = controllerOf(object);
  return (
    mayBeFoundByName(resource) &&
    controller !== undefined &&
    object.metadata.name.startsWith(podNamePrefix(controller.name))
  );
}

/** The trace of an item's last write, if that is sampled (see traceAttribute.ts). */
export const TRACE = 'trace';

/** All attributes that `bodyAttributes` and `withTrace` may set. */
export const BODY_ATTRIBUTES = ['uid', 'body', 'bulk', TRACE, ...INDEX_ATTRIBUTES] as const;

/**
 * Returns the text that precedes the name in an index, so that the index is sorted by value, then name. It begins with the value's length, so no value's
 * prefix is the beginning of another's.
 */
export function indexPrefix(value: string): string {
  const bytes = Buffer.byteLength(value);
  if (bytes > LONGEST_INDEX_VALUE_BYTES) return `sha256:${createHash('sha256').update(value).digest('hex')}/`;
  return `${bytes}:${value}/`;
}

/** Whether an item has an entry in any index. */
export function isInIndex(item: ObjectItem): boolean {
  return INDEX_ATTRIBUTES.some((name) => item[name] !== undefined);
}

export function isLive(item: ObjectItem): boolean {
  return item['uid'] !== undefined;
}

export function uidOf(item: ObjectItem): string | undefined {
  return item['uid']?.S;
}

/** Returns 0 for the tombstone of a burned UID whose name has never had an object. */
export function versionOf(item: ObjectItem): number {
  return Number(item['version']?.N ?? 0);
}

/** Decodes the object of a live item. Throws if its body cannot be read. */
export function decodeObject<T extends KubernetesObject>(item: ObjectItem): T {
  assertKnownFormat(item);
  return decodeBodyOf<T>(bodyAttributeOf(item), versionOf(item), () => nameOfItem(item));
}

/** Decodes the object of a live item, and says how long its JSON is, in characters. Throws if its body cannot be read. */
export function decodeSizedObject(item: ObjectItem): {
  readonly object: KubernetesObject;
  readonly jsonLength: number;
} {
  assertKnownFormat(item);
  return decodeSized(bodyAttributeOf(item), versionOf(item), () => nameOfItem(item));
}

/** Returns the attribute with the object's body. Throws a TypeError if the item has no body. */
export function bodyAttributeOf(item: ObjectItem): StoredAttribute {
  const body = item['body'] ?? item['bulk'];
  if (!body) throw new TypeError(`the item ${nameOfItem(item)} has no body`);
  return body;
}

/** Decodes an object. Throws an error that names the item if its body cannot be read. */
export function decodeBodyOf<T extends KubernetesObject>(
  body: StoredAttribute,
  version: number,
  itemName: () => string,
): T {
  return decodeSized(body, version, itemName).object as T;
}

function decodeSized(body: StoredAttribute, version: number, itemName: () => string) {
  try {
    const json = decodeBody(body);
    return { object: objectOf({ json }, version), jsonLength: json.length };
  } catch (cause) {
    throw new Error(`the item ${itemName()} cannot be read`, { cause });
  }
}

function nameOfItem(item: ObjectItem): string {
  return `${item['place']?.S}/${item['name']?.S}`;
}
