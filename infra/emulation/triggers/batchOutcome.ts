import type { InvokeOutcome } from '../functions/EmulatedFunction.ts';

export type StreamBatchOutcome =
  | { readonly status: 'done' }
  /** The records from this place on are to come again. */
  | { readonly status: 'failed'; readonly failedAt: number };

interface NumberedRecord {
  readonly dynamodb: { readonly SequenceNumber: string };
}

/**
 * What Lambda makes of a stream function's answer: with partial responses, the first record that is named failed is where the batch begins anew; an answer that names
 * a record that is not there, or is no answer, fails the whole batch. Pure.
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

/** The identifiers of a partial batch response; none for an empty answer; `undefined` for one that Lambda takes for a failure. */
export function failedItems(result: string | undefined): readonly string[] | undefined {
  const answer = JSON.parse(result ?? 'null') as { readonly batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const items = failures.map((failure) => (failure as { readonly itemIdentifier?: unknown } | null)?.itemIdentifier);
  return items.every((item): item is string => typeof item === 'string' && item !== '') ? items : undefined;
}
