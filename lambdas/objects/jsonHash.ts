import { fnv1a } from './fnv1a.ts';

/** apimachinery's `rand` alphabet: no vowels and nothing that looks like one, so that no words appear. */
const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns a hash for the name of an object that is made from this JSON: FNV-1a (32 bits, in decimal, each digit replaced as Kubernetes' `SafeEncodeString` does) of the text with sorted keys. The same JSON gives the same hash
 * for ever: absent fields do not count, so new API versions do not change it. The collision count is included, so that a name taken by other content leads to another name. Pure.
 */
export function jsonHash(value: unknown, collisionCount?: number): string {
  const text = (canonicalJson(value) ?? '') + (collisionCount === undefined ? '' : `#${collisionCount}`);
  return String(fnv1a(text)).replace(/\d/g, (digit) => SAFE_ALPHABET[digit.charCodeAt(0) % SAFE_ALPHABET.length] ?? '');
}

/** JSON with sorted keys. Values that `jsonEqual` and `templatesEqual` treat alike (absent, null, empty lists, empty maps of metadata) give the same text. */
function canonicalJson(value: unknown, key = ''): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : `[${value.map((item) => canonicalJson(item) ?? 'null').join()}]`;
  }
  const members = Object.entries(value)
    .map(([name, member]) => [name, canonicalJson(member, name)] as const)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .sort();
  const isEmptyMap = members.length === 0 && (key === 'annotations' || key === 'labels' || key === 'metadata');
  return isEmptyMap ? undefined : `{${members.join()}}`;
}
