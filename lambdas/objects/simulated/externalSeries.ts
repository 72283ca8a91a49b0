import { type AmountTimeline, parseAmountTimeline, TIMELINE_FORM } from './amountTimeline.ts';

/** One series of an external metric: its labels, and its values over time. */
export interface ExternalSeries {
  readonly metricLabels: Readonly<Record<string, string>>;
  readonly timeline: AmountTimeline;
}

/** What `parseExternalSeries` reads, for messages. */
export const SERIES_FORM = `${TIMELINE_FORM}, or several such series with labels: {queue=orders}30;{queue=mail}0s=5,1m=50`;

/** Parses the series of an external metric: `30`, `0s=30,5m=90` or `{queue=orders}30;{queue=mail}5`. `undefined` for any other text. Pure. */
export function parseExternalSeries(text: string): readonly ExternalSeries[] | undefined {
  const series = text.split(';').map((one) => parseSeries(one.trim()));
  const known = series.filter((one) => one !== undefined);
  return known.length === series.length ? known : undefined;
}

function parseSeries(text: string): ExternalSeries | undefined {
  const [, labels = '', amounts = ''] = /^(?:\{([^{}]*)\})?([^{}]*)$/.exec(text) ?? [];
  const timeline = parseAmountTimeline(amounts);
  const metricLabels = parseLabels(labels);
  return timeline && metricLabels && { metricLabels, timeline };
}

function parseLabels(text: string): Readonly<Record<string, string>> | undefined {
  if (text.trim() === '') return {};
  const pairs = text.split(',').map((pair) => /^\s*([^\s=]+)=([^\s=]*)\s*$/.exec(pair));
  return pairs.includes(null) ? undefined : Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
