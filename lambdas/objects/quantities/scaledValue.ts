/**
 * Returns a number or a percentage of `total` as a number: `intstr.GetScaledValueFromIntOrPercent`. `round` is for percentages. Absent: 0. Throws for text that is no percentage, which validation refuses. Pure.
 */
export function scaledValue(
  value: number | string | undefined,
  total: number,
  round: (exact: number) => number,
): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}
