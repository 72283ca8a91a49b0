/// <reference lib="esnext.disposable" preserve="true" />
/** @ts-ignore An optional peer dependency. Without it, `kubeConfig` does not work and has type any. */
import type { KubeConfig } from '@kubernetes/client-node';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { DeleteHow, ListQuery, PatchHow } from './ClusterObjects.ts';
import type { Faults } from './Faults.ts';
import type {
  AnyManifest,
  AppliedOf,
  JsonPatchOperation,
  ManifestOf,
  MergePatch,
  UntypedManifest,
} from './ManifestOf.ts';
import type { ObjectOf } from './ObjectOf.ts';

/**
 * A cluster with its controllers, in this process. A key is written `deployment/default/web`; in `deployment/web` the namespace is `default`. A call rejects with
 * a ClusterRequestError if the API refuses the request, and with an Error after the cluster was stopped.
 */
export interface Cluster {
  /** The URL of the HTTP API: `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The address of a page that shows the cluster's rollouts live, for a browser on this machine: a test that is stuck can be looked at. */
  readonly dashboardUrl: string;
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
  apply<const Version extends string, const Kind extends string>(
    manifest: ManifestOf<Version, Kind>,
  ): Promise<[AppliedOf<Version, Kind>]>;
  apply(manifests: readonly AnyManifest[]): Promise<KubernetesObject[]>;
  apply(manifest: string | UntypedManifest | readonly UntypedManifest[]): Promise<KubernetesObject[]>;
  /** Reads an object. Its type is that of the kind which the key names. */
  get<K extends string>(key: K): Promise<ObjectOf<K>>;
  /** Lists the objects of a resource. */
  list<R extends string>(resource: R, query?: ListQuery): Promise<ObjectOf<R>[]>;
  /** Patches an object by a part of its fields, or by a list of operations; resolves to the object after it. */
  patch<K extends string>(
    key: K,
    patch: MergePatch<ObjectOf<K>> | readonly JsonPatchOperation[],
    how?: PatchHow,
  ): Promise<ObjectOf<K>>;
  /** Deletes an object; resolves when the API has accepted that, which may be before the object is gone. */
  delete(key: string, how?: DeleteHow): Promise<void>;
  /** The functions above and `explain` for another namespace: keys and manifests that name no namespace are in this one, and lists are of it. The namespace need not exist yet. */
  inNamespace(namespace: string): ClusterInNamespace;
  /** Sends any other request to the API, without a socket; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;

  /**
   * Explains the state of an object: what the last syncs of its key saw, decided and wrote, and what it waits for now. The key may name a Deployment or any other
   * object that a controller syncs.
   */
  explain(key: string): Promise<string>;
  /**
   * Empties the cluster for the next test, in some tens of milliseconds: removes all objects but those that every new cluster has, whatever finalizers they have, all faults, and the behaviours of pods that were applied
   * later. The clock stays where it is, and versions keep rising: a client that watches sees each object go.
   */
  reset(): Promise<void>;
  /** Faults make requests to the API fail, conflict or wait. */
  readonly faults: Faults;

  /** Stops the cluster and closes everything. Only a data directory remains. May be called again. */
  stop(): Promise<void>;
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The functions of a cluster that read and write objects, with a namespace of their own for those that name none. */
export type ClusterInNamespace = Pick<Cluster, 'apply' | 'get' | 'list' | 'patch' | 'delete' | 'explain'>;
