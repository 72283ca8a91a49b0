/** How a cost grows with a size: `cost = factor * size ^ exponent`, the line of least squares through the logarithms. An exponent of 1 is linear. Pure. */
export function fitPower(points: readonly { readonly size: number; readonly cost: number }[]): {
  readonly factor: number;
  readonly exponent: number;
} {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(({ x }) => x)), mean(logs.map(({ y }) => y))];
  const spread = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const together = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const exponent = spread === 0 ? 1 : together / spread;
  return { factor: Math.exp(meanY - exponent * meanX), exponent };
}
