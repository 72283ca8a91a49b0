import type { SQSEvent } from 'aws-lambda';
import type { ResyncRequest } from './createResyncHandler.ts';

export type ResyncEvent =
  | ResyncRequest
  /** Stream batches were given up: what the log and the controllers missed is not known. */
  | { readonly what: 'givenUp' };

/**
 * What triggers `resync`: a schedule's request as it stands, or a batch of the queue of what was given up, each of whose messages is a request to look at
 * every key or else the notice of a stream batch. Throws for anything else.
 */
export function parseResyncEvent(event: unknown): ResyncEvent {
  const { what, graceMs, Records } = (event ?? {}) as Readonly<Record<string, unknown>>;
  if (what === 'all') return { what };
  if (what === 'overdue' && typeof graceMs === 'number' && graceMs >= 0) return { what, graceMs };
  if (!Array.isArray(Records))
    throw new Error(`resync cannot tell what it is asked for: ${JSON.stringify(event)?.slice(0, 500)}`);
  return { what: (event as SQSEvent).Records.every(({ body }) => asksForAll(body)) ? 'all' : 'givenUp' };
}

function asksForAll(body: string): boolean {
  try {
    return (JSON.parse(body) as { readonly what?: unknown } | null)?.what === 'all';
  } catch {
    return false;
  }
}
