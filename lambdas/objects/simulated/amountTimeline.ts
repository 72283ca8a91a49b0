import { parseGoDuration } from '../go/goDuration.ts';
import { parseQuantity, type Quantity } from '../quantities/quantity.ts';

/** Amounts that follow each other, the earliest first: each holds from its time on, until the next one does. Milliseconds since some beginning. */
export type AmountTimeline = readonly { readonly fromMs: number; readonly amount: Quantity }[];

/** What `parseAmountTimeline` reads, for messages. */
export const TIMELINE_FORM =
  'an amount such as 250m, or amounts and the times from which they hold, such as 0s=200m,5m=2';

const NANOS_PER_MS = 1_000_000n;

/**
 * Parses `250m`, which always holds, or `0s=200m,5m=2,20m=100m`: from each time on that amount. Times are durations as Go writes them, and each is later than the one before. `undefined` for any other text, and
 * for amounts below zero. Pure.
 */
export function parseAmountTimeline(text: string): AmountTimeline | undefined {
  const steps = text.split(',').map((step) => parseStep(step.trim()));
  const known = steps.filter((step) => step !== undefined);
  const isOrdered = known.every(({ fromMs }, nth) => nth === 0 || fromMs > (known[nth - 1]?.fromMs ?? 0));
  return known.length === steps.length && isOrdered ? known : undefined;
}

function parseStep(text: string): AmountTimeline[number] | undefined {
  const [first = '', second, ...rest] = text.split('=');
  if (rest.length > 0) return undefined;
  const from = second === undefined ? 0n : parseGoDuration(first.trim());
  const amount = parseQuantity((second ?? first).trim());
  if (from === undefined || from < 0n || amount === undefined || amount.nanos < 0n) return undefined;
  return { fromMs: Number(from / NANOS_PER_MS), amount };
}

/** Returns the amount that holds so many milliseconds after the beginning; `undefined` before the first time. Pure. */
export function amountAt(timeline: AmountTimeline, ageMs: number): Quantity | undefined {
  return timeline.findLast(({ fromMs }) => fromMs <= ageMs)?.amount;
}
