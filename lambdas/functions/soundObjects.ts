import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import type { ListOptions, ObjectList, ObjectStore, TimeLeft } from '../ports/ObjectStore.ts';
import { UnreadableObjectError } from '../ports/UnreadableObjectError.ts';

/** Returns why nobody can work with a stored object; `undefined` if everybody can. */
export type FindMisfit = (resource: GroupResource, object: KubernetesObject) => string | undefined;

export interface SoundObjectsParts {
  readonly objectStore: ObjectStore;
  readonly misfitOf: FindMisfit;
  /** Returns the object with the defaults that it lacks, as Kubernetes reads it. Nothing may be compared with an object of today, such as a template with that of a replica set, that was stored before a default existed. */
  readonly withDefaults: <T extends KubernetesObject>(resource: GroupResource, object: T) => T;
  /** False if no object of the resource needs to be looked at. */
  readonly isSuspect: (resource: GroupResource) => boolean;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Returns the store as everything behind it can rely on: it hands out no object that does not have its kind's shape, whatever an older release or an accident has stored. Lists leave such an object out, and to read it throws an
 * UnreadableObjectError, so that nobody takes it for deleted. It is told once, in the log, and stays until it is deleted through the API. In Kubernetes one such object makes every list of its resource fail.
 */
export function soundObjects(parts: SoundObjectsParts): ObjectStore {
  const { objectStore, isSuspect, withDefaults } = parts;
  const whyUnreadable = rememberingWhy(parts);
  return {
    async get<T extends KubernetesObject>(key: ObjectKey): Promise<T | undefined> {
      const object = await objectStore.get<T>(key);
      const why = object && whyUnreadable(key, object);
      if (object && why !== undefined) throw new UnreadableObjectError(key, object, why);
      return object && withDefaults(key.resource, object);
    },
    async list<T extends KubernetesObject>(resource: GroupResource, options: ListOptions = {}): Promise<ObjectList<T>> {
      if (!isSuspect(resource)) return await objectStore.list<T>(resource, options);
      const page = await listSound<T>(objectStore, resource, options, whyUnreadable);
      return { ...page, items: page.items.map((object) => withDefaults(resource, object)) };
    },
    create: objectStore.create.bind(objectStore),
    replace: objectStore.replace.bind(objectStore),
    remove: objectStore.remove.bind(objectStore),
    burn: objectStore.burn.bind(objectStore),
    ...(objectStore.listEncoded && { listEncoded: objectStore.listEncoded.bind(objectStore) }),
    ...(objectStore.until && { until: (left: TimeLeft) => soundObjects(within(parts, left)) }),
  };
}

function within(parts: SoundObjectsParts, timeLeftMs: TimeLeft): SoundObjectsParts {
  return { ...parts, objectStore: parts.objectStore.until?.(timeLeftMs) ?? parts.objectStore };
}

type WhyUnreadable = (key: ObjectKey, object: KubernetesObject) => string | undefined;

function rememberingWhy({ misfitOf, log }: SoundObjectsParts): WhyUnreadable {
  const told = new Set<string>();
  return (key, object) => {
    const why = misfitOf(key.resource, object);
    if (why === undefined) return undefined;
    const place = `${key.resource}/${key.namespace}/${key.name}/${object.metadata.resourceVersion}`;
    if (!told.has(place)) log({ level: 'error', msg: 'unreadable', ...key, error: why });
    told.add(place);
    return why;
  };
}

/** A page of which nothing can be read is followed by the next one: a page without items would be taken for the end. */
async function listSound<T extends KubernetesObject>(
  objectStore: ObjectStore,
  resource: GroupResource,
  options: ListOptions,
  whyUnreadable: WhyUnreadable,
): Promise<ObjectList<T>> {
  let page = await objectStore.list<T>(resource, options);
  for (;;) {
    const sound = page.items.filter((object) => whyUnreadable(keyOf(resource, object), object) === undefined);
    const last = page.items.at(-1);
    if (sound.length === page.items.length) return page;
    if (sound.length > 0 || !page.more || !last) return { ...page, items: sound };
    const { namespace, name } = keyOf(resource, last);
    page = await objectStore.list<T>(resource, { ...options, after: { namespace, name } });
  }
}

function keyOf(resource: GroupResource, { metadata: { namespace = '', name } }: KubernetesObject): ObjectKey {
  return { resource, namespace, name };
}
