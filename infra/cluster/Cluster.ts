/// <reference lib="esnext.disposable" preserve="true" />
/** @ts-ignore An optional peer dependency. Without it, `kubeConfig` does not work and has type any. */
import type { KubeConfig } from '@kubernetes/client-node';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { DeleteHow, ListQuery, PatchHow } from './ClusterObjects.ts';
import type { Faults } from './Faults.ts';
import type { ObjectOf } from './ObjectOf.ts';

/**
 * A cluster with its controllers, in this process. A key is written `deployment/default/web`; in `deployment/web` the namespace is `default`. A call rejects with
 * a ClusterRequestError if the API refuses the request, and with an Error after the cluster was stopped.
 */
export interface Cluster {
  /** The URL of the HTTP API: `http://127.0.0.1:40123`. */
  readonly url: string;
  /** A kubeconfig for `url`, as YAML. */
  readonly kubeconfig: string;
  /** The path of a file with the same kubeconfig, for `KUBECONFIG`. `stop` deletes the file, unless it is in a data directory. */
  readonly kubeconfigPath: string;
  /** The same kubeconfig for `@kubernetes/client-node`, which must be installed beside this package. */
  kubeConfig(): Promise<KubeConfig>;

  /** The time of the cluster's clock. */
  now(): Date;
  /**
   * Resolves when nothing is left to do at this instant: no key is due before time moves on. A stuck rollout counts as settled. While clients watch, `settle` also
   * waits until they have been quiet (see `quietMs`).
   */
  settle(): Promise<void>;
  /**
   * Moves a virtual clock forward by a duration such as `10m` or `1h30m`, or by a number of milliseconds. Everything due in that time (deadlines, back-off, pods,
   * bookmarks of watches) happens in order and at its own time; the cluster settles after each and at the end. Rejects if the clock is real.
   */
  advance(duration: string | number): Promise<void>;

  /**
   * Creates the objects of a manifest (YAML, JSON or objects), or patches those that exist; fields that the manifest does not name keep their values. Resolves to
   * the stored objects.
   */
  apply(manifest: string | object | readonly object[]): Promise<KubernetesObject[]>;
  get<K extends string>(key: K): Promise<ObjectOf<K>>;
  list<R extends string>(resource: R, query?: ListQuery): Promise<ObjectOf<R>[]>;
  patch<K extends string>(key: K, patch: object, how?: PatchHow): Promise<ObjectOf<K>>;
  delete(key: string, how?: DeleteHow): Promise<void>;
  /** Sends any other request to the API, without a socket; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;

  /**
   * Explains the state of an object: what the last syncs of its key saw, decided and wrote, and what it waits for now. The key may name a Deployment or any other
   * object that a controller syncs.
   */
  explain(key: string): Promise<string>;
  /** Faults make requests to the API fail, conflict or wait. */
  readonly faults: Faults;

  /** Stops the cluster and closes everything. Only a data directory remains. May be called again. */
  stop(): Promise<void>;
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
