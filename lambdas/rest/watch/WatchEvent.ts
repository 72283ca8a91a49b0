import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Status } from '../response/statusOf.ts';

/** What a watcher is told; objects in storage version. */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: KubernetesObject;
      /** It was there when the watch began; nobody else is being told of it. */
      readonly initial?: true;
    }
  /** All up to this position has been sent. `initialEventsEnd` says that the list before the watch is over. */
  | { readonly type: 'BOOKMARK'; readonly position: number; readonly initialEventsEnd?: true }
  /** The last one: the watch is over. */
  | { readonly type: 'ERROR'; readonly status: Status }
  /** Nothing, so that a connection is not idle. */
  | { readonly type: 'KEEPALIVE' };
