import type { KubernetesObject } from './KubernetesObject.ts';
import { RecentTexts } from './RecentTexts.ts';

/** A store writes an object's JSON for its journal, and all watchers of the change write it again within moments. */
const shared = new RecentTexts({ count: 4_000, characters: 16 * 2 ** 20 });

/** The JSON of an object's members without `kind` and `apiVersion`, and without the brace before the first of them. It is made once for all who ask at about the same time. The object must never change. */
export function sharedMembers(object: KubernetesObject): string {
  return shared.get(object, () => encodeUntyped(object).slice(1));
}

/** Tells the JSON of an object that was just stored, so that `sharedMembers` need not make it. The object must never change. */
export function shareJson(object: KubernetesObject, json: string): void {
  const head = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  // Of the few objects whose members have another order, the text is made when it is asked for.
  if (json.startsWith(head)) shared.keep(object, json.slice(head.length));
}

/** The JSON of an object without its `kind` and `apiVersion`. */
export function encodeUntyped({ kind: _kind, apiVersion: _apiVersion, ...members }: KubernetesObject): string {
  return JSON.stringify(members);
}
