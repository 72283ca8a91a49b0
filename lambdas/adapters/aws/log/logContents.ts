import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import { type Change, type ReadVersion, subjectOf } from '../../../ports/ChangeLog.ts';

/** A part of a segment's contents before it is stored. */
export interface EncodedPart {
  readonly bytes: Uint8Array;
  readonly namespaces?: readonly string[];
}

/** How much JSON makes a part. A watch of one namespace decodes only the parts with its changes, so smaller parts save it work and larger ones compress better. */
const PART_JSON_BYTES = 500_000;
/** A part with more namespaces does not name them. */
const NAMED_NAMESPACES = 8;
/** Quality 4 takes about 10 ms for a megabyte, and finds what the objects of one batch have in common. */
const BROTLI_QUALITY = 4;

type EncodedChange = readonly [
  version: number,
  before: KubernetesObject | null,
  after: KubernetesObject | null,
  merged?: 1 | undefined,
];

/** Encodes changes in parts, those of a namespace together. */
export function encodeChanges(changes: readonly Change[]): readonly EncodedPart[] {
  const sorted = changes.map((change) => ({ change, namespace: namespaceOf(change) })).sort(byNamespace);
  const parts: EncodedPart[] = [];
  let texts: string[] = [];
  let namespaces = new Set<string>();
  let bytes = 0;
  const flush = () => {
    if (texts.length === 0) return;
    parts.push({
      bytes: compress(`[${texts.join(',')}]`),
      ...(namespaces.size <= NAMED_NAMESPACES && { namespaces: [...namespaces] }),
    });
    [texts, namespaces, bytes] = [[], new Set(), 0];
  };
  for (const { change, namespace } of sorted) {
    const text = JSON.stringify(encodedChange(change));
    if (bytes + text.length > PART_JSON_BYTES) flush();
    texts.push(text);
    namespaces.add(namespace);
    bytes += text.length;
  }
  flush();
  return parts;
}

/** Decodes the changes of a part, and says how long their JSON is. */
export function decodeChanges(resource: GroupResource, bytes: Uint8Array) {
  const json = brotliDecompressSync(bytes).toString('utf8');
  const encoded = JSON.parse(json) as readonly EncodedChange[];
  const changes = encoded.map(([version, before, after, merged]): Change => {
    const change = changeOf(resource, version, before, after);
    return merged ? { ...change, merged: true } : change;
  });
  return { changes, jsonLength: json.length };
}

/** Encodes what a list has read, for the barrier that names it. */
export function encodeReads(reads: readonly ReadVersion[]): Uint8Array {
  return compress(JSON.stringify(reads.map(({ namespace, name, version }) => [namespace, name, version])));
}

export function decodeReads(bytes: Uint8Array): readonly ReadVersion[] {
  const encoded = JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as readonly [string, string, number][];
  return encoded.map(([namespace, name, version]) => ({ namespace, name, version }));
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

function encodedChange({ version, before, after, merged }: Change): EncodedChange {
  return merged ? [version, before ?? null, after ?? null, 1] : [version, before ?? null, after ?? null];
}

function compress(json: string): Uint8Array {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: json.length };
  return brotliCompressSync(json, { params });
}

function namespaceOf(change: Change): string {
  return subjectOf(change).metadata.namespace ?? '';
}

interface Placed {
  readonly change: Change;
  readonly namespace: string;
}

function byNamespace(a: Placed, b: Placed): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.change.version - b.change.version;
}
