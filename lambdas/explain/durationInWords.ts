const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `8 m 12 s`, `2 h 5 m`, `0 s`: the largest unit and, if it is not 0, the next one. Under ten seconds with milliseconds: `1.5 s`. Pure. */
export function durationInWords(ms: number): string {
  if (ms < 10_000) return `${Math.max(0, Math.round(ms)) / 1000} s`;
  let left = Math.floor(ms / 1000) * 1000;
  const parts = UNITS.map(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const [large, small] = parts.slice(first);
  return small && small.count > 0 ? `${large?.text} ${small.text}` : `${large?.text}`;
}
