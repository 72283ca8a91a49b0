import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TemplateResources } from '../../../infra/preflight/AccountReads.ts';
import { openAws } from '../../../infra/preflight/openAws.ts';
import { renderFindings } from '../../../infra/preflight/renderFindings.ts';
import { runChecks } from '../../../infra/preflight/runChecks.ts';
import { runPreflight } from '../../../infra/preflight/runPreflight.ts';
import { AwsStandIn, type StandInAccount } from '../../support/AwsStandIn.ts';
import { deploymentOf } from './deploymentOf.ts';
import { linesOf } from './linesOf.ts';

const GROUP = 'DriftlessLimitsGroup4446B793';
const LIMITS_GROUP = { Type: 'AWS::CloudWatch::CompositeAlarm', Properties: { AlarmName: GROUP } };
/** What the checks look at in the template of a container with groups of alarms. */
const CONTAINER: TemplateResources = { LimitsGroup: LIMITS_GROUP, ApiVpc: { Type: 'AWS::EC2::VPC' } };

/** The first synthesis in a process loads most of the CDK, which takes a busy machine most of a minute. */
const SYNTHESIS_MS = 180_000;

const open: AwsStandIn[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((standIn) => standIn.close()));
});

/** Sends the SDK to an account like this one. */
async function useAccount(account: Partial<StandInAccount>): Promise<void> {
  const standIn = await AwsStandIn.open(account);
  open.push(standIn);
  for (const [name, value] of Object.entries(standIn.environment)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
}

/** The report on a deployment to this account, whose template has these resources. */
async function reportOn(account: Partial<StandInAccount>, knobs: object, resources: TemplateResources = {}) {
  await useAccount(account);
  const aws = await openAws(undefined);
  const deployment = { ...deploymentOf(knobs, 'us-east-1', resources), caller: aws.caller };
  return renderFindings(await runChecks(aws.account, deployment), deployment);
}

describe('a report', () => {
  it('is JSON, with the knobs that should be set', { timeout: SYNTHESIS_MS }, async () => {
    await useAccount({ logRoleArn: 'arn:aws:iam::111122223333:role/logs' });
    const { text, isReady } = await runPreflight({
      context: { 'driftless:apiGatewayAccount': 'true' },
      profile: undefined,
      json: true,
      help: false,
    });
    const report = JSON.parse(text) as { readonly findings: readonly { readonly check: string }[] };
    expect(report).toMatchObject({
      stackName: 'driftless',
      account: '111122223333',
      region: 'us-east-1',
      isReady: true,
      set: { accountConcurrency: 1000, apiGatewayAccount: 'ifNone' },
    });
    expect(report.findings).toContainEqual(expect.objectContaining({ check: 'API logs', kind: 'advice' }));
    expect(isReady).toBe(true);
  });

  it('of a container with groups of alarms finds a zone that is not there, a taken name and a full quota', async () => {
    const account = {
      zones: [['us-east-1a', 'use1-az3'] as const, ['us-east-1b', 'use1-az1'] as const],
      compositeAlarms: [GROUP],
      restApis: ['driftless', 'another'],
      vpcs: 5,
      // Service Quotas answers with AWS' default, which is five.
      quotas: {},
    };
    const text = await reportOn(account, { api: 'container', alarms: 'all' }, CONTAINER);
    expect(linesOf(text)).toMatchObject({
      zones: expect.stringMatching(/^wrong: .*has no use1-az2 in us-east-1/),
      'alarm names': expect.stringMatching(new RegExp(`^wrong: .*has an alarm ${GROUP}`)),
      'API name': expect.stringMatching(/^advice: /),
      networks: expect.stringMatching(/^wrong: .*5 of at most 5 networks/),
    });
    expect(text).toContain('A deployment would fail.');
  });

  it('counts what the deployed stack has as its own', async () => {
    const syncFunction = { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: 900 } };
    const template = { Resources: { ...CONTAINER, SyncFunction: syncFunction } };
    const account = {
      concurrency: { limit: 1000, unreserved: 100 },
      stack: { status: 'UPDATE_COMPLETE', description: 'Driftless: Kubernetes', template },
      compositeAlarms: [GROUP],
      restApis: ['driftless'],
      vpcs: 5,
    };
    const knobs = { api: 'container', alarms: 'all', accountConcurrency: 1000 };
    const lines = linesOf(await reportOn(account, knobs, CONTAINER));
    expect(Object.values(lines).filter((line) => line.startsWith('wrong'))).toEqual([]);
    expect(lines).toMatchObject({ stack: expect.stringMatching(/^ok: It will be updated/) });
  });

  const STREAM = 'arn:aws:dynamodb:us-east-1:111122223333:table/copy/stream/2026-01-01T00:00:00.000';
  const NETWORK = { vpcId: 'vpc-11111111', subnetIds: ['subnet-aaaaaaaa', 'subnet-bbbbbbbb'] };
  const RARER_KNOBS = {
    nodeNetwork: { ...NETWORK, securityGroupId: 'sg-11111111' },
    workerGroup: {},
    restoredTables: { objects: { name: 'copy', streamArn: STREAM } },
    warmThroughput: { keys: { writeUnitsPerSecond: 16_000 } },
  };

  it.each([
    [
      'that has what the knobs name',
      { network: { ...NETWORK, groupId: 'sg-11111111' }, tables: { copy: STREAM } },
      'ok',
    ],
    ['that has none of it', { instanceTypes: {}, quotas: { 'L-AB614373': 4000, 'L-CF0CBE56': 4000 } }, 'wrong'],
  ])('is made of an account %s', async (_name, account, kind) => {
    const lines = linesOf(await reportOn(account, RARER_KNOBS));
    for (const knob of Object.keys(RARER_KNOBS)) expect(lines[knob]).toMatch(new RegExp(`^${kind}: `));
  });

  it('tells whoever may ask nothing what is missing, and is not fatal', async () => {
    const denied = [
      'apigateway:GetAccount',
      'apigateway:GetRestApis',
      'cloudformation:DescribeStacks',
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeVpcs',
      'lambda:GetAccountSettings',
      'lambda:ListLayers',
      'monitoring:DescribeAlarms',
      'ssm:GetParameter',
    ];
    const text = await reportOn({ denied }, { api: 'container', alarms: 'all' }, CONTAINER);
    const unchecked = Object.values(linesOf(text)).filter((line) => line.startsWith('unchecked'));
    expect(unchecked).toHaveLength(10);
    expect(unchecked.filter((line) => !/needs the permission [a-z0-9]+:[A-Z]\w+/.test(line))).toEqual([]);
    expect(text).toContain('A deployment should work, as far as it was checked');
  });

  it('is not made for credentials that AWS refuses', async () => {
    await useAccount({ denied: ['sts:GetCallerIdentity'] });
    await expect(openAws(undefined)).rejects.toThrow(
      /^AWS in us-east-1 does not know who asks \(AccessDenied: .*\); set credentials, or --profile$/,
    );
  });
});
