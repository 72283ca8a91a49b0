import type { PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../objects/kinds.ts';

/** The next write that the runtime wants for a pod. There is one at a time, since a write touches spec or status, never both. */
export type PodStep =
  | { readonly step: 'status'; readonly status: PodStatus; readonly nextAtMs?: number }
  /** The pod is being deleted and its containers have ended: remove the object. */
  | { readonly step: 'remove' }
  /** Nothing to write; look again at `nextAtMs`, or never unless the pod changes. */
  | { readonly step: 'wait'; readonly nextAtMs?: number };

/**
 * Runs pods that have a node. The pod controller asks it about one pod at a time, when the pod has changed or when a time that the runtime named has come. It may be asked
 * twice about the same state, and must then give the same answer.
 */
export interface PodRuntime {
  /**
   * Returns the next write to the pod. `node` is the pod's own; absent if it does not exist, or if the pod was deleted before it got one. `neighbours` are the pods of the same node; they are given only if the
   * pod waits to be resized (see `isResizing`).
   */
  next(pod: Pod, node: Node | undefined, nowMs: number, neighbours?: readonly Pod[]): Promise<PodStep>;
}
