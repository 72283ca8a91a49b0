import { redact } from './redact.ts';
import type { Outcome } from './runSteps.ts';

type Kind = Outcome['kind'];

/** How the report calls each kind, the most urgent first. */
const WORDS: Readonly<Record<Kind, string>> = {
  failed: 'failed',
  differs: 'differs',
  unchecked: 'not checked',
  notRun: 'not run',
  notHere: 'not here',
  ok: 'ok',
};

const WIDTHS = { word: 12, step: 14 } as const;

/** A step's line in the terminal. Pure. */
export function renderOutcome({ kind, step, seen }: Outcome): string {
  return `${WORDS[kind].padEnd(WIDTHS.word)}${step.padEnd(WIDTHS.step)}${seen}\n`;
}

/** What the report says of the run besides its steps, by name. */
export type RunFacts = Readonly<Record<string, string>>;

export interface ReportOptions {
  /** Absent: the report does not say whose account it is. */
  readonly account?: string | undefined;
  /** The names of hosts of this run, which the report does not say. */
  readonly hosts?: readonly string[];
}

/** The report, in Markdown, as an issue can have it. Nothing in it says whose account or host it is, unless `account` is given. Pure. */
export function renderReport(
  facts: RunFacts,
  outcomes: readonly Outcome[],
  { account, hosts = [] }: ReportOptions = {},
): string {
  const cell = (text: string) => cellOf(redact(text, hosts));
  const rows = Object.entries(facts).map(([name, value]) => `| ${name} | ${cell(value)} |`);
  const accountRow = account === undefined ? [] : [`| Account | ${account} |`];
  return [
    '# Verification of a Driftless stack',
    '',
    '| | |',
    '|---|---|',
    ...rows,
    ...accountRow,
    '',
    `## Steps: ${countsOf(outcomes)}`,
    '',
    '| Step | Verdict | Promised | Seen |',
    '|---|---|---|---|',
    ...outcomes.map(
      ({ step, kind, expects, seen }) => `| \`${step}\` | ${WORDS[kind]} | ${cell(expects)} | ${cell(seen)} |`,
    ),
    '',
    '"differs": it works, but not as the models or the documentation of AWS say. `docs/unseen.md` says which step proves what, and what is left to be looked at by hand.',
    '',
  ].join('\n');
}

/** `1 failed, 2 not run, 10 ok`. Pure. */
export function countsOf(outcomes: readonly Outcome[]): string {
  return Object.entries(WORDS)
    .map(([kind, word]) => ({ word, count: outcomes.filter((outcome) => outcome.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ');
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
