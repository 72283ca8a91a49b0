import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { LogState } from './logState.ts';

/** A segment of a log: changes in the order of their versions, and the log's state after them. */
export interface LogSegment {
  readonly state: LogState;
  /** The position before this segment. */
  readonly previousPosition: number;
  /** From this time on the segment counts as gone, whether DynamoDB has deleted it or not. */
  readonly expiresAtMs: number;
  readonly changes: readonly Change[];
  /** Only in a segment that begins an epoch: the versions of changes that will never be logged, and count as logged. */
  readonly lost?: readonly number[];
}

type EncodedChange = readonly [version: number, before: KubernetesObject | null, after: KubernetesObject | null];

/** Quality 4 takes about 10 ms for a megabyte, and finds what the objects of one batch have in common. */
const BROTLI_QUALITY = 4;

export function encodeChanges(changes: readonly Change[]): Uint8Array {
  const encoded = changes.map(({ version, before, after }): EncodedChange => [version, before ?? null, after ?? null]);
  return brotliCompressSync(JSON.stringify(encoded), { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

export function decodeChanges(resource: GroupResource, bytes: Uint8Array): readonly Change[] {
  const encoded = JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as readonly EncodedChange[];
  return encoded.map(([version, before, after]) => changeOf(resource, version, before, after));
}

/** Returns the change from one object to another. At least one of them must exist. */
export function changeOf(
  resource: GroupResource,
  version: number,
  before: KubernetesObject | null,
  after: KubernetesObject | null,
): Change {
  if (before && after) return { type: 'MODIFIED', resource, version, before, after };
  if (after) return { type: 'ADDED', resource, version, after };
  if (before) return { type: 'DELETED', resource, version, before };
  throw new TypeError(`the change of ${resource} with version ${version} has no object`);
}

/** Encodes a state as text, so that operators can read it in the console. */
export function encodeState(state: LogState): AttributeValue {
  return { S: JSON.stringify(state) };
}

export function decodeState(attribute: AttributeValue | undefined): LogState {
  if (attribute?.S === undefined) throw new TypeError('an item of the change log has no state');
  return JSON.parse(attribute.S) as LogState;
}
