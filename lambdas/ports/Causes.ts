import type { GroupResource } from '../objects/ObjectKey.ts';
import type { Change } from './ChangeLog.ts';

/** Changes, each named by its resource and version: `pods 12`. No two changes have the same name, because a resource's versions are drawn from one counter. */
export type Causes = ReadonlySet<string>;

/** The longest text of causes, in characters: what a key has seen must not make its item cost another write unit, nor a message another request. */
const MAX_LENGTH = 400;
const NONE: Causes = new Set();

/** Names a change. Pure. */
export function causeOf({ resource, version }: Pick<Change, 'resource' | 'version'>): string {
  return `${resource} ${version}`;
}

/** Returns the causes as text, `pods:3-5,9;replicasets.apps:7`; `undefined` if there are none, or more than a text may hold. Pure. */
export function encodeCauses(causes: Causes): string | undefined {
  if (causes.size === 0) return undefined;
  const text = [...byResource(causes)]
    .map(([resource, versions]) => `${resource}:${encodeVersions(versions)}`)
    .join(';');
  return text.length <= MAX_LENGTH ? text : undefined;
}

/** Reads what `encodeCauses` wrote. What it cannot read is left out: a cause that is missing only means one sync more. Pure. */
export function decodeCauses(text: string | undefined): Causes {
  if (text === undefined || text.length > MAX_LENGTH) return NONE;
  const causes = text.split(';').flatMap((part) => {
    const [resource = '', versions = ''] = part.split(':');
    if (resource === '') return [];
    return decodeVersions(versions).map((version) => causeOf({ resource, version }));
  });
  return new Set(causes);
}

/** Returns both, the newer ones last. Pure. */
export function joinCauses(older: Causes, newer: Causes): Causes {
  return new Set([...older, ...newer]);
}

/** Returns as many of the causes as a text may hold, the last ones. Pure. */
export function newestCauses(causes: Causes): Causes {
  const kept = [...causes];
  while (kept.length > 0 && encodeCauses(new Set(kept)) === undefined) kept.splice(0, Math.ceil(kept.length / 4));
  return new Set(kept);
}

/** True if there are causes and all of them are among `seen`. Pure. */
export function areSeen(causes: Causes | undefined, seen: Causes | undefined): boolean {
  if (!causes || !seen || causes.size === 0) return false;
  return [...causes].every((cause) => seen.has(cause));
}

function byResource(causes: Causes): ReadonlyMap<GroupResource, readonly number[]> {
  const all = new Map<GroupResource, number[]>();
  for (const cause of causes) {
    const [resource = '', version] = cause.split(' ');
    all.set(resource, [...(all.get(resource) ?? []), Number(version)]);
  }
  return all;
}

/** Neighbours as a range: `3-5,9`. */
function encodeVersions(versions: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const version of versions.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && version === last[1] + 1) last[1] = version;
    else ranges.push([version, version]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** The most versions of one text: what is longer was not written by `encodeCauses`. */
const MAX_VERSIONS = 2_000;

function decodeVersions(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    const isRange = Number.isSafeInteger(first) && Number.isSafeInteger(last) && last - first < MAX_VERSIONS;
    return isRange && first > 0 && first <= last ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [];
  });
}
