import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { RecentTexts } from '../../objects/RecentTexts.ts';
import { encodeUntyped, sharedMembers } from '../../objects/sharedMembers.ts';

/** The JSON of an object, `kind` and `apiVersion` first, as Kubernetes writes it. */
export function encodeObject(object: KubernetesObject): string {
  return `${head(object)}${encodeUntyped(object).slice(1)}`;
}

/** Like `encodeObject`, but encodes an object once for all watchers of one change. The object must never change. */
export function encodeShared(object: KubernetesObject): string {
  return `${head(object)}${sharedMembers(object)}`;
}

/** The JSON of a custom object: its members in alphabetical order, as Kubernetes writes what it knows no type of. Encoded once for all watchers of one change. The object must never change. */
export function encodeCustomObject(object: KubernetesObject): string {
  return sharedCustom.get(object, () => JSON.stringify(sorted(object)));
}

const sharedCustom = new RecentTexts({ count: 1_000, characters: 16 * 2 ** 20 });

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The JSON of an object inside a list. Kubernetes omits its `kind` and `apiVersion`, because the list's imply them. */
export function encodeItem(object: KubernetesObject): string {
  return encodeUntyped(object);
}

function head({ kind, apiVersion }: KubernetesObject): string {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
}
