import type { KubernetesObject } from './KubernetesObject.ts';
import { RecentTexts } from './RecentTexts.ts';

/** A store writes an object's JSON for its journal, and all watchers of the change write it again within moments. */
const shared = new RecentTexts({ count: 4_000, characters: 16 * 2 ** 20 });

/** The JSON of an object's members without `kind` and `apiVersion`, and without the brace before the first of them. It is made once for all who ask at about the same time. The object must never change. */
export function sharedMembers(object: KubernetesObject): string {
  return shared.get(object, () => writeUntyped(object).slice(1));
}

/** The JSON of an object without its `kind` and `apiVersion`, for one answer. It is taken from what is shared at present, and not kept: a long list would push out what others share. */
export function encodeUntyped(object: KubernetesObject): string {
  const members = shared.find(object);
  return members === undefined ? writeUntyped(object) : `{${members}`;
}

/** Tells the JSON of an object that was just stored, so that `sharedMembers` need not make it. The object must never change. */
export function shareJson(object: KubernetesObject, json: string): void {
  const head = `{"apiVersion":${JSON.stringify(object.apiVersion)},"kind":${JSON.stringify(object.kind)},`;
  // Of the few objects whose members have another order, the text is made when it is asked for.
  if (json.startsWith(head)) shared.keep(object, json.slice(head.length));
}

function writeUntyped({ kind: _kind, apiVersion: _apiVersion, ...members }: KubernetesObject): string {
  return JSON.stringify(members);
}
