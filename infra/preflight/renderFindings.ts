import type { Deployment } from './Check.ts';
import type { Finding } from './runChecks.ts';

type Kind = Finding['kind'];

/** How the summary counts each kind, the most urgent first. */
const COUNTED: Readonly<Record<Kind, string>> = {
  wrong: 'wrong',
  advice: 'to improve',
  unchecked: 'not checked',
  ok: 'ok',
};

/** The report: where and as whom, a line for each finding, and what to do next. Ends with a newline. Pure. */
export function renderFindings(findings: readonly Finding[], { plan, caller }: Deployment): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const rows = findings.map(({ kind, check, message }) => `${kind.padEnd(9)}  ${check.padEnd(width)}  ${message}`);
  return [
    `The stack ${plan.stackName} in account ${caller.account}, region ${caller.region}, asked by ${caller.arn}:`,
    '',
    ...rows,
    '',
    countsOf(findings),
    ...nextSteps(findings),
    '',
  ].join('\n');
}

function countsOf(findings: readonly Finding[]): string {
  const counts = Object.entries(COUNTED).map(([kind, counted]) => ({
    counted,
    count: findings.filter((finding) => finding.kind === kind).length,
  }));
  return `${counts
    .filter(({ count }) => count > 0)
    .map(({ counted, count }) => `${count} ${counted}`)
    .join(', ')}.`;
}

function nextSteps(findings: readonly Finding[]): readonly string[] {
  const wrongs = findings.filter(({ kind }) => kind === 'wrong');
  const knobs = Object.entries(knobsToSet(findings));
  const set = knobs.map(([knob, value]) => `  -c 'driftless:${knob}=${JSON.stringify(value)}'`);
  const options = knobs.length > 0 ? ['Options that set these knobs:', ...set] : [];
  if (wrongs.length > 0) return ['A deployment would fail. Correct what is wrong, then run this again.', ...options];
  const isPartly = findings.some(({ kind }) => kind === 'unchecked');
  const asFar = isPartly ? ', as far as it was checked' : '';
  return [`A deployment should work${asFar}: npx cdk deploy, with the same options.`, ...options];
}

/** All knobs that should be set, by name. Pure. */
export function knobsToSet(findings: readonly Finding[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...findings.map(({ set }) => set)) as Readonly<Record<string, unknown>>;
}
