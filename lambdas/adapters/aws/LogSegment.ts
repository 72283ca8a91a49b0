import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { LogState } from './logState.ts';

/** One link of the chain: changes in the order of their versions, and where the log stands after them. */
export interface LogSegment {
  readonly state: LogState;
  /** The position before this segment. */
  readonly previousPosition: number;
  /** From when on it counts as gone, deleted by DynamoDB or not. */
  readonly expiresAtMs: number;
  readonly changes: readonly Change[];
  /** Only where an epoch begins: the versions of changes that came too late to be logged, and count as logged. */
  readonly lost?: readonly number[];
}

type EncodedChange = readonly [version: number, before: KubernetesObject | null, after: KubernetesObject | null];

/** Quality 4 takes some 10 ms for a megabyte, and finds what objects of one batch have in common. */
const BROTLI_QUALITY = 4;

export function encodeChanges(changes: readonly Change[]): Uint8Array {
  const encoded = changes.map(({ version, before, after }): EncodedChange => [version, before ?? null, after ?? null]);
  return brotliCompressSync(JSON.stringify(encoded), { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

export function decodeChanges(resource: GroupResource, bytes: Uint8Array): readonly Change[] {
  const encoded = JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as readonly EncodedChange[];
  return encoded.map(([version, before, after]) => changeOf(resource, version, before, after));
}

/** The change that led from one object to another; one of them is there. */
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

/** A state as an attribute: a text that can be read in the console. */
export function encodeState(state: LogState): AttributeValue {
  return { S: JSON.stringify(state) };
}

export function decodeState(attribute: AttributeValue | undefined): LogState {
  if (attribute?.S === undefined) throw new TypeError('an item of the change log has no state');
  return JSON.parse(attribute.S) as LogState;
}
