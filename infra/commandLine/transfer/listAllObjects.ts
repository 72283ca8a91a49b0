import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { UsageError } from '../../host/UsageError.ts';
import { staysBehind } from './withoutOldLife.ts';

/** A resource of a control plane. `root`: `/api/v1`, `/apis/apps/v1`. */
export interface ServedKind {
  readonly root: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

const PAGE_SIZE = 500;
/** HTTP's code for a continue token that is too old. */
const EXPIRED = 410;

/** Returns the kinds whose objects can be listed and created, each in its preferred version. */
export async function discoverKinds(send: SendRequest): Promise<readonly ServedKind[]> {
  const { groups } = await read<{ groups: readonly { preferredVersion: { groupVersion: string } }[] }>(send, '/apis');
  const groupVersions = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
  const kinds: ServedKind[] = [];
  for (const apiVersion of ['v1', ...groupVersions]) {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await read<{ resources: readonly ListedResource[] }>(send, root);
    for (const { name, kind, namespaced, verbs } of resources) {
      const isKnown = kinds.some((known) => known.kind === kind && known.apiVersion === apiVersion);
      if (name.includes('/') || isKnown || staysBehind({ kind })) continue;
      if (['list', 'create'].every((verb) => verbs.includes(verb))) {
        kinds.push({ root, apiVersion, plural: name, kind, namespaced });
      }
    }
  }
  return kinds;
}

/** Lists every object of the control plane but events, kind by kind and page by page. Throws a UsageError if the control plane refuses a list. */
export async function listAllObjects(send: SendRequest): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const { root, plural, apiVersion, kind } of await discoverKinds(send)) {
    // Items of a list have no kind of their own.
    for (const item of await listKind(send, `${root}/${plural}`)) objects.push({ ...item, apiVersion, kind });
  }
  return objects;
}

interface Page {
  readonly items: readonly KubernetesObject[];
  readonly metadata: { readonly continue?: string };
}

/**
 * Lists one kind as it was at one moment. If that moment is too long ago for the next page, lists it anew, all at once, as client-go does: pages could expire again.
 */
async function listKind(send: SendRequest, collection: string): Promise<readonly KubernetesObject[]> {
  const items: KubernetesObject[] = [];
  let query: string | undefined = `limit=${PAGE_SIZE}`;
  while (query !== undefined) {
    const page: Page | 'expired' = await readPage(send, `${collection}?${query}`);
    if (page === 'expired') return (await read<Page>(send, collection)).items;
    for (const item of page.items) items.push(item);
    const token = page.metadata.continue;
    query = token ? `limit=${PAGE_SIZE}&continue=${encodeURIComponent(token)}` : undefined;
  }
  return items;
}

async function readPage(send: SendRequest, path: string): Promise<Page | 'expired'> {
  const response = await send(path);
  return response.status === EXPIRED ? 'expired' : await decodeAnswer<Page>(response, path);
}

async function read<T>(send: SendRequest, path: string): Promise<T> {
  return await decodeAnswer<T>(await send(path), path);
}

async function decodeAnswer<T>(response: Response, path: string): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const { message = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new UsageError(`the control plane refuses to show ${path.split('?')[0]}: ${message}`);
}
