import type { Usage } from './Meter.ts';
import { PRICES } from './prices.ts';

/** The kinds of usage of which every account has some free each month, for as long as it exists. */
const FREE: Readonly<Record<string, number>> = {
  invocations: PRICES.free.lambdaRequests,
  'GB-seconds': PRICES.free.lambdaGbSeconds,
  'sqs requests': PRICES.free.sqsRequests,
  'log bytes': PRICES.free.logsGb * 1024 ** 3,
};

/** Returns what is left to pay of a month's usage. All items of a kind share its allowance. Pure. */
export function withoutAllowances(month: Usage): Usage {
  const left = new Map(Object.entries(FREE));
  return Object.fromEntries(
    Object.entries(month).map(([item, quantity]) => {
      const kind = item.split('/')[0] ?? '';
      const free = Math.min(quantity, left.get(kind) ?? 0);
      left.set(kind, (left.get(kind) ?? 0) - free);
      return [item, quantity - free];
    }),
  );
}
