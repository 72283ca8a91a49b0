// Slow: each run rolls Deployments on a server of its own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startControlPlane } from '../../../infra/local/startControlPlane.ts';
import { parseVerifyOptions } from '../../../infra/verify/parseVerifyOptions.ts';
import { STEPS } from '../../../infra/verify/STEPS.ts';
import { runVerify } from '../../../infra/verify/runVerify.ts';
import { AwsStandIn, type StandInAccount } from '../../support/AwsStandIn.ts';
import { answersOf, soundStack, type StandInStack } from '../../support/standInStack.ts';
import { SkippingClock } from './SkippingClock.ts';

const TIMEOUT_MS = 120_000;
const ACCOUNT = '111122223333';

let directory: string;
let server: Awaited<ReturnType<typeof startControlPlane>>;
let standIn: AwsStandIn | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'verify-'));
  server = await startControlPlane();
}, TIMEOUT_MS);
afterEach(async () => {
  vi.unstubAllEnvs();
  await standIn?.close();
  standIn = undefined;
  await server.stop();
  await rm(directory, { recursive: true });
}, TIMEOUT_MS);

const urlOf = () => `http://127.0.0.1:${server.port}`;

/** Sends the SDK to an account with this stack, whose API is the server of this test. */
async function useStack(
  changes: Partial<StandInStack> = {},
  account: Partial<StandInAccount> = {},
): Promise<AwsStandIn> {
  standIn = await AwsStandIn.open(account, answersOf(soundStack(urlOf(), changes)));
  for (const [name, value] of Object.entries(standIn.environment)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  return standIn;
}

/** Runs the command with these words, for the server of this test. */
async function verify(
  args: readonly string[],
  { context = 'driftless', ask }: { readonly context?: string; readonly ask?: () => Promise<boolean> } = {},
) {
  const kubeconfig = join(directory, 'kubeconfig');
  const report = join(directory, 'report.md');
  const config = {
    clusters: [{ name: 'here', cluster: { server: urlOf() } }],
    users: [],
    contexts: [{ name: 'driftless', context: { cluster: 'here' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const options = parseVerifyOptions(['--context', context, '--kubeconfig', kubeconfig, '--report', report, ...args]);
  let said = '';
  const say = (text: string) => void (said += text);
  const isSound = await runVerify(options, new SkippingClock(), { say, ask });
  return { isSound, said, report: await readFile(report, 'utf8') };
}

/** The verdict of each step, by its id. */
function verdictsOf(report: string): Readonly<Record<string, string>> {
  const rows = [...report.matchAll(/^\| `([\w-]+)` \| ([\w ]+) \|/gm)];
  return Object.fromEntries(rows.map(([, step = '', verdict = '']) => [step, verdict]));
}

async function namespacesOfRuns(): Promise<readonly string[]> {
  const { items } = (await (await fetch(`${urlOf()}/api/v1/namespaces`)).json()) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('driftless-verify-'));
}

describe('npm run verify', { timeout: TIMEOUT_MS }, () => {
  it('proves what a server without an account can show, says why the rest is not here, and leaves nothing', async () => {
    const { isSound, report, said } = await verify([]);
    expect(verdictsOf(report)).toEqual({
      stack: 'not here',
      tables: 'not here',
      zones: 'not here',
      runtimes: 'not here',
      whoami: 'ok',
      'request-time': 'ok',
      watch: 'ok',
      rollout: 'ok',
      container: 'not here',
      workers: 'not here',
      'access-log': 'not here',
      audit: 'not here',
      hops: 'not here',
      budget: 'not here',
      cost: 'not here',
      restore: 'not here',
      'watch-length': 'not here',
      load: 'not here',
      pause: 'not here',
      alarm: 'not here',
      'alarm-groups': 'not here',
      throttle: 'not here',
    });
    expect(report).toContain('Not to be had here: the server is on this machine, and no account is behind it.');
    expect(report).toMatch(/All 24 changes came once and in order, over several resumed watches/);
    expect(said).toMatch(/\n18 not here, 4 ok\. The report is in .*report\.md\.\n$/);
    expect(isSound).toBe(true);
    expect(await namespacesOfRuns()).toEqual([]);
  });

  it('finds a sound stack as promised, and its report names nobody', async () => {
    const { calls } = await useStack();
    // The server's own steps are those of the test above.
    const others = STEPS.map(({ id }) => id).filter((id) => id !== 'watch' && id !== 'rollout');
    const { isSound, report } = await verify(['--yes', '--with', 'alarm', '--only', others.join(',')]);
    const { zones, container, workers, 'alarm-groups': groups, ...found } = verdictsOf(report);
    expect([zones, container, workers, groups]).toEqual(Array.from({ length: 4 }, () => 'not here'));
    const { 'watch-length': length, load, pause, throttle, ...run } = found;
    expect({ length, load, throttle, pause }).toEqual({
      length: 'not run',
      load: 'not run',
      throttle: 'not run',
      pause: 'not here',
    });
    expect(Object.entries(run).filter(([, verdict]) => verdict !== 'ok')).toEqual([]);
    expect(report).toContain('`audit="metadata"`, `monthlyBudget=20`, `alarmEmail` (set)');
    expect(report).not.toMatch(new RegExp(`${ACCOUNT}|ops@example|arn:aws`));
    expect(calls.filter((call) => /Delete|Restore|Set|Put/.test(call))).toEqual([
      'dynamodb:RestoreTableToPointInTime',
      'dynamodb:DeleteTable',
      'monitoring:SetAlarmState',
      'monitoring:SetAlarmState',
    ]);
    expect(isSound).toBe(true);
  });

  it('says what is otherwise, what it was not told, and fails for it', async () => {
    await useStack(
      {
        status: 'UPDATE_ROLLBACK_COMPLETE',
        isProtected: false,
        logRows: [],
        iteratorAgeMs: 900,
        spentDollars: '0',
        dollarsByDay: ['0.1', '0.2'],
        isCopyWrong: true,
      },
      { denied: ['lambda:ListLayers'], runtimes: [] },
    );
    const steps = 'stack,tables,runtimes,access-log,audit,hops,budget,cost,restore';
    const { isSound, report } = await verify(['--yes', '--show-account', '--only', steps]);
    expect(verdictsOf(report)).toEqual({
      stack: 'failed',
      tables: 'failed',
      runtimes: 'not checked',
      'access-log': 'failed',
      audit: 'failed',
      hops: 'failed',
      budget: 'differs',
      cost: 'differs',
      restore: 'failed',
    });
    expect(report).toContain(`| Account | ${ACCOUNT} |`);
    expect(report).toContain('it needs the permission lambda:ListLayers');
    expect(isSound).toBe(false);
  });

  it.each([
    ['is not run if nobody can be asked', undefined, 'not run'],
    ['is not run if somebody does not agree', () => Promise.resolve(false), 'not run'],
    ['is run if somebody agrees', () => Promise.resolve(true), 'ok'],
  ])('what costs money %s', async (_name, ask, verdict) => {
    await useStack();
    const { report } = await verify(['--only', 'cost'], ask && { ask });
    expect(verdictsOf(report)).toEqual({ cost: verdict });
  });

  it('takes a second run beside it for no concern of its own', async () => {
    const [first, second] = await Promise.all([verify(['--only', 'rollout']), verify(['--only', 'rollout'])]);
    expect([first.isSound, second.isSound]).toEqual([true, true]);
    expect(await namespacesOfRuns()).toEqual([]);
  });

  it('refuses a context that there is not', async () => {
    await expect(verify([], { context: 'prod' })).rejects.toThrow(/^there is no context prod in .*kubeconfig$/);
  });

  it('refuses a stack that there is not, and one with another API', async () => {
    await useStack({ outputs: { ApiUrl: 'https://other.example.com/k8s' } });
    await expect(verify(['--stack', 'other'])).rejects.toThrow(/^there is no stack other in us-east-1; --stack/);
    await expect(verify([])).rejects.toThrow(
      /^the context driftless is the server http.*, but the stack driftless is at https:\/\/other\.example\.com/,
    );
    expect(await namespacesOfRuns()).toEqual([]);
  });

  it('refuses credentials that AWS does not know, and a report that cannot be written', async () => {
    await expect(verify(['--report', join(directory, 'none', 'report.md')])).rejects.toThrow(/^--report: ENOENT/);
    await useStack({}, { denied: ['sts:GetCallerIdentity'] });
    await expect(verify([])).rejects.toThrow(/^AWS in us-east-1 does not know who asks/);
    expect(await namespacesOfRuns()).toEqual([]);
  });

  it('looks at the API alone if it may not look at the stack', async () => {
    await useStack({}, { denied: ['cloudformation:DescribeStacks'] });
    const { report } = await verify(['--only', 'stack,whoami']);
    expect(verdictsOf(report)).toEqual({ stack: 'not here', whoami: 'ok' });
    expect(report).toContain('it needs the permission cloudformation:DescribeStacks');
  });
});
