import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { SyncContext } from '../Controller.ts';
import type { RemainingContent } from './namespaceConditions.ts';

type Writes = Pick<SyncContext, 'registry' | 'mayGoOn'>;

/** The content that was found, and how many of its objects were deleted just now. */
export interface DeletedContent extends RemainingContent {
  readonly deleted: number;
}

const CONCURRENT_DELETES = 32;
const CONCURRENT_LISTS = 16;

/**
 * Deletes everything in the namespace that is not being deleted already, while the sync may write, and returns what it found. A resource that cannot be listed and an object that cannot be deleted
 * are failures, and stop nothing else. Only a result without content and without failures means that a strong listing of every resource found nothing.
 */
export async function deleteAllContent(
  writes: Writes,
  resources: readonly GroupResource[],
  namespace: string,
): Promise<DeletedContent> {
  const counts = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: string[] = [];
  let deleted = 0;
  for await (const { resource, items } of contentOf(writes, resources, namespace, failures)) {
    if (items.length === 0) continue;
    // An object that is deleted here is counted too: only the next listing can show that it is gone for good.
    counts.set(qualified(resource), items.length);
    for (const object of items) {
      for (const name of object.metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
    const going = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const errors = await deleteAll(writes, resource, going);
    deleted += going.length - errors.length;
    failures.push(...errors);
  }
  return { counts, finalizers, failures, deleted };
}

/** Lists some resources at the same time, since most of them have nothing here. A store may answer what it knows of several with one read. */
async function* contentOf(writes: Writes, resources: readonly GroupResource[], namespace: string, failures: string[]) {
  for (let at = 0; at < resources.length; at += CONCURRENT_LISTS) {
    const some = resources.slice(at, at + CONCURRENT_LISTS);
    const lists = await Promise.all(some.map((resource) => listAll(writes, resource, namespace, failures)));
    yield* some.map((resource, index) => ({ resource, items: lists[index] ?? [] }));
  }
}

async function listAll(
  { registry }: Writes,
  resource: GroupResource,
  namespace: string,
  failures: string[],
): Promise<readonly KubernetesObject[]> {
  try {
    return (await registry.list(resource, { namespace })).items;
  } catch (error) {
    failures.push(`${resource}: ${messageOf(error)}`);
    return [];
  }
}

/** Kubernetes prints `resource.group` with the dot also for the core group. */
function qualified(resource: GroupResource): string {
  return resource.includes('.') ? resource : `${resource}.`;
}

async function deleteAll(
  { registry, mayGoOn }: Writes,
  resource: GroupResource,
  objects: readonly KubernetesObject[],
): Promise<string[]> {
  const waiting = [...objects];
  const errors: string[] = [];
  const worker = async () => {
    for (let next = waiting.pop(); next && mayGoOn(); next = waiting.pop()) {
      const error = await deleteOne(registry, resource, next);
      if (error !== undefined) errors.push(`${resource} "${next.metadata.name}": ${error}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_DELETES }, worker));
  return errors;
}

/** Returns why the object could not be deleted, if it could not. */
async function deleteOne(
  registry: Writes['registry'],
  resource: GroupResource,
  { metadata: { namespace = '', name, uid } }: KubernetesObject,
): Promise<string | undefined> {
  try {
    const outcome = await registry.delete(
      { resource, namespace, name },
      { propagationPolicy: 'Background', preconditions: { uid } },
    );
    const expected = outcome.status !== 'refused' || ['NotFound', 'Conflict'].includes(outcome.error.reason);
    return expected ? undefined : outcome.error.message;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
