import type { PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../objects/kinds.ts';

/** What the runtime wants written of a pod now; at most one of them at a time, since a write touches spec or status, never both. */
export type PodStep =
  /** The scheduler's part: bind it to this node. */
  | { readonly step: 'bind'; readonly nodeName: string }
  | { readonly step: 'status'; readonly status: PodStatus; readonly nextAtMs?: number }
  /** Its containers have ended and it was asked to be deleted: the object can go. */
  | { readonly step: 'remove' }
  /** Nothing to write; look again at `nextAtMs`, or never unless the pod changes. */
  | { readonly step: 'wait'; readonly nextAtMs?: number };

/**
 * What runs pods. It is asked about one pod at a time, whenever the pod changed or a time that it named has come, and may be asked twice about
 * the same state: the answer must be the same then.
 */
export interface PodRuntime {
  next(pod: Pod, nodes: readonly Node[], nowMs: number): Promise<PodStep>;
}
