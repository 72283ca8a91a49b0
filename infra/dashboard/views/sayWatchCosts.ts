/** How many watches run for the page, and how many were begun since the start. */
export interface WatchCounts {
  readonly running: number;
  readonly begun: number;
}

/** What a watch that is always open over the stack's function costs at list prices of us-east-1 with 512 MB, of `npm run bench -- --watch-prices`. */
const DOLLARS_A_MONTH = 17.9;
const HOURS_A_MONTH = 730;

/** What the page's watches cost, in words. Pure. */
export function sayWatchCosts({ running }: WatchCounts, isCloud: boolean): string {
  const watches = running === 1 ? '1 watch is open' : `${running} watches are open`;
  const open = `${watches} for all tabs of this page.`;
  if (!isCloud) return `${open} They end when no tab is seen.`;
  const dollars = ((running * DOLLARS_A_MONTH) / HOURS_A_MONTH).toFixed(2);
  return `${open} Over the stack's function they cost about $${dollars} an hour, over its container nothing more. They end when no tab is seen.`;
}
