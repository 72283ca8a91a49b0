import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writer } from '../AuditedStore.ts';

/** What the requests to the table of objects serve that are sent from here on. */
export interface ObjectRequest {
  /** `[replicaset] create pods a/web-1`. */
  readonly what: string;
  /** Called once, at the last instant before the first of them takes effect. */
  before?: (() => Promise<void>) | undefined;
  /** Called once, at the last instant before the first of them that writes takes effect. */
  beforeWrite?: (() => Promise<void>) | undefined;
  /** The version of the object that is to be removed, and no other. */
  readonly removes?: string | undefined;
}

export const currentRequest = new AsyncLocalStorage<ObjectRequest>();

/** Who writes, if it is not the sync that is running. */
export const currentWriter = new AsyncLocalStorage<Writer>();
