import { afterEach, describe, expect, it } from 'vitest';
import { AwsStandIn, type StandInAccount } from '../../support/AwsStandIn.ts';
import { runProgram } from '../../support/runProgram.ts';
import { linesOf } from './linesOf.ts';

const IDENTITY = { arn: 'arn:aws:iam::111122223333:role/Deployer', username: 'ann', groups: ['system:masters'] };
/** What leaves nothing to improve in an account that is ready. */
const WHOLE = [
  '-c',
  `driftless:identities=[${JSON.stringify(IDENTITY)}]`,
  '-c',
  'driftless:alarmEmail=ops@example.com',
];
/** Each run loads the CDK and the SDK anew, which takes a busy machine most of a minute. */
const TIMEOUT_MS = 180_000;

const open: AwsStandIn[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((standIn) => standIn.close()));
});

async function standInFor(account: Partial<StandInAccount> = {}): Promise<AwsStandIn> {
  const standIn = await AwsStandIn.open(account);
  open.push(standIn);
  return standIn;
}

/** Runs the command as a user does. */
async function preflight(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runProgram('npm', ['run', '--silent', 'preflight', '--', ...args], { env });
}

describe('npm run preflight', { timeout: TIMEOUT_MS }, () => {
  it('finds an account ready, by calls that only read, and ends with 0', async () => {
    const standIn = await standInFor();
    const args = [...WHOLE, '-c', 'driftless:accountConcurrency=1000'];
    const { code, stdout, stderr } = await preflight(args, standIn.environment);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^The stack driftless in account 111122223333, region us-east-1, asked by arn:aws:sts::/);
    expect(Object.values(linesOf(stdout)).filter((line) => !line.startsWith('ok: '))).toEqual([]);
    expect(stdout).toMatch(/\n9 ok\.\nA deployment should work: npx cdk deploy, with the same options\.\n$/);
    expect(code).toBe(0);
    expect(standIn.calls.length).toBeGreaterThan(6);
    expect(standIn.calls.filter((call) => !/^[a-z0-9]+:(?:Get|List|Describe)/.test(call))).toEqual([]);
  });

  it('tells a new account without bootstrap what to do, names a denied call, and ends with 1', async () => {
    const standIn = await standInFor({
      concurrency: { limit: 10, unreserved: 10 },
      bootstrapVersion: undefined,
      denied: ['lambda:ListLayers'],
    });
    const { code, stdout } = await preflight(WHOLE, standIn.environment);
    expect(linesOf(stdout)).toMatchObject({
      bootstrap: expect.stringMatching(/^wrong: Run `npx cdk bootstrap aws:\/\/111122223333\/us-east-1`/),
      concurrency: expect.stringMatching(/^advice: Set `accountConcurrency: 10`: the account has 10 concurrent/),
      runtime: 'unchecked: Not checked: it needs the permission lambda:ListLayers.',
      'API logs': expect.stringMatching(/^ok: /),
    });
    expect(stdout).toMatch(/\n1 wrong, 1 to improve, 1 not checked, 6 ok\.\nA deployment would fail\./);
    expect(stdout).toContain("\n  -c 'driftless:accountConcurrency=10'\n");
    expect(code).toBe(1);
  });

  it('refuses an unknown option in one line, and ends with 2', async () => {
    const { code, stdout, stderr } = await preflight(['--colour']);
    expect(stderr).toBe("driftless: Unknown option '--colour'; npm run preflight -- --help lists the options\n");
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refuses an invalid knob as cdk deploy does, before it asks AWS, and ends with 2', async () => {
    const standIn = await standInFor();
    const { code, stdout, stderr } = await preflight(['-c', 'driftless:accountConcurrency=5'], standIn.environment);
    expect(stderr).toMatch(/^driftless: stack property accountConcurrency: must be an integer from 10 .*\n$/);
    expect({ code, stdout, calls: standIn.calls }).toEqual({ code: 2, stdout: '', calls: [] });
  });

  it('shows its options', async () => {
    const { code, stdout } = await preflight(['--help']);
    expect(stdout).toMatch(/^Look at an AWS account.*\n\nUsage\n[^]*--json/);
    expect(code).toBe(0);
  });
});
