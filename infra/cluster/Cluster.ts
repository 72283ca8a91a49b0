/// <reference lib="esnext.disposable" preserve="true" />
/** @ts-ignore It is an optional peer: without it, `kubeConfig` is of no use, and of type any. */
import type { KubeConfig } from '@kubernetes/client-node';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { DeleteHow, ListQuery, PatchHow } from './ClusterObjects.ts';
import type { Faults } from './Faults.ts';
import type { ObjectOf } from './ObjectOf.ts';

/**
 * A cluster with controllers, in this process. Keys are written `deployment/default/web`; without a namespace, `deployment/web`, the namespace is `default`. Calls
 * reject with a ClusterRequestError where the API refuses, and throw once the cluster is stopped.
 */
export interface Cluster {
  /** Of the HTTP API: `http://127.0.0.1:40123`. */
  readonly url: string;
  /** A kubeconfig for `url`, as YAML. */
  readonly kubeconfig: string;
  /** The same in a file, for `KUBECONFIG`; it goes when the cluster is stopped, unless it lies in a data directory. */
  readonly kubeconfigPath: string;
  /** The same for `@kubernetes/client-node`, which must be installed beside this package. */
  kubeConfig(): Promise<KubeConfig>;

  /** The time in the cluster. */
  now(): Date;
  /**
   * Resolves when nothing is left to do at this instant: no key is to be synced before time moves on. A rollout that is stuck is settled. While clients watch, it also waits
   * until they have been quiet (see `quietMs`).
   */
  settle(): Promise<void>;
  /**
   * Moves a virtual clock on by `10m`, `1h30m` or so many milliseconds. Whatever falls due on the way (deadlines, back-off, pods, bookmarks of watches) does so in order
   * and at its own time, and the cluster settles before the next and in the end. Rejects if the clock is real.
   */
  advance(duration: string | number): Promise<void>;

  /**
   * Creates the objects of a manifest (YAML, JSON or objects), or, where they are there, patches them with it; what it does not name stays as it is. Resolves to
   * them as they are stored.
   */
  apply(manifest: string | object | readonly object[]): Promise<KubernetesObject[]>;
  get<K extends string>(key: K): Promise<ObjectOf<K>>;
  list<R extends string>(resource: R, query?: ListQuery): Promise<ObjectOf<R>[]>;
  patch<K extends string>(key: K, patch: object, how?: PatchHow): Promise<ObjectOf<K>>;
  delete(key: string, how?: DeleteHow): Promise<void>;
  /** Any other request to the API, answered without a socket; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;

  /**
   * Why it is as it is: what the last syncs of this key saw, decided and wrote, and what is waited for now. The key may name a Deployment, or anything else that a
   * controller works on.
   */
  explain(key: string): Promise<string>;
  /** Makes requests to the API fail, conflict or wait. */
  readonly faults: Faults;

  /** Ends everything: nothing stays open, and without a data directory nothing stays. Again: the same. */
  stop(): Promise<void>;
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
