import type { PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, PersistentVolumeClaim, Pod } from '../objects/kinds.ts';

/** What keeps a pod from starting until somebody else creates or changes an object that the pod refers to. */
export interface MissingObjects {
  /** What a kubelet says in events about the volumes that it could not mount; empty if only containers wait. */
  readonly mountErrors: readonly string[];
}

/** The next write that the runtime wants for a pod. There is one at a time, since a write touches spec or status, never both. */
export type PodStep =
  | {
      readonly step: 'status';
      readonly status: PodStatus;
      readonly nextAtMs?: number;
      readonly missing?: MissingObjects;
      /** With this status the runtime waits for nothing but a change of the pod, so it need not be asked again. */
      readonly isSettled?: true;
    }
  /** The pod is being deleted and its containers have ended: remove the object. */
  | { readonly step: 'remove' }
  /** Nothing to write; look again at `nextAtMs`, or never unless the pod changes or, with `missing`, an object that it refers to. */
  | { readonly step: 'wait'; readonly nextAtMs?: number; readonly missing?: MissingObjects };

/** The keys that a ConfigMap or a Secret has. */
export interface DataKeys {
  /** Those of `data`. */
  readonly text: ReadonlySet<string>;
  /** Those of `binaryData`. They can be mounted, and be no variables. */
  readonly binary: ReadonlySet<string>;
}

/** Reads what a pod refers to, in its namespace. */
export interface ReferenceReader {
  /** Resolves to `undefined` if there is no such object. */
  keysOf(resource: 'configmaps' | 'secrets', name: string): Promise<DataKeys | undefined>;
  /** Resolves to `undefined` if there is no such claim. */
  claim(name: string): Promise<PersistentVolumeClaim | undefined>;
}

/** What surrounds a pod. */
export interface PodSurroundings {
  /** The pods of the same node. They are given only if the pod waits to be resized (see `isResizing`). */
  readonly neighbours?: readonly Pod[];
  /** Is asked only when a container may start that refers to other objects. Absent: all of them exist. */
  readonly references?: ReferenceReader;
}

/**
 * Runs pods that have a node. The pod controller asks it about one pod at a time, when the pod has changed or when a time that the runtime named has come. It may be asked
 * twice about the same state, and must then give the same answer.
 */
export interface PodRuntime {
  /** Returns the next write to the pod. `node` is the pod's own; absent if it does not exist, or if the pod was deleted before it got one. */
  next(pod: Pod, node: Node | undefined, nowMs: number, around?: PodSurroundings): Promise<PodStep>;
}
