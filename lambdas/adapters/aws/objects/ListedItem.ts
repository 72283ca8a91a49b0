import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { ListedObject } from '../../../ports/ObjectStore.ts';
import { bodyAttributeOf, decodeBodyOf, type ObjectItem, versionOf } from './objectItem.ts';
import type { StoredAttribute } from './storedBody.ts';

/** A live item of a list: its name, version and body as stored. A pod of 2 KB takes less than 1 KB so, and decoded about 7 KB. */
class ListedItem implements ListedObject {
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  readonly bytes: number;
  readonly #place: string;
  readonly #body: StoredAttribute;

  constructor(place: string, namespace: string, item: ObjectItem, body: StoredAttribute) {
    this.#place = place;
    this.namespace = namespace;
    this.name = item['name']?.S ?? '';
    this.version = versionOf(item);
    this.bytes = (body.S ?? body.B ?? '').length;
    this.#body = body;
  }

  load(): KubernetesObject {
    return decodeBodyOf(this.#body, this.version, () => `${this.#place}/${this.name}`);
  }
}

/**
 * Returns the live items of a page, which were checked to have a known format, as objects of a list. Their bytes are moved together: what the SDK reads lies between other buffers in blocks that stay in memory as long as any
 * part of them is used.
 */
export function listedItems(place: string, items: readonly ObjectItem[]): readonly ListedObject[] {
  const bodies = items.map(bodyAttributeOf);
  const bytes = bodies.map(({ B }) => (typeof B === 'string' ? Buffer.from(B, 'base64') : B));
  const block = Buffer.allocUnsafeSlow(bytes.reduce((sum, one) => sum + (one?.length ?? 0), 0));
  const [, namespace = ''] = place.split('#');
  let at = 0;
  return items.map((item, index) => {
    const own = bytes[index];
    if (!own) return new ListedItem(place, namespace, item, { S: bodies[index]?.S ?? '' });
    block.set(own, at);
    at += own.length;
    return new ListedItem(place, namespace, item, { B: block.subarray(at - own.length, at) });
  });
}
