import type { InvokeOutcome } from '../functions/EmulatedFunction.ts';
import type { Message } from '../services/EmulatedQueues.ts';

export type StreamBatchOutcome =
  | { readonly status: 'done' }
  /** The records from this index on must be delivered again. */
  | { readonly status: 'failed'; readonly failedAt: number };

interface NumberedRecord {
  readonly dynamodb: { readonly SequenceNumber: string };
}

/**
 * Interprets a stream function's answer as Lambda does. With partial responses, the batch is retried from the first record that is named as failed. An invalid
 * answer, or one that names an unknown record, fails the whole batch. Pure.
 */
export function streamBatchOutcome(
  outcome: InvokeOutcome,
  records: readonly NumberedRecord[],
  reportsFailures: boolean,
): StreamBatchOutcome {
  if (outcome.status !== 'returned') return { status: 'failed', failedAt: 0 };
  if (!reportsFailures) return { status: 'done' };
  const named = failedItems(outcome.result);
  if (named === undefined) return { status: 'failed', failedAt: 0 };
  const places = named.map((item) => records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === item));
  return places.length === 0 ? { status: 'done' } : { status: 'failed', failedAt: Math.max(0, Math.min(...places)) };
}

/** Returns the identifiers of a partial batch response: none for an empty answer, `undefined` for an answer that Lambda treats as a failure. */
function failedItems(result: string | undefined): readonly string[] | undefined {
  const answer = JSON.parse(result ?? 'null') as { readonly batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const items = failures.map((failure) => (failure as { readonly itemIdentifier?: unknown } | null)?.itemIdentifier);
  return items.every((item): item is string => typeof item === 'string' && item !== '') ? items : undefined;
}

/** Returns the messages that Lambda deletes: none of a failed batch and, with partial responses, those that are not named. Pure. */
export function doneMessages(
  outcome: InvokeOutcome,
  messages: readonly Message[],
  reportsFailures: boolean,
): readonly Message[] {
  if (outcome.status !== 'returned') return [];
  if (!reportsFailures) return messages;
  const failed = failedItems(outcome.result);
  const isKnown = (item: string) => messages.some(({ MessageId }) => MessageId === item);
  if (failed === undefined || !failed.every(isKnown)) return [];
  return messages.filter(({ MessageId }) => !failed.includes(MessageId));
}
