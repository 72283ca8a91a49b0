import type { ObjectOf } from './ObjectOf.ts';
import { collectionPath, type ResolvedKey, resolveKey, resolveResource } from './resolveResource.ts';
import { UsageError } from '../host/UsageError.ts';
import { applyManifest } from '../host/applyManifest.ts';
import type { SendRequest } from '../host/SendRequest.ts';
import { type Manifest, parseManifest, parseManifests } from '../host/readManifests.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';

/** Selects the objects to list. */
export interface ListQuery {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** In kubectl's syntax: `app=web,tier!=db`. */
  readonly labelSelector?: string;
  /** In kubectl's syntax: `status.phase=Running`. */
  readonly fieldSelector?: string;
}

export interface PatchHow {
  /** Default: `json` if the patch is a list of operations, else `strategic`, as with `kubectl patch`, or `merge` for custom resources, which know no other. */
  readonly type?: 'strategic' | 'merge' | 'json';
  readonly subresource?: 'status' | 'scale';
}

export interface DeleteHow {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

const PATCH_TYPES = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** Reads and writes objects through the API, without a socket. Rejects with a ClusterRequestError if the API refuses. */
export class ClusterObjects {
  readonly #send: SendRequest;
  readonly #entries: () => Promise<readonly ResourceEntry[]>;
  readonly #namespace: string | undefined;

  /** `entries`: returns what is served now. `namespace`: where keys, manifests and lists are that name none; absent: `default`, and lists are of all namespaces. */
  constructor(send: SendRequest, entries: () => Promise<readonly ResourceEntry[]>, namespace?: string) {
    this.#send = send;
    this.#entries = entries;
    this.#namespace = namespace;
  }

  async apply(manifest: string | object | readonly object[]): Promise<KubernetesObject[]> {
    const applied: KubernetesObject[] = [];
    for (const one of await manifestsOf(manifest)) {
      applied.push(await this.#applyOne(one));
    }
    return applied;
  }

  async get<K extends string>(key: K): Promise<ObjectOf<K>> {
    return (await this.#ask((await this.resolve(key)).path)) as ObjectOf<K>;
  }

  async list<R extends string>(resource: R, query: ListQuery = {}): Promise<ObjectOf<R>[]> {
    const { namespace = this.#namespace ?? '', ...selectors } = query;
    const path = collectionPath(resolveResource(await this.#entries(), resource), namespace);
    const list = await this.#ask(`${path}?${new URLSearchParams(selectors).toString()}`);
    return (list as { items: ObjectOf<R>[] }).items;
  }

  async patch<K extends string>(key: K, patch: object, how: PatchHow = {}): Promise<ObjectOf<K>> {
    const { path, entry } = await this.resolve(key);
    const merge = entry.custom ? 'merge' : 'strategic';
    const { type = Array.isArray(patch) ? 'json' : merge, subresource } = how;
    const place = subresource === undefined ? path : `${path}/${subresource}`;
    return (await this.#ask(place, 'PATCH', patch, PATCH_TYPES[type])) as ObjectOf<K>;
  }

  async delete(key: string, how: DeleteHow = {}): Promise<void> {
    await this.#ask((await this.resolve(key)).path, 'DELETE', how);
  }

  /** Finds the object that a key names. Rejects with a TypeError for an invalid key. */
  async resolve(key: string): Promise<ResolvedKey> {
    return resolveKey(await this.#entries(), key, this.#namespace);
  }

  async #applyOne(manifest: Manifest): Promise<KubernetesObject> {
    try {
      return (await applyManifest(this.#send, manifest, this.#namespace)).object as KubernetesObject;
    } catch (error) {
      if (!(error instanceof UsageError) || error.cause === undefined) throw error;
      throw new ClusterRequestError(`apply ${manifest.kind} ${manifest.metadata.name}`, error.cause);
    }
  }

  async #ask(path: string, method = 'GET', body?: object, contentType = 'application/json'): Promise<unknown> {
    const sent = body && { headers: { 'Content-Type': contentType }, body: JSON.stringify(body) };
    const response = await this.#send(path, { method, ...sent });
    const answer: unknown = await response.json();
    if (!response.ok) throw new ClusterRequestError(`${method} ${path}`, answer);
    return answer;
  }
}

async function manifestsOf(manifest: string | object | readonly object[]): Promise<readonly Manifest[]> {
  if (typeof manifest === 'string') return parseManifests(manifest, 'the manifest');
  const objects: readonly object[] = Array.isArray(manifest) ? manifest : [manifest];
  return objects.map((object) => parseManifest('the manifest', object));
}

/** Reports a request that the cluster's API refused, with the contents of its Status. */
export class ClusterRequestError extends Error {
  readonly code: number;
  /** `NotFound`, `Conflict`, `Invalid`, …; empty if the API gave no reason. */
  readonly reason: string;
  /** The Status that the API returned. */
  readonly status: unknown;

  constructor(request: string, status: unknown) {
    const { code = 0, reason = '', message = 'refused' } = Object(status) as Partial<ClusterRequestError>;
    super(`${request}: ${message}`);
    this.name = 'ClusterRequestError';
    this.code = code;
    this.reason = reason;
    this.status = status;
  }
}
