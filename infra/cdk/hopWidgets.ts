import { type IWidget, LogQueryVisualizationType, LogQueryWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Functions } from './createFunctions.ts';

const HALF = 12;
const HEIGHT = 7;

/** The waits of a change as the line of its sync has them (see `ChangeWaits`), and what a person calls them. */
const HOPS = {
  noticeMs: 'stream_or_writer',
  heldMs: 'sending',
  queueMs: 'queue',
  lockMs: 'lock',
  syncMs: 'sync',
} as const;

const TRACED = 'filter message = "sync" and ispresent(waited.noticeMs)';

/** Shows how long traced changes take at each hop, from the lines that `sync` writes anyway. The widgets are free; each look at them is a query of Logs Insights, $0.005 for each GB of the log. */
export function hopWidgets({ sync }: Pick<Functions, 'sync'>): IWidget[] {
  const widget = (title: string, view: LogQueryVisualizationType, queryLines: string[]) =>
    new LogQueryWidget({
      title,
      logGroupNames: [sync.logGroup.logGroupName],
      view,
      queryLines,
      width: HALF,
      height: HEIGHT,
    });
  return [
    widget('Time of each hop, p95, ms', LogQueryVisualizationType.LINE, [
      TRACED,
      `stats ${percentiles(95)} by bin(5m)`,
    ]),
    widget('Time of each hop, by who sent the key', LogQueryVisualizationType.TABLE, [
      TRACED,
      `stats count() as changes, ${percentiles(50)}, ${percentiles(99)} by waited.via`,
    ]),
  ];
}

function percentiles(percent: number): string {
  return Object.entries(HOPS)
    .map(([field, name]) => `pct(waited.${field}, ${percent}) as ${name}_p${percent}`)
    .join(', ');
}
