import { appendFile, writeFile } from 'node:fs/promises';
import { packageVersion } from '../commandLine/packageVersion.ts';
import { UsageError } from '../host/UsageError.ts';
import { ApiFailure } from './ClusterApi.ts';
import { type OpenPlace, openPlace } from './openPlace.ts';
import type { VerifyOptions } from './parseVerifyOptions.ts';
import type { Place } from './Place.ts';
import { countsOf, renderOutcome, renderReport, type RunFacts } from './renderReport.ts';
import { poll, type RunClock } from './RunClock.ts';
import { type Outcome, runSteps } from './runSteps.ts';

/** Who waits for the run. */
export interface Audience {
  readonly say: (text: string) => void;
  /** Undefined if nobody can answer. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
}

/**
 * Runs the steps, writes the report, and removes what they have made. Resolves to whether nothing has failed. Throws a UsageError for a context, a stack, a file or credentials that cannot be used, before anything is
 * made.
 */
export async function runVerify(options: VerifyOptions, clock: RunClock, audience: Audience): Promise<boolean> {
  const opened = await openPlace(options, clock);
  try {
    await orUsage(appendFile(options.report, ''));
    const { outcomes, left } = await runIn(opened.place, options, audience);
    const facts = { ...factsOf(opened, options, outcomes), ...(left !== undefined && { 'Left behind': left }) };
    const account = options.showAccount ? opened.accountId : undefined;
    await orUsage(writeFile(options.report, renderReport(facts, outcomes, { account, hosts: opened.hosts })));
    audience.say(`\n${countsOf(outcomes)}. The report is in ${options.report}.\n`);
    return left === undefined && outcomes.every(({ kind }) => kind !== 'failed');
  } finally {
    await opened.close();
  }
}

/** A report that cannot be written is found out before the run, not after it. */
async function orUsage(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    throw new UsageError(`--report: ${(cause as Error).message}`, { cause });
  }
}

interface Run {
  readonly outcomes: readonly Outcome[];
  /** What could not be removed, and how to do it by hand. */
  readonly left: string | undefined;
}

async function runIn(place: Place, { only, including, yes }: VerifyOptions, { say, ask }: Audience): Promise<Run> {
  await createNamespace(place);
  say(`In the namespace ${place.namespace}:\n\n`);
  let left: string | undefined;
  let outcomes: readonly Outcome[] = [];
  try {
    const mayCost = async (step: string, why: string) => yes || ((await ask?.(`${step}: ${why}. Go on?`)) ?? false);
    outcomes = await runSteps(place, { only, including, mayCost }, (outcome) => say(renderOutcome(outcome)));
  } finally {
    const problem = await removeNamespace(place);
    if (problem !== undefined) left = `${problem}: \`kubectl delete namespace ${place.namespace}\``;
    if (left !== undefined) say(`Left behind: ${left}\n`);
  }
  return { outcomes, left };
}

async function createNamespace({ api, namespace }: Place): Promise<void> {
  try {
    await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new UsageError(`a namespace of its own is needed: ${error.message}`, { cause: error });
  }
}

const UNTIL_GONE = { everyMs: 500, patienceMs: 60_000 };

/** Returns why the namespace is still there, if it is. */
async function removeNamespace({ api, namespace, clock }: Place): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${namespace}`;
  try {
    await api.delete(path);
    const isGone = async () => ((await api.statusOf(path)) === 404 ? true : undefined);
    const gone = await poll(clock.beyondInterruption(), UNTIL_GONE, isGone);
    return gone ? undefined : 'the namespace is still being removed after a minute';
  } catch (error) {
    return (error as Error).message;
  }
}

function factsOf(
  { place, kubernetesVersion }: OpenPlace,
  { stack }: VerifyOptions,
  outcomes: readonly Outcome[],
): RunFacts {
  const { cloud, beganMs, clock, roundTripMs, isLocal, withoutCloud } = place;
  const seconds = Math.round((clock.now() - beganMs) / 1000);
  return {
    'Verified by': `Driftless ${packageVersion}, Node.js ${process.version}`,
    At: `${new Date(beganMs).toISOString().slice(0, 16)}Z, for ${seconds} s, ${outcomes.length} steps`,
    'Kubernetes API': kubernetesVersion,
    Server: isLocal ? 'on this machine' : 'in AWS',
    'Way to the server and back': `${Math.round(roundTripMs)} ms`,
    Stack: cloud ? `${stack}, ${cloud.stack.status}` : `not looked at: ${withoutCloud}`,
    ...(cloud && { Region: cloud.account.region }),
    ...(cloud && {
      'Deployed by': cloud.knobs ? `Driftless ${cloud.knobs.release}` : 'a release that did not note its knobs',
    }),
    ...(cloud?.knobs && { 'Knobs that are not the default': describeKnobs(cloud.knobs.knobs) }),
  };
}

/** The knobs whose values are words of ours. */
const WORD_KNOBS: ReadonlySet<string> = new Set([
  'api',
  'endpoint',
  'directAddress',
  'runtime',
  'logLevel',
  'removalPolicy',
  'tableEncryption',
  'alarms',
  'traffic',
  'apiGatewayAccount',
]);

/** True for numbers, switches and words of ours. Of all others the report says only that they are set: they name people, networks, files, or what else is nobody's business. */
function isPublic(name: string, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean' || WORD_KNOBS.has(name)) return true;
  // Any other value of this knob is the path of a file.
  return name === 'audit' && value === 'metadata';
}

function describeKnobs(knobs: Readonly<Record<string, unknown>>): string {
  const described = Object.entries(knobs).map(([name, value]) =>
    isPublic(name, value) ? `\`${name}=${JSON.stringify(value)}\`` : `\`${name}\` (set)`,
  );
  return described.length > 0 ? described.join(', ') : 'none';
}
