import { describe, expect, it, test } from 'vitest';
import { alarmReceiver } from '../../../infra/preflight/checks/alarmReceiver.ts';
import { decideLogRole, throttling } from '../../../infra/preflight/checks/apiGateway.ts';
import { bootstrap } from '../../../infra/preflight/checks/bootstrap.ts';
import { decideConcurrency } from '../../../infra/preflight/checks/concurrency.ts';
import { identities } from '../../../infra/preflight/checks/identities.ts';
import { alarmNames, apiName } from '../../../infra/preflight/checks/names.ts';
import { runtime } from '../../../infra/preflight/checks/runtime.ts';
import { stackState } from '../../../infra/preflight/checks/stackState.ts';
import { decideRestored, decideWarmThroughput } from '../../../infra/preflight/checks/tables.ts';
import { decideWorkers } from '../../../infra/preflight/checks/workers.ts';
import { deploymentOf } from './deploymentOf.ts';

describe('concurrency', () => {
  const free = (limit: number) => ({ limit, unreserved: limit, ownReserved: 0 });

  it.each([
    ['a new account', {}, free(10), 'advice', 10],
    ['a large account', {}, free(1000), 'advice', 1000],
    ['the knob as the account', { accountConcurrency: 1000 }, free(1000), 'ok', undefined],
    ['the knob of a new account', { accountConcurrency: 10 }, free(10), 'ok', undefined],
    ['a part of the account', { accountConcurrency: 200 }, free(1000), 'ok', undefined],
    ['reservations that a new account cannot have', { accountConcurrency: 1000 }, free(10), 'wrong', 10],
    ['more than the account, without reservations', { accountConcurrency: 100 }, free(10), 'advice', 10],
    ['what other functions reserve', { accountConcurrency: 1000 }, { ...free(1000), unreserved: 700 }, 'wrong', 700],
    [
      'what the deployed stack itself reserves',
      { accountConcurrency: 1000 },
      { limit: 1000, unreserved: 250, ownReserved: 750 },
      'ok',
      undefined,
    ],
  ])('of %s', (_name, knobs, facts, kind, accountConcurrency) => {
    const verdict = decideConcurrency(facts, deploymentOf(knobs));
    expect(verdict.kind).toBe(kind);
    expect(verdict.set?.['accountConcurrency']).toBe(accountConcurrency);
    if (accountConcurrency !== undefined) {
      expect(verdict.message).toMatch(`Set \`accountConcurrency: ${accountConcurrency}\`: the account has`);
    }
  });

  it('names the number of executions in words that a new account understands', () => {
    expect(decideConcurrency(free(10), deploymentOf()).message).toBe(
      'Set `accountConcurrency: 10`: the account has 10 concurrent executions. It serves 4 watches and 2 batches of keys at a time, and reserves nothing; ' +
        'for more, ask for a higher quota "Concurrent executions" of AWS Lambda (L-B99A9384).',
    );
  });

  it('does not ask to change a knob that would not help: reservations that the user wrote', () => {
    const deployment = deploymentOf({ accountConcurrency: 1000, reservedConcurrency: { api: 300 } });
    const verdict = decideConcurrency(free(200), deployment);
    expect(verdict).toEqual({
      kind: 'wrong',
      message: 'Lower `reservedConcurrency` from 300 to at most 100: the account has 200 concurrent executions.',
      set: {},
    });
  });

  it('refuses an account in which others have reserved nearly everything', () => {
    expect(decideConcurrency({ limit: 105, unreserved: 5, ownReserved: 0 }, deploymentOf()).message).toMatch(
      /^Lower the reservations of other functions, or ask .*, of which others reserve 100, and the stack needs ten\.$/,
    );
  });
});

test.each([
  [undefined, 'wrong', /^Run `npx cdk bootstrap aws:\/\/111122223333\/us-east-1`: us-east-1 has no parameter/],
  ['5', 'wrong', /version 5 is older than 6/],
  ['nonsense', 'wrong', /version nonsense is older than 6/],
  ['6', 'ok', /^Version 6; the template needs 6\.$/],
  ['27', 'ok', /^Version 27/],
])('a bootstrap stack of version %s is %s', (version, kind, message) => {
  const verdict = bootstrap.decide(version, deploymentOf());
  expect(verdict.kind).toBe(kind);
  expect(verdict.message).toMatch(message);
});

describe('a stack', () => {
  const stackIn = (status: string, description = 'Driftless: Kubernetes') => ({ status, description });

  it.each([
    [undefined, 'ok', /will be created/],
    [stackIn('UPDATE_COMPLETE'), 'ok', /will be updated/],
    [stackIn('UPDATE_ROLLBACK_COMPLETE'), 'ok', /will be updated/],
    [stackIn('REVIEW_IN_PROGRESS'), 'ok', /will be created/],
    [stackIn('ROLLBACK_COMPLETE'), 'advice', /deletes it and creates it anew/],
    [stackIn('ROLLBACK_FAILED'), 'advice', /deletes it and creates it anew/],
    [stackIn('UPDATE_IN_PROGRESS'), 'wrong', /^Wait until it is done/],
    [stackIn('DELETE_IN_PROGRESS'), 'wrong', /^Wait until it is done/],
    [stackIn('UPDATE_ROLLBACK_FAILED'), 'wrong', /^Run `aws cloudformation continue-update-rollback/],
    [stackIn('UPDATE_FAILED'), 'wrong', /^Run `npx cdk rollback`/],
    [stackIn('DELETE_FAILED'), 'wrong', /^Run `aws cloudformation delete-stack/],
    [stackIn('UPDATE_COMPLETE', 'A shop'), 'wrong', /^Set `stackName` to another name/],
  ])('%j is %s', (stack, kind, message) => {
    const verdict = stackState.decide(stack, deploymentOf());
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });
});

describe("API Gateway's role for logs", () => {
  const OWN = 'arn:aws:iam::111122223333:role/driftless-ApiCloudWatchRole73EC6FC4-abcdefghijkl';
  const OTHER = 'arn:aws:iam::111122223333:role/logs';

  it.each([
    ['none, and the stack sets it', undefined, {}, 'ok', undefined],
    ['none, and nobody sets it', undefined, { apiGatewayAccount: false }, 'wrong', 'ifNone'],
    ['none, and no logs', undefined, { apiGatewayAccount: false, accessLogs: false }, 'ok', undefined],
    ['that of others, which stays', OTHER, {}, 'ok', undefined],
    ['that of others, and the stack would replace it', OTHER, { apiGatewayAccount: true }, 'advice', 'ifNone'],
    ['that of others, and the stack leaves it', OTHER, { apiGatewayAccount: false }, 'ok', undefined],
    ['its own', OWN, { apiGatewayAccount: true }, 'ok', undefined],
    [
      'that of a stack whose name begins alike',
      OWN.replace('driftless', 'driftless-two'),
      { apiGatewayAccount: true },
      'advice',
      'ifNone',
    ],
  ])('%s', (_name, logRoleArn, knobs, kind, apiGatewayAccount) => {
    const verdict = decideLogRole({ logRoleArn }, deploymentOf(knobs));
    expect(verdict.kind).toBe(kind);
    expect(verdict.set?.['apiGatewayAccount']).toBe(apiGatewayAccount);
  });
});

test.each([
  [undefined, 'ok', undefined],
  [{ rateLimit: 10_000, burstLimit: 5000 }, 'ok', undefined],
  [{ rateLimit: 250, burstLimit: 5000 }, 'advice', { rateLimit: 250, burstLimit: 1000 }],
  [{ rateLimit: 10_000, burstLimit: 125 }, 'advice', { rateLimit: 500, burstLimit: 125 }],
])('the requests of a stage under the bounds %j of the account are %s', (throttle, kind, set) => {
  const verdict = throttling.decide({ throttle }, deploymentOf());
  expect(verdict.kind).toBe(kind);
  expect(verdict.set?.['throttling']).toEqual(set);
});

test.each([
  [0, false, 'ok'],
  [1, true, 'ok'],
  [1, false, 'advice'],
  [2, true, 'advice'],
])('%i APIs of the name, one deployed by the stack: %s, are %s', (apis, isDeployed, kind) => {
  expect(apiName.decide({ apis, isDeployed }, deploymentOf()).kind).toBe(kind);
});

test.each([
  [[], [], 'ok'],
  [['DriftlessLimitsGroup'], ['DriftlessLimitsGroup'], 'ok'],
  [['DriftlessLimitsGroup'], [], 'wrong'],
])('alarms %j, of which the stack has %j, are %s', (taken, own, kind) => {
  expect(alarmNames.decide({ taken, own }, deploymentOf()).kind).toBe(kind);
});

test.each([
  ['the default', {}, true, 'ok', undefined],
  ['a runtime that the region lacks', {}, false, 'wrong', 'nodejs22.x'],
  ['the older runtime', { runtime: 'nodejs22.x' }, false, 'wrong', 'nodejs24.x'],
])('%s', (_name, knobs, isKnown, kind, other) => {
  const verdict = runtime.decide(isKnown, deploymentOf(knobs));
  expect(verdict.kind).toBe(kind);
  expect(verdict.set?.['runtime']).toBe(other);
});

test('without identities, the caller is the one to map, by the role of its session', () => {
  const mapped = { arn: 'arn:aws:iam::111122223333:role/Deployer', username: 'Deployer', groups: ['system:masters'] };
  const verdict = identities.decide(undefined, deploymentOf());
  expect(verdict).toMatchObject({ kind: 'advice', set: { identities: [mapped] } });
  const knobs = deploymentOf({ identities: verdict.set?.['identities'] });
  expect(identities.decide(undefined, knobs)).toEqual({ kind: 'ok', message: '1 identity may use the API.' });
});

const TOPIC = 'arn:aws:sns:us-east-1:111122223333:pager';

test.each([
  [{}, 'advice'],
  [{ alarmEmail: 'ops@example.com' }, 'ok'],
  [{ alarmTopicArn: TOPIC }, 'ok'],
  [{ alarmTopicArn: TOPIC.replace('us-east-1', 'eu-west-1') }, 'wrong'],
])('alarms of a stack with %j are %s', (knobs, kind) => {
  expect(alarmReceiver.decide(undefined, deploymentOf(knobs)).kind).toBe(kind);
});

test('a stack without alarms needs no receiver', () => {
  expect(alarmReceiver.appliesTo?.(deploymentOf({ alarms: false }).plan)).toBe(false);
});

test.each([
  ['a type that there is not', { vcpus: undefined, quota: 32 }, 'wrong', /has no t4g\.small/],
  ['instances within the quota', { vcpus: 2, quota: 32 }, 'ok', /have 6 processors/],
  ['instances of another quota', { vcpus: 2, quota: undefined }, 'ok', /have 6 processors/],
  ['more than the quota at most', { vcpus: 2, quota: 5 }, 'advice', /^Set `workerGroup.maxSize: 2`/],
  ['more than the quota at least', { vcpus: 2, quota: 1 }, 'wrong', /^Set `workerGroup.minSize` to at most 0/],
])('workers of %s', (_name, facts, kind, message) => {
  const verdict = decideWorkers(facts, deploymentOf({ workerGroup: {} }));
  expect(verdict.kind).toBe(kind);
  expect(verdict.message).toMatch(message);
});

describe('a restored table', () => {
  const ARN = 'arn:aws:dynamodb:us-east-1:111122223333:table/copy/stream/2026-01-01T00:00:00.000';
  const deployment = deploymentOf({ restoredTables: { objects: { name: 'copy', streamArn: ARN } } });
  const stream = { arn: ARN, viewType: 'NEW_AND_OLD_IMAGES' };

  it.each([
    [{ status: 'ACTIVE', stream }, 'ok', /ready/],
    [undefined, 'wrong', /there is no table copy/],
    [{ status: 'CREATING', stream }, 'wrong', /is CREATING: wait/],
    [{ status: 'ACTIVE' }, 'wrong', /has no stream/],
    [{ status: 'ACTIVE', stream: { ...stream, viewType: 'KEYS_ONLY' } }, 'wrong', /a stream of KEYS_ONLY/],
    [{ status: 'ACTIVE', stream: { ...stream, arn: `${ARN}1` } }, 'wrong', /the stream of copy is arn.*0001/],
  ])('%j is %s', (objects, kind, message) => {
    const verdict = decideRestored({ objects }, deployment);
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });
});

test.each([
  [{ objects: { writeUnitsPerSecond: 24_000 } }, 'ok', /40000 write units/],
  [{ objects: { writeUnitsPerSecond: 50_000 } }, 'wrong', /`objects.writeUnitsPerSecond` to at most 40000/],
  [{ keys: { readUnitsPerSecond: 50_000 } }, 'wrong', /`keys.readUnitsPerSecond` to at most 40000 \(L-CF0CBE56\)/],
])('tables warmed by %j are %s', (warmThroughput, kind, message) => {
  const quotas = { writeUnitsPerSecond: 40_000, readUnitsPerSecond: 40_000 };
  const verdict = decideWarmThroughput(quotas, deploymentOf({ warmThroughput }));
  expect(verdict.kind).toBe(kind);
  expect(verdict.message).toMatch(message);
});
