import type { Pod } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';
import { type PodSummary, summarizePod } from './summarizePod.ts';

const NONE = '<none>';

export const podsTable: TableRules = {
  columns: [
    nameColumn,
    column('Ready', 'How many of its containers are ready.'),
    column('Status', 'What its containers are doing, or why they are not.'),
    column('Restarts', 'How often its containers were restarted, and when last.'),
    ageColumn,
    wideColumn('IP', 'Its address inside the cluster.'),
    wideColumn('Node', 'Where it runs.'),
    wideColumn('Nominated Node', 'Where it is meant to run once others have made room.'),
    wideColumn('Readiness Gates', 'How many of the conditions that its readiness depends on are true.'),
  ],
  cells(object, nowMs) {
    const pod = object as Pod;
    const summary = summarizePod(pod);
    const { spec, status } = pod;
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      summary.reason,
      formatRestarts(summary, nowMs),
      ageOf(pod.metadata.creationTimestamp, nowMs),
      (status?.podIPs?.[0]?.ip ?? status?.podIP) || NONE,
      spec?.nodeName || NONE,
      status?.nominatedNodeName || NONE,
      formatGates(pod),
    ];
  },
};

function formatRestarts({ restarts, lastRestartAt }: PodSummary, nowMs: number): string {
  return restarts !== 0 && lastRestartAt ? `${restarts} (${ageOf(lastRestartAt, nowMs)} ago)` : String(restarts);
}

function formatGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const conditions = status?.conditions ?? [];
  const met = gates.filter(({ conditionType }) =>
    conditions.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  return `${met.length}/${gates.length}`;
}
