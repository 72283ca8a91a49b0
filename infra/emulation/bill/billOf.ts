import type { Usage } from './Meter.ts';
import { PRICES } from './prices.ts';

export interface BillLine {
  readonly item: string;
  readonly quantity: number;
  readonly dollars: number;
}

const GB = 1024 ** 3;

/** The price of one unit of each kind of usage. */
const UNIT_PRICES: Readonly<Record<string, number>> = {
  'write units': PRICES.dynamoDbWriteUnit,
  'read units': PRICES.dynamoDbReadUnit,
  invocations: PRICES.lambdaRequest,
  'GB-seconds': PRICES.lambdaGbSecond,
  'streamed bytes': PRICES.lambdaStreamedGb / GB,
  'sqs requests': PRICES.sqsRequest,
  'api requests': PRICES.apiRequest,
  'bytes out': PRICES.dataOutGb / GB,
  'log bytes': PRICES.logsGb / GB,
};

/** Returns the lines of a bill, the most expensive first. Usage without a price, which only explains other usage, has no line. Pure. */
export function billOf(usage: Usage): readonly BillLine[] {
  return Object.entries(usage)
    .flatMap(([item, quantity]) => {
      const price = UNIT_PRICES[item.split('/')[0] ?? ''];
      return price === undefined ? [] : [{ item, quantity, dollars: quantity * price }];
    })
    .sort((a, b) => b.dollars - a.dollars);
}

export function totalOf(lines: readonly BillLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

/** Returns the usage between two readings of a meter. Pure. */
export function usedBetween(before: Usage, after: Usage): Usage {
  return Object.fromEntries(
    Object.entries(after).flatMap(([item, quantity]) => {
      const used = quantity - (before[item] ?? 0);
      return used > 0 ? [[item, used]] : [];
    }),
  );
}
