import type { Random } from '../simulation/Random.ts';

/** Shares of all cases, each with the milliseconds that so many do not exceed. Between two of them the time grows evenly. */
export type Percentiles = readonly (readonly [share: number, ms: number])[];

/** How long something takes: evenly spread from the least to the most, both included, or by percentiles from the share 0 to the share 1. */
export type Spread = readonly [leastMs: number, mostMs: number] | Percentiles;

/** Draws a whole number of milliseconds. */
export function drawMs(spread: Spread, random: Random): number {
  return isRange(spread) ? random.integer(...spread) : Math.round(timeOf(spread, random.fraction()));
}

function isRange(spread: Spread): spread is readonly [number, number] {
  return typeof spread[0] === 'number';
}

/** The time that so large a share of the cases does not exceed. */
function timeOf(percentiles: Percentiles, share: number): number {
  const above = percentiles.findIndex(([one]) => one > share);
  const [from, to] = [percentiles[above - 1], percentiles[above]];
  if (!from || !to) throw new RangeError('percentiles go from 0 to 1');
  return from[1] + ((share - from[0]) / (to[0] - from[0])) * (to[1] - from[1]);
}
