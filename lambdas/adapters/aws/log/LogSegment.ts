import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decodeVersions, encodeVersions } from './encodeVersions.ts';
import type { LogState, SegmentMark } from './logState.ts';

/** A segment of a log as its item says it: what it holds, and where the contents are. */
export interface LogSegment extends SegmentMark {
  readonly segment: number;
  /** The position before this segment. */
  readonly previousPosition: number;
  /** The versions that this segment logs, ascending. Its parts may hold other changes too: those were logged by another segment meanwhile. */
  readonly versions: readonly number[];
  readonly parts: readonly LogPart[];
  /** What a barrier names is kept out although the named versions are logged: older changes of the objects may still be on their way. */
  readonly lasting?: boolean | undefined;
  /** From this time on the segment counts as gone, whether DynamoDB has deleted it or not. */
  readonly expiresAtMs: number;
}

/** Some of a segment's contents, compressed. */
export interface LogPart {
  /** The namespaces of its changes; absent if they are too many to name. */
  readonly namespaces?: readonly string[];
  /** The contents, if they are in the segment's own item. */
  readonly bytes?: Uint8Array;
  /** Otherwise the id of the items that hold them, and how many those are. */
  readonly id?: string;
  readonly slices?: number;
}

/** The number of this layout of the log's items. A release that changes the layout raises the number. */
const FORMAT = 2;

export type LogItem = Readonly<Record<string, AttributeValue>>;

export function encodeSegment(segment: LogSegment): LogItem {
  const inline = segment.parts.find(({ bytes }) => bytes !== undefined)?.bytes;
  const parts = segment.parts.map((part) => ({ ...part, bytes: undefined }));
  return {
    format: number(FORMAT),
    kind: { S: segment.kind },
    position: number(segment.position),
    previousPosition: number(segment.previousPosition),
    atMs: number(segment.atMs),
    expiresAtMs: number(segment.expiresAtMs),
    ...(segment.versions.length > 0 && { versions: { B: encodeVersions(segment.versions) } }),
    ...(parts.length > 0 && { parts: { S: JSON.stringify(parts) } }),
    ...(inline && { body: { B: inline } }),
    ...(segment.lasting && { lasting: { BOOL: true } }),
  };
}

/** Throws for an item of another format. */
export function decodeSegment(item: LogItem): LogSegment {
  assertKnownFormat(item);
  const versions = item['versions']?.B;
  const body = item['body']?.B;
  const parts = JSON.parse(item['parts']?.S ?? '[]') as readonly LogPart[];
  return {
    segment: numberOf(item, 'segment'),
    kind: kindOf(item),
    position: numberOf(item, 'position'),
    previousPosition: numberOf(item, 'previousPosition'),
    atMs: numberOf(item, 'atMs'),
    expiresAtMs: numberOf(item, 'expiresAtMs'),
    versions: versions ? decodeVersions(versions) : [],
    ...(item['lasting']?.BOOL && { lasting: true }),
    parts: body ? parts.map((part) => (part.id === undefined ? { ...part, bytes: body } : part)) : parts,
  };
}

/** Encodes a state as text, so that operators can read it in the console. */
export function encodeHead(state: LogState): LogItem {
  return { format: number(FORMAT), headSegment: number(state.segment), state: { S: JSON.stringify(state) } };
}

/** Throws for an item of another format. */
export function decodeHead(item: LogItem): LogState {
  assertKnownFormat(item);
  if (item['state']?.S === undefined) throw new TypeError('the head of a change log has no state');
  return JSON.parse(item['state'].S) as LogState;
}

function assertKnownFormat(item: LogItem): void {
  const format = item['format']?.N;
  if (format === String(FORMAT)) return;
  throw new TypeError(`an item of the change log has format ${format}, and this release reads format ${FORMAT}`);
}

function kindOf(item: LogItem): LogSegment['kind'] {
  const kind = item['kind']?.S;
  if (kind === 'changes' || kind === 'epoch' || kind === 'barrier') return kind;
  throw new TypeError(`a segment of the change log has the kind ${kind}`);
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}

function numberOf(item: LogItem, name: string): number {
  return Number(item[name]?.N ?? 0);
}
