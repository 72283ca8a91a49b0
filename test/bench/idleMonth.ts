import { billOf, totalOf } from '../../infra/emulation/bill/billOf.ts';
import type { Usage } from '../../infra/emulation/bill/Meter.ts';
import { withoutAllowances } from '../../infra/emulation/bill/freeAllowances.ts';
import { IDLE_MONTH_DOLLARS } from '../../infra/promises.ts';
import { IDLE_POLLS } from '../model/publishedLimits.ts';
import type { ModelStack } from './ModelStack.ts';

const HOUR_MS = 3_600_000;
const HOURS = 730;
const DAYS = HOURS / 24;
const POLLS_PER_HOUR = (IDLE_POLLS.open * HOUR_MS) / IDLE_POLLS.eachMs;

/**
 * Prints what a month without changes costs, from an hour of it and one of its daily resyncs. Alarms and dashboard are within the free allowances of every account, which
 * are shared with everything else in it. Resolves to a line if it is too much.
 */
export async function idleMonth(stack: ModelStack): Promise<readonly string[]> {
  const hour = await stack.used(async () => await stack.pass(HOUR_MS));
  const resync = await stack.used(async () => {
    await stack.finish(async () => void (await stack.cloud.trigger('resync', { what: 'all' })));
    await stack.rest();
  });
  const polls = { 'sqs requests/ReceiveMessage': POLLS_PER_HOUR };
  const month = sum(times({ ...hour, ...polls }, HOURS), times(resync, DAYS));
  const listed = totalOf(billOf(month));
  const dollars = totalOf(billOf(withoutAllowances(month)));
  console.log(
    `an idle month: $${dollars.toFixed(2)} after the allowances that every account keeps, $${listed.toFixed(2)} without them`,
  );
  for (const { item, quantity, dollars: price } of billOf(month))
    if (price > 0.005)
      console.log(`  ${item.padEnd(34)} ${Math.round(quantity).toString().padStart(12)}  $${price.toFixed(3)}`);
  return [
    ...aboveLimit('after the allowances', dollars, IDLE_MONTH_DOLLARS.afterAllowances),
    ...aboveLimit('at list prices', listed, IDLE_MONTH_DOLLARS.listed),
  ];
}

function aboveLimit(how: string, dollars: number, most: number): readonly string[] {
  return dollars > most ? [`an idle month costs $${dollars.toFixed(2)} ${how}, above $${most}`] : [];
}

function times(usage: Usage, factor: number): Usage {
  return Object.fromEntries(Object.entries(usage).map(([item, quantity]) => [item, quantity * factor]));
}

function sum(a: Usage, b: Usage): Usage {
  const items = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...items].map((item) => [item, (a[item] ?? 0) + (b[item] ?? 0)]));
}
