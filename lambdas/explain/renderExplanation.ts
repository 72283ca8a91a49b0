import { formatTime } from '../ports/Clock.ts';
import type { SyncRecord } from './SyncHistory.ts';
import { durationInWords } from './durationInWords.ts';
import { waitsInWords } from './waitsInWords.ts';
import type {
  DecisionExplanation,
  Explanation,
  KeyState,
  ReplicaSetCounts,
  RolloutExplanation,
  StuckPods,
} from './Explanation.ts';

const SYNCS_SHOWN = 5;

/** The kinds of which a decision is explained, with their fields. */
const DECISIONS = [
  ['Job', 'job'],
  ['CronJob', 'cronJob'],
  ['HorizontalPodAutoscaler', 'autoscaler'],
  ['PodDisruptionBudget', 'budget'],
  ['Node', 'node'],
  ['DaemonSet', 'daemonSet'],
  ['StatefulSet', 'statefulSet'],
] as const;

/** An explanation as text for a terminal: the present state and what is waited for first, then the syncs that led there. Ends with a newline. Pure. */
export function renderExplanation(explanation: Explanation): string {
  const { key, nowMs, exists, state, lastChange, rollout, stuckPods, syncs } = explanation;
  const gone = exists === false ? ', which is gone' : '';
  const sections = [
    [`${key}${gone}, at ${formatTime(nowMs)}`],
    ...(rollout ? rolloutSections(rollout) : []),
    ...DECISIONS.flatMap(([title, field]) => {
      const decision = explanation[field];
      return decision ? decisionSections(title, decision) : [];
    }),
    ...(stuckPods.length > 0 ? [section('Pods that are not ready', stuckPods.map(stuckLine))] : []),
    section('Key', [...stateLines(state, nowMs), ...(lastChange ? [waitsInWords(lastChange)] : [])]),
    ...(syncs ? [section('Last syncs, newest first', lastSyncLines(syncs, nowMs))] : []),
    ...(rollout?.replicaSetSyncs ?? []).map((sync) =>
      section(`Last sync of replicaset/${sync.key.namespace}/${sync.key.name}`, syncLines(sync, nowMs)),
    ),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [title, ...(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`)];
}

function rolloutSections({ summary, replicaSets, why, wouldWrite, waitsFor }: RolloutExplanation) {
  const isWaiting = wouldWrite.length === 0;
  return [
    section('Rollout', [summary, ...table(replicaSets)]),
    section('Decision now', [...why, ...wouldWrite.map((write) => `next: ${write}`)]),
    section('Waits', isWaiting && waitsFor.length === 0 ? ['for a change: there is nothing to do'] : waitsFor),
  ];
}

function decisionSections(title: string, { summary, why, waitsFor }: DecisionExplanation) {
  return [section(title, summary), section('Decision now', why), section('Waits', waitsFor)];
}

function table(replicaSets: readonly ReplicaSetCounts[]): readonly string[] {
  if (replicaSets.length === 0) return ['no replica sets'];
  const rows = replicaSets.map(({ name, part, revision, desired, current, ready, available }) => [
    `${name} (${part})`,
    revision,
    ...[desired, current, ready, available].map(String),
  ]);
  const all = [['REPLICA SET', 'REVISION', 'DESIRED', 'CURRENT', 'READY', 'AVAILABLE'], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

function lastSyncLines(syncs: readonly SyncRecord[], nowMs: number): readonly string[] {
  return syncs.slice(0, SYNCS_SHOWN).flatMap((sync) => syncLines(sync, nowMs));
}

function stuckLine({ reason, message, count, owner, example }: StuckPods): string {
  const whose = owner === '' ? '' : ` of ${owner}`;
  const which = count === 1 ? `pod ${example}${whose}` : `${count} pods${whose}, ${example} among them`;
  return `${reason}: ${which}: ${message}`;
}

function stateLines(state: KeyState, nowMs: number): readonly string[] {
  const inWords = (atMs: number) => durationInWords(atMs - nowMs);
  const { syncingUntilMs, retryAtMs, wakeAtMs, failures, unfinishedPods, deadLetter } = state;
  const lines = [
    syncingUntilMs !== undefined && `is being synced; its lock ends in ${inWords(syncingUntilMs)} at the latest`,
    state.isQueued === true && 'is queued, and waits for a free worker',
    failures > 0 && `has failed ${failures} times in a row`,
    retryAtMs !== undefined && `is tried again in ${inWords(retryAtMs)}`,
    wakeAtMs !== undefined && `is looked at again in ${inWords(wakeAtMs)}, though nothing changes`,
    unfinishedPods !== undefined && `an earlier sync has not finished creating or deleting ${unfinishedPods} pods`,
    deadLetter !== undefined && `was given up: ${deadLetter}; a change of the object is a new try`,
  ].filter((line) => line !== false);
  if (lines.length > 0) return lines;
  return state.isQueued === undefined
    ? ['is not being synced, has not failed, and waits for no time; whether it is queued is not known here']
    : ['is idle until something changes'];
}

function syncLines(sync: SyncRecord, nowMs: number): readonly string[] {
  const { beganAtMs, outcome, conflicts, error, why, writes, observed } = sync;
  const met = conflicts > 0 ? `, after ${conflicts} conflicts` : '';
  const ago = durationInWords(nowMs - beganAtMs);
  const indented = (label: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(8)}${line}`);
  return [
    `${formatTime(beganAtMs)}, ${ago} ago: ${OUTCOMES[outcome]}${met}`,
    ...indented('saw', observedLines(observed ?? {})),
    ...indented('decided', why),
    ...indented('wrote', writes.length > 0 ? writes : ['nothing']),
    ...indented('failed', error === undefined ? [] : [error]),
  ];
}

const OUTCOMES: Readonly<Record<SyncRecord['outcome'], string>> = {
  done: 'done',
  requeueAfter: 'done, to be looked at again by itself',
  failed: 'failed',
  conflict: 'met conflicting writes each time it tried, and is tried again',
  stalled: 'stalled',
  lost: 'lost its lock to another worker',
};

/** The observations of a sync report as lines: one for each object and each item of a list, then one for the counts beside them. Pure. */
export function observedLines(observed: Readonly<Record<string, unknown>>): readonly string[] {
  const entries = Object.entries(observed);
  const nested = entries.filter(([, value]) => typeof value === 'object' && value !== null);
  // Beside detailed lines, a count of 0 is left out.
  const plain = entries.filter(([, value]) => typeof value !== 'object' && !(value === 0 && nested.length > 0));
  const lines = nested.flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((item) => itemLine(item)) : [`${name}: ${counts(value as object)}`],
  );
  return plain.length > 0 ? [...lines, counts(Object.fromEntries(plain))] : lines;
}

function itemLine(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { name, ...rest } = item as { readonly name?: string };
  return name === undefined ? counts(rest) : `${name}: ${counts(rest)}`;
}

function counts(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
