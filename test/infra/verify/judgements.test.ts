import { describe, expect, it, test } from 'vitest';
import { LATENCY_LIMITS } from '../../../infra/promises.ts';
import { judgeTimes } from '../../../infra/verify/Samples.ts';
import { judgeBudget, judgeCosts } from '../../../infra/verify/steps/costs.ts';
import { judgeContainer, judgeRuntimes, judgeStatus } from '../../../infra/verify/steps/deployment.ts';
import { judgeAccessLog, judgeAudit, judgeHops } from '../../../infra/verify/steps/logs.ts';
import { judgeAlarm, judgeGroups, judgeThrottle } from '../../../infra/verify/steps/noisy.ts';
import { judgeRequests } from '../../../infra/verify/steps/requestTime.ts';
import { judgeRollouts } from '../../../infra/verify/steps/rollout.ts';
import { judgeLoad, judgePause, judgeWatchLength } from '../../../infra/verify/steps/slow.ts';
import { judgeTables } from '../../../infra/verify/steps/tables.ts';
import { judgeWatch } from '../../../infra/verify/steps/watch.ts';
import { judgeUser } from '../../../infra/verify/steps/whoami.ts';
import { judgeWorkers } from '../../../infra/verify/steps/workers.ts';
import { judgeZones } from '../../../infra/verify/steps/zones.ts';

const IN_AWS = { isLocal: false, roundTripMs: 20 };
const HERE = { isLocal: true, roundTripMs: 0 };
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test.each([
  ['CREATE_COMPLETE', 'ok'],
  ['UPDATE_COMPLETE', 'ok'],
  ['UPDATE_ROLLBACK_COMPLETE', 'failed'],
  ['ROLLBACK_COMPLETE', 'failed'],
  ['UPDATE_IN_PROGRESS', 'failed'],
])('a stack that is %s: %s', (status, kind) => expect(judgeStatus(status).kind).toBe(kind));

test.each([
  ['an administrator', { username: 'ann', groups: ['system:masters', 'system:authenticated'] }, 'ok'],
  ['nobody', { username: 'system:anonymous', groups: ['system:unauthenticated'] }, 'failed'],
  ['a user whose groups got lost', { username: 'ann', groups: [] }, 'failed'],
  ['an empty answer', {}, 'failed'],
])('the caller is %s', (_name, user, kind) => {
  const verdict = judgeUser(user);
  expect(verdict.kind).toBe(kind);
  expect(verdict.seen).not.toContain('ann');
});

test.each([
  ['as promised', times(20, 130), IN_AWS, 'ok'],
  ['too slow', times(20, 150), IN_AWS, 'differs'],
  ['slow on this machine', times(20, 900), HERE, 'ok'],
])('reads that are %s', (_name, ms, place, kind) => expect(judgeRequests(ms, place).kind).toBe(kind));

describe('times', () => {
  const limit = { p50: 100, p95: 200 };

  it.each([
    ['within both limits', [...times(18, 90), 190, 900], 'ok'],
    ['of which half are too slow', [...times(9, 90), ...times(11, 110)], 'differs'],
    ['of which one in ten is too slow', [...times(18, 90), 250, 260], 'differs'],
    ['too few for the slowest to count', [90, 90, 250], 'ok'],
  ])('%s', (_name, ms, kind) => expect(judgeTimes([{ name: 'it', ms, limit }], false).kind).toBe(kind));

  it('of this machine are told, but not compared', () => {
    const verdict = judgeTimes([{ name: 'it', ms: [500], limit }], true);
    expect(verdict).toEqual({
      kind: 'ok',
      seen: 'it: half within 500 ms (promised: 100), all 1 within 500 ms. Not compared: the server is on this machine.',
    });
  });
});

describe('a watch', () => {
  const seenAll = { delaysMs: times(20, 80), written: ['1', '2', '3'], seen: ['1', '2', '3'], shortWatchMs: 2_100 };

  it.each([
    ['that shows all', {}, 'ok', /All 3 changes came once and in order/],
    ['that is slow', { delaysMs: times(20, 400) }, 'differs', /Slower than in the models: a change seen/],
    ['that has lost a change', { seen: ['1', '3'] }, 'failed', /^1 of 3 changes were never seen/],
    ['that shows one twice', { seen: ['1', '2', '2', '3'] }, 'failed', /or not in their order/],
    ['that goes back', { seen: ['2', '1', '3'] }, 'failed', /or not in their order/],
    ['that does not end', { shortWatchMs: 60_000 }, 'failed', /of 3 seconds was ended after 60/],
  ])('%s', (_name, change, kind, seen) => {
    const verdict = judgeWatch({ ...seenAll, ...change }, IN_AWS);
    expect(verdict.kind).toBe(kind);
    expect(verdict.seen).toMatch(seen);
  });
});

describe('a rollout', () => {
  const promised = {
    readyMs: times(5, LATENCY_LIMITS.Ready.p50),
    availableMs: times(5, LATENCY_LIMITS.available.p50),
    rolledMs: times(5, LATENCY_LIMITS.rolled.p50),
    leastAvailable: 3,
    mostPods: 4,
    unfinished: undefined,
  };

  it.each([
    ['as promised', {}, IN_AWS, 'ok'],
    ['that is slow', { rolledMs: times(5, 4_000) }, IN_AWS, 'differs'],
    ['that is slow on this machine', { rolledMs: times(5, 4_000) }, HERE, 'ok'],
    ['with a replica too few', { leastAvailable: 2 }, IN_AWS, 'failed'],
    ['with a pod too many', { mostPods: 5 }, HERE, 'failed'],
    ['that does not end', { unfinished: 'round 1: rolled' }, IN_AWS, 'failed'],
  ])('%s', (_name, change, place, kind) => expect(judgeRollouts({ ...promised, ...change }, place).kind).toBe(kind));
});

describe('tables', () => {
  const other = {
    status: 'ACTIVE',
    isProtected: true,
    streamView: undefined,
    expiryAttribute: undefined,
    bytes: 0,
    recovery: undefined,
  };
  const objects = {
    ...other,
    streamView: 'NEW_AND_OLD_IMAGES',
    expiryAttribute: 'expiresAt',
    recovery: { days: 35, latestMs: 0 },
  };
  const expected = { isProtected: true, recoveryDays: 35 };

  it.each([
    ['as deployed', { ObjectsTable: objects, KeysTable: other }, expected, 'ok', /2 tables are active and protected/],
    ['that are gone', {}, expected, 'failed', /no table of its own/],
    [
      'of which one is gone',
      { ObjectsTable: objects, KeysTable: undefined },
      expected,
      'failed',
      /there is no KeysTable/,
    ],
    [
      'that are not protected',
      { ObjectsTable: { ...objects, isProtected: false } },
      expected,
      'failed',
      /not protected/,
    ],
    [
      'that need no protection',
      { ObjectsTable: { ...objects, isProtected: false } },
      { ...expected, isProtected: false },
      'ok',
      /1 tables are active,/,
    ],
    [
      'without a stream',
      { ObjectsTable: { ...objects, streamView: undefined } },
      expected,
      'failed',
      /stream has nothing/,
    ],
    [
      'without a backup',
      { ObjectsTable: { ...objects, recovery: undefined } },
      expected,
      'failed',
      /of 0 days instead of 35/,
    ],
    [
      'whose items stay',
      { ObjectsTable: { ...objects, expiryAttribute: undefined } },
      expected,
      'failed',
      /expire by nothing/,
    ],
    ['that are restored', { ObjectsTable: { ...objects, status: 'CREATING' } }, expected, 'failed', /is CREATING/],
    [
      'of a release that did not note its knobs',
      { ObjectsTable: { ...objects, isProtected: false, recovery: undefined } },
      { isProtected: undefined, recoveryDays: undefined },
      'ok',
      /^1 tables are active\.$/,
    ],
  ])('%s', (_name, facts, wanted, kind, seen) => {
    const verdict = judgeTables(facts, wanted);
    expect(verdict.kind).toBe(kind);
    expect(verdict.seen).toMatch(seen);
  });
});

describe('subnets', () => {
  const zone = (name: string, id: string) => ({ name, id });
  const zones = [zone('us-east-1a', 'use1-az3'), zone('us-east-1b', 'use1-az1'), zone('us-east-1c', 'use1-az2')];
  const subnet = (at: number) => ({ id: `s${at}`, vpcId: 'v', zone: zones[at] ?? zone('', ''), freeAddresses: 200 });
  const facts = {
    subnets: [subnet(1), subnet(2)],
    namedIds: ['use1-az1', 'use1-az2'],
    zones,
    defaultSubnetZones: [],
    linkZones: ['use1-az1', 'use1-az2'],
  };

  it.each([
    ['in the zones that the template names', {}, 'ok'],
    ['in others', { namedIds: ['use1-az2', 'use1-az4'] }, 'differs'],
    ['without a VPC link', { linkZones: ['use1-az1'] }, 'failed'],
    ['that are gone', { subnets: [] }, 'failed'],
    ['of a function, by name', { namedIds: [], linkZones: undefined, subnets: [subnet(0), subnet(1)] }, 'ok'],
    ['of a function, in others', { namedIds: [], linkZones: undefined }, 'differs'],
    [
      'of a function, where a zone has no default subnet',
      { namedIds: [], linkZones: undefined, defaultSubnetZones: ['us-east-1b', 'us-east-1c'] },
      'ok',
    ],
  ])('%s', (_name, change, kind) => expect(judgeZones({ ...facts, ...change }).kind).toBe(kind));
});

test.each([
  ['as the preflight believes', { own: { 'nodejs24.x': true }, knowsUnknown: false }, 'ok'],
  ['that lists layers of any runtime', { own: { 'nodejs24.x': true }, knowsUnknown: true }, 'failed'],
  ['that refuses what runs', { own: { 'nodejs24.x': false }, knowsUnknown: false }, 'failed'],
])('a Lambda %s', (_name, facts, kind) => expect(judgeRuntimes(facts).kind).toBe(kind));

test.each([
  ['that answers', { listKind: 'DeploymentList', encodedStatus: 404 }, 'ok'],
  ['that gets a part of a path', { listKind: 'APIResourceList', encodedStatus: 404 }, 'failed'],
  ['that gets a path decoded', { listKind: 'DeploymentList', encodedStatus: 400 }, 'failed'],
])('a container %s', (_name, facts, kind) => expect(judgeContainer(facts).kind).toBe(kind));

test.each([
  [
    'that run a pod',
    { nodes: [{ isReady: true, version: 'v1.34.2' }], phase: 'Succeeded', log: 'driftless-was-here\n' },
    'ok',
  ],
  ['of which none has joined', { nodes: [], phase: undefined, log: '' }, 'failed'],
  ['of which one is not ready', { nodes: [{ isReady: false, version: '' }], phase: undefined, log: '' }, 'failed'],
  ['that do not pull', { nodes: [{ isReady: true, version: '' }], phase: 'not finished', log: '' }, 'failed'],
  ['whose log cannot be read', { nodes: [{ isReady: true, version: '' }], phase: 'Succeeded', log: '' }, 'failed'],
])('nodes %s', (_name, facts, kind) => expect(judgeWorkers(facts).kind).toBe(kind));

test.each([
  ['numbers', [{ method: 'GET', requests: '12', p50: '71.5' }], 'ok'],
  ['no rows', [], 'failed'],
  ['texts', [{ method: 'GET', requests: '12', p50: '' }], 'failed'],
])('an access log with %s', (_name, rows, kind) => expect(judgeAccessLog(rows).kind).toBe(kind));

test('an audit log must have something of the run', () => {
  expect(judgeAudit([{ verb: 'create', events: '3' }])).toEqual({
    kind: 'ok',
    seen: 'The audit log has of this run: 3 create.',
  });
  expect(judgeAudit([]).kind).toBe('failed');
});

describe('hops', () => {
  const measured = { 'change read by record': 210, 'change read by enqueue': 230, 'a sync': 40 };

  it.each([
    ['as promised', measured, 'ok', /record: 210 ms on average/],
    [
      'of which one is slow',
      { ...measured, 'change read by record': 900 },
      'differs',
      /promised: change read by record/,
    ],
    ['of which one is not known', { ...measured, 'a sync': undefined }, 'failed', /knows nothing of: a sync/],
  ])('%s', (_name, averageMs, kind, seen) => {
    const verdict = judgeHops({ averageMs });
    expect(verdict.kind).toBe(kind);
    expect(verdict.seen).toMatch(seen);
  });
});

test.each([
  ['that counts', { limitDollars: 20, spentDollars: 0.31 }, 'ok'],
  ['that counts nothing', { limitDollars: 20, spentDollars: 0 }, 'differs'],
  ['that is gone', undefined, 'failed'],
])('a budget %s', (_name, found, kind) => expect(judgeBudget(found).kind).toBe(kind));

describe('costs', () => {
  const day = (name: string, dollars: number) => ({
    day: name,
    dollarsByService: { Lambda: dollars, SQS: dollars / 2 },
  });

  it.each([
    [
      'of an idle stack',
      [day('1', 0.001), day('2', 0.008), day('3', 0.3)],
      'ok',
      /cheapest of 3 days, 2, cost \$0\.0120 \(Lambda \$0\.0080, SQS/,
    ],
    [
      'of a stack that was never idle',
      [day('1', 0.001), day('2', 0.5)],
      'differs',
      /above the \$0\.5 of an idle month/,
    ],
    ['without a tag', [{ day: '1', dollarsByService: {} }], 'differs', /activate the tag/],
    ['of the first day', [day('1', 0.004)], 'ok', /cheapest of 1 days/],
  ])('%s', (_name, days, kind, seen) => {
    const verdict = judgeCosts(days);
    expect(verdict.kind).toBe(kind);
    expect(verdict.seen).toMatch(seen);
  });
});

test.each([
  ['warm', { firstMs: 380, nextMs: 80 }, 'ok'],
  ['cold', { firstMs: 1_200, nextMs: 80 }, 'differs'],
])('a first request that finds functions %s', (_name, facts, kind) =>
  expect(judgePause(facts, IN_AWS).kind).toBe(kind),
);

test.each([
  ['as the knob says', { unresumedSeconds: 81, resumedSeconds: 52 }, 'ok'],
  ['as long as API Gateway likes', { unresumedSeconds: 30, resumedSeconds: 30 }, 'failed'],
  ['for ever', { unresumedSeconds: 300, resumedSeconds: 60 }, 'failed'],
])('a watch that is held %s', (_name, facts, kind) =>
  expect(judgeWatchLength(facts, { resumed: 60, unresumed: 80 }).kind).toBe(kind),
);

describe('a load', () => {
  const facts = { availableMs: 9_000, instancesBySecond: [5, 9, 14], throttles: { ObjectsTable: 0 } };

  it.each([
    ['as promised', {}, 'ok'],
    ['that is never available', { availableMs: undefined }, 'failed'],
    ['that a table refuses', { throttles: { ObjectsTable: 12 } }, 'differs'],
    ['of which the trigger takes more at once', { instancesBySecond: [40, 41] }, 'differs'],
    ['of which nothing is logged', { instancesBySecond: [] }, 'failed'],
  ])('%s', (_name, change, kind) => expect(judgeLoad({ ...facts, ...change }).kind).toBe(kind));
});

test.each([
  ['that is told', { wasInAlarm: false, hasActions: true, actions: ['succeeded' as const] }, 'ok'],
  ['of which nobody wants to know', { wasInAlarm: false, hasActions: false, actions: [] }, 'failed'],
  ['that is off already', { wasInAlarm: true, hasActions: true, actions: [] }, 'failed'],
  ['that is not told', { wasInAlarm: false, hasActions: true, actions: [] }, 'failed'],
  ['that the topic does not take', { wasInAlarm: false, hasActions: true, actions: ['failed' as const] }, 'failed'],
])('an alarm %s', (_name, facts, kind) => expect(judgeAlarm(facts).kind).toBe(kind));

test.each([
  [true, true, 'ok'],
  [true, false, 'failed'],
  [false, false, 'failed'],
])('a cause in alarm: %s, its effect suppressed: %s, is %s', (isCauseInAlarm, isSuppressed, kind) =>
  expect(judgeGroups({ isCauseInAlarm, isSuppressed }).kind).toBe(kind),
);

test.each([
  ['429 and the alarm', { status: 429, isAlarmOff: true }, 'ok'],
  ['429 in a stack without alarms', { status: 429, isAlarmOff: undefined }, 'ok'],
  ['429 without the alarm', { status: 429, isAlarmOff: false }, 'failed'],
  ['503', { status: 503, isAlarmOff: true }, 'failed'],
  ['200', { status: 200, isAlarmOff: true }, 'failed'],
])('a throttled function that gets %s', (_name, facts, kind) => expect(judgeThrottle(facts).kind).toBe(kind));
