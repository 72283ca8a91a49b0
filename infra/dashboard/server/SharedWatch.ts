import { setTimeout } from 'node:timers/promises';
import { controllerOf, type KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { readLines } from '../../host/readLines.ts';
import { statusMessage } from './statusMessage.ts';
import { type Changed, Followers } from './Followers.ts';

const GONE = 410;
/** A client that says how long it watches is known to begin again; the API may end its watch sooner. */
const WATCH_SECONDS = 300;
/** A watch that lasts so much longer has lost its connection unnoticed. */
const GRACE_SECONDS = 30;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject & { readonly code?: number };
}

/** One list and one watch of a resource, for everybody who follows it. It runs as long as somebody does. */
export class SharedWatch<T extends KubernetesObject = KubernetesObject> {
  readonly #send: SendRequest;
  readonly #path: string;
  readonly #saw: (object: KubernetesObject) => void;
  readonly #followers = new Followers<T>(
    (signal) => this.#run(signal),
    () => this.#forget(),
  );
  readonly #objects = new Map<string, T>();
  readonly #byOwner = new Map<string, Set<string>>();
  /** The UIDs by `namespace/name`. */
  readonly #byName = new Map<string, string>();
  /** Why the API does not answer now. */
  problem: string | undefined;
  /** The first list has come. */
  isKnown = false;
  /** How many watches were begun, for tests and for what the page says of its cost. */
  begunCount = 0;

  /** `path` is that of the resource in all namespaces: `/apis/apps/v1/deployments`. `saw` is called with each object that changes, before its followers. */
  constructor(send: SendRequest, path: string, saw: (object: KubernetesObject) => void = () => {}) {
    this.#saw = saw;
    this.#send = send;
    this.#path = path;
  }

  get isRunning(): boolean {
    return this.#followers.isRunning;
  }

  all(): Iterable<T> {
    return this.#objects.values();
  }

  byUid(uid: string): T | undefined {
    return this.#objects.get(uid);
  }

  named(namespace: string, name: string): T | undefined {
    return this.#objects.get(this.#byName.get(`${namespace}/${name}`) ?? '');
  }

  /** The objects that have this one as their controller. */
  ownedBy(uid: string): readonly T[] {
    return [...(this.#byOwner.get(uid) ?? [])].flatMap((one) => this.#objects.get(one) ?? []);
  }

  /** Follows until the returned function is called. */
  follow(changed: Changed<T>): () => void {
    return this.#followers.add(changed);
  }

  stop(): void {
    this.#followers.stop();
  }

  #forget(): void {
    this.#forgetAll();
    this.isKnown = false;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let version: string | undefined;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        version ??= await this.#list(signal);
        const beganMs = performance.now();
        for await (const event of this.#watch(version, signal)) {
          if (signal.aborted) return;
          version = this.#take(event);
          // The version is too old, or the API cannot go on: all is listed anew.
          if (version === undefined) break;
          pauseMs = FIRST_PAUSE_MS;
        }
        this.#fail(undefined);
        // Watches end by themselves now and then, also those that have seen nothing.
        if (performance.now() - beganMs > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ExpiredError) version = undefined;
        else this.#fail(error instanceof Error ? error.message : String(error));
      }
      await pauseFor(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const response = await this.#send(this.#path, { signal, headers: { accept: 'application/json' } });
    if (!response.ok) throw await errorOf(response, this.#path);
    const list = (await response.json()) as { readonly metadata: { resourceVersion: string }; readonly items: T[] };
    if (signal.aborted) return '';
    this.#forgetAll();
    for (const item of list.items) this.#put(item);
    this.isKnown = true;
    this.problem = undefined;
    this.#followers.tell(undefined);
    return list.metadata.resourceVersion;
  }

  async *#watch(version: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.begunCount += 1;
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${encodeURIComponent(version)}`;
    const limit = AbortSignal.timeout((WATCH_SECONDS + GRACE_SECONDS) * 1_000);
    try {
      const response = await this.#send(`${this.#path}?${query}`, { signal: AbortSignal.any([signal, limit]) });
      if (!response.ok) throw await errorOf(response, this.#path);
      this.#fail(undefined);
      if (!response.body) return;
      for await (const line of readLines(response.body)) yield JSON.parse(line) as WatchEvent;
    } catch (error) {
      if (!limit.aborted) throw error;
    }
  }

  /** Returns the version from which to go on; `undefined`: from a new list. */
  #take({ type, object }: WatchEvent): string | undefined {
    if (type === 'ERROR') return undefined;
    if (type !== 'BOOKMARK') {
      if (type === 'DELETED') this.#remove(object.metadata.uid);
      else this.#put(object as unknown as T);
      this.#saw(object);
      this.#followers.tell(object as unknown as T);
    }
    return object.metadata.resourceVersion;
  }

  #forgetAll(): void {
    this.#objects.clear();
    this.#byOwner.clear();
    this.#byName.clear();
  }

  #put(object: T): void {
    const { uid, namespace = '', name } = object.metadata;
    this.#remove(uid);
    this.#objects.set(uid, object);
    this.#byName.set(`${namespace}/${name}`, uid);
    const owner = controllerOf(object)?.uid;
    if (owner === undefined) return;
    const owned = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, owned.add(uid));
  }

  #remove(uid: string): void {
    const known = this.#objects.get(uid);
    if (!known) return;
    this.#objects.delete(uid);
    // A new object may have taken the name before the old one was seen to go.
    const name = `${known.metadata.namespace ?? ''}/${known.metadata.name}`;
    if (this.#byName.get(name) === uid) this.#byName.delete(name);
    const owner = controllerOf(known)?.uid ?? '';
    const owned = this.#byOwner.get(owner);
    owned?.delete(uid);
    if (owned?.size === 0) this.#byOwner.delete(owner);
  }

  #fail(problem: string | undefined): void {
    if (this.problem === problem) return;
    this.problem = problem;
    this.#followers.tell(undefined);
  }
}

class ExpiredError extends Error {}

async function errorOf(response: Response, path: string): Promise<Error> {
  const text = await response.text();
  if (response.status === GONE) return new ExpiredError(text);
  return new Error(`${path}: ${statusMessage(text, response.status)}`);
}

/** Ends early, and without an error, when nobody follows any more. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
