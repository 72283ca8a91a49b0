import { describe, expect, it, test } from 'vitest';
import { UsageError } from '../../../infra/host/UsageError.ts';
import * as fc from '../../support/seededFastCheck.ts';
import { redact } from '../../../infra/verify/redact.ts';
import { renderReport } from '../../../infra/verify/renderReport.ts';
import { runSteps } from '../../../infra/verify/runSteps.ts';
import { STEPS } from '../../../infra/verify/STEPS.ts';
import { parseVerifyOptions } from '../../../infra/verify/parseVerifyOptions.ts';
import { policyFor } from '../../../infra/verify/policy.ts';
import { deniedCall, placeOf, stackOf, tableState } from './FakeAccount.ts';
import { SkippingClock } from './SkippingClock.ts';

const OBJECTS = { ObjectsTable: ['AWS::DynamoDB::Table', 'driftless-ObjectsTable-ABC'] } as const;
const choose = (only: readonly string[], including: readonly string[] = [], mayCost = true) => ({
  only,
  including,
  mayCost: () => Promise.resolve(mayCost),
});

async function runOne(id: string, place: Parameters<typeof runSteps>[0], choice = choose([id])) {
  const [outcome] = await runSteps(place, choice, () => {});
  return outcome;
}

describe('a step', () => {
  it('about the stack is not to be had without an account, and says why', async () => {
    expect(await runOne('tables', placeOf({}))).toMatchObject({
      kind: 'notHere',
      seen: 'Not to be had here: no account is behind it.',
    });
  });

  it.each([
    ['audit', '`audit` is off'],
    ['access-log', '`accessLogs` is off'],
    ['budget', '`monthlyBudget` is not set'],
    ['container', 'the API is a function'],
    ['workers', 'the stack has no real nodes'],
    ['zones', 'the stack has no network of its own'],
    ['restore', 'the stack uses a table that was restored, and has none of its own'],
    ['alarm', '`alarms` is off'],
    ['alarm-groups', "`alarms` is not 'all'"],
    ['throttle', 'the API is a container'],
  ])('%s is not to be had of a stack where %s', async (id, why) => {
    const outcome = await runOne(id, placeOf({ stack: stackOf({}) }), choose([id], [id]));
    expect(outcome).toMatchObject({ kind: 'notHere', seen: `Not to be had here: ${why}.` });
  });

  it('that is noisy is named, and not run, unless it is asked for', async () => {
    const place = placeOf({ stack: stackOf({ ApiFunction: ['AWS::Lambda::Function', 'driftless-ApiFunction-A'] }) });
    expect(await runOne('throttle', place)).toMatchObject({
      kind: 'notRun',
      seen: expect.stringMatching(/^Not run without `--with throttle`: for up to twelve minutes/),
    });
  });

  it('that costs money is not run unless somebody agrees', async () => {
    const place = placeOf({ stack: stackOf(OBJECTS) });
    expect(await runOne('cost', place, choose(['cost'], [], false))).toMatchObject({
      kind: 'notRun',
      seen: 'Not run without `--yes`: Cost Explorer bills $0.01 for the request.',
    });
  });

  it('without a permission is left out, and names it', async () => {
    const reads = { table: deniedCall('dynamodb:DescribeTable') };
    const place = placeOf({ stack: stackOf(OBJECTS), account: { reads } });
    expect(await runOne('tables', place)).toMatchObject({
      kind: 'unchecked',
      seen: 'Not checked: it needs the permission dynamodb:DescribeTable.',
    });
  });

  it('that the API refuses has failed, and those after it are run', async () => {
    const send = () => Promise.resolve(Response.json({ message: 'no' }, { status: 403 }));
    const place = placeOf({ send, stack: stackOf({}) });
    const outcomes = await runSteps(place, choose(['whoami', 'workers', 'stack']), () => {});
    expect(outcomes.map(({ step, kind }) => [step, kind])).toEqual([
      ['stack', 'ok'],
      ['whoami', 'failed'],
      ['workers', 'notHere'],
    ]);
    expect(outcomes[1]?.seen).toBe('Failed: the API answers 403: no.');
  });

  it('after an interruption is not run', async () => {
    const clock = new SkippingClock();
    clock.interruptAfterMs = 0;
    await clock.sleep(1).catch(() => {});
    expect(await runOne('stack', placeOf({ clock, stack: stackOf({}) }))).toMatchObject({ kind: 'notRun' });
  });

  it('that is interrupted while it watches ends, and nothing else does', async () => {
    const clock = new SkippingClock();
    clock.interruptAfterMs = 1;
    const send = (path: string, { signal }: RequestInit = {}) => {
      if (!path.includes('watch=true')) {
        return Promise.resolve(Response.json({ metadata: { resourceVersion: '1' }, items: [] }));
      }
      return new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    const [outcome] = await runSteps(placeOf({ send, clock }), choose(['watch']), () => {});
    expect(outcome).toMatchObject({ kind: 'notRun', seen: 'Interrupted.' });
  });

  it('compares the tables with the knobs of the stack', async () => {
    const table = async () =>
      tableState({
        isProtected: false,
        recovery: { days: 35, latestMs: 0 },
        streamView: 'NEW_AND_OLD_IMAGES',
        expiryAttribute: 'expiresAt',
      });
    const parts = { stack: stackOf(OBJECTS), account: { reads: { table } } };
    expect((await runOne('tables', placeOf(parts)))?.seen).toContain('ObjectsTable is not protected from deletion');
    const unprotected = { deletionProtection: false, removalPolicy: 'destroy' };
    expect((await runOne('tables', placeOf({ ...parts, knobs: unprotected })))?.kind).toBe('ok');
  });
});

const SETUP = { SetupProblemsAlarm1: ['AWS::CloudWatch::Alarm', 'driftless-SetupProblems-A'] } as const;
const FUNCTION = { ApiFunction: ['AWS::Lambda::Function', 'driftless-ApiFunction-A'] } as const;
const alarmState = (state: string, more = {}) => ({ state, isSuppressed: false, hasActions: true, ...more });

describe('a throttled function', () => {
  async function throttled(reserved: number | undefined, state: string, status = 429) {
    const reservations: (number | undefined)[] = [];
    const place = placeOf({
      stack: stackOf({ ...SETUP, ...FUNCTION }),
      send: () => Promise.resolve(new Response('', { status: reservations.length > 0 ? status : 200 })),
      account: {
        reads: { reservedConcurrency: async () => reserved },
        changes: { reserveConcurrency: async (_name, executions) => void reservations.push(executions) },
        observations: { alarms: async ([name = '']) => ({ [name]: alarmState(state) }) },
      },
    });
    return { outcome: await runOne('throttle', place, choose(['throttle'], ['throttle'])), reservations };
  }

  it.each([[undefined], [50]])('gets back its reservation of %s', async (reserved) => {
    const { outcome, reservations } = await throttled(reserved, 'ALARM');
    expect(outcome?.kind).toBe('ok');
    expect(reservations).toEqual([0, reserved]);
  });

  it('gets it back, too, if the alarm does not go off', async () => {
    const { outcome, reservations } = await throttled(50, 'OK');
    expect(outcome).toMatchObject({ kind: 'failed', seen: expect.stringContaining('SetupProblems did not go off') });
    expect(reservations).toEqual([0, 50]);
  });

  it('must not answer with a server error', async () => {
    expect((await throttled(undefined, 'ALARM', 503)).outcome?.kind).toBe('failed');
  });
});

describe('alarms that are set off', () => {
  const GROUPED = {
    DeadLettersAlarm1: ['AWS::CloudWatch::Alarm', 'dead'],
    ThrottlesAlarm1: ['AWS::CloudWatch::Alarm', 'throttles'],
    ErrorsAlarm1: ['AWS::CloudWatch::Alarm', 'errors'],
    ObjectsGroup1: ['AWS::CloudWatch::CompositeAlarm', 'objects'],
    LimitsGroup1: ['AWS::CloudWatch::CompositeAlarm', 'limits'],
    ProgressGroup1: ['AWS::CloudWatch::CompositeAlarm', 'progress'],
  } as const;

  function alarmPlace(observations: object) {
    const set: string[] = [];
    const changes = { setAlarmState: async (name: string, state: string) => void set.push(`${name} ${state}`) };
    return { set, place: placeOf({ stack: stackOf(GROUPED), account: { changes, observations } }) };
  }

  it('are told by their group, and set back', async () => {
    const { set, place } = alarmPlace({
      alarms: async () => ({ objects: alarmState('OK') }),
      alarmActions: async (name: string) => (name === 'objects' && set.length > 0 ? ['succeeded'] : []),
    });
    expect((await runOne('alarm', place, choose(['alarm'], ['alarm'])))?.kind).toBe('ok');
    expect(set).toEqual(['dead ALARM', 'dead OK']);
  });

  it('keep the group of their effects quiet, and are set back in the other order', async () => {
    const { set, place } = alarmPlace({
      alarms: async () => ({
        limits: alarmState(set.includes('throttles ALARM') ? 'ALARM' : 'OK'),
        progress: alarmState('ALARM', { isSuppressed: set.includes('errors ALARM') }),
      }),
    });
    expect((await runOne('alarm-groups', place, choose(['alarm-groups'], ['alarm-groups'])))?.kind).toBe('ok');
    expect(set).toEqual(['throttles ALARM', 'errors ALARM', 'errors OK', 'throttles OK']);
  });
});

describe('the report', () => {
  const outcome = {
    step: 'stack',
    expects: 'It is there.',
    kind: 'failed',
    seen: 'arn:aws:iam::111122223333:role/Ann | by ann@example.com',
  } as const;

  it('has a row for each step, and names no account, role or address', () => {
    const report = renderReport({ Server: 'in AWS 111122223333' }, [outcome]);
    expect(report).toContain('| `stack` | failed | It is there. | <arn> \\| by <address> |');
    expect(report).toContain('## Steps: 1 failed');
    expect(report).not.toMatch(/111122223333|Ann|ann@/);
  });

  it('names the account if somebody wants it', () => {
    expect(renderReport({}, [outcome], { account: '111122223333' })).toContain('| Account | 111122223333 |');
  });

  it.each([
    ['a token k8s-aws-v1.aHR0cHM6Ly9zdHMu_x', 'a token <token>'],
    ['eyJhbGciOi.eyJzdWIi.c2ln', '<token>'],
    ['AKIAIOSFODNN7EXAMPLE', '<key>'],
    ['stack driftless-us-east-1-111122223333', 'stack driftless-us-east-1-<account>'],
    ['2026-11-27T20:00Z, 1000 replicas, 259 ms', '2026-11-27T20:00Z, 1000 replicas, 259 ms'],
    ['at 20:00:01, Driftless 0.1.0, Node.js v24.1.0', 'at 20:00:01, Driftless 0.1.0, Node.js v24.1.0'],
    ['driftless_111122223333x', 'driftless_<account>x'],
    ['connect ECONNREFUSED 10.0.1.7:443', 'connect ECONNREFUSED <ip>'],
    ['connect ETIMEDOUT 2a05:d014::1', 'connect ETIMEDOUT <ip>'],
    ['getaddrinfo ENOTFOUND a1b2.execute-api.eu-central-1.amazonaws.com', 'getaddrinfo ENOTFOUND <host>'],
    ['no route in vpc-0a1b2c3d4e5f60718', 'no route in <id>'],
    ['User "ann" cannot list resource "pods"', 'User "<user>" cannot list resource "pods"'],
  ])('%s is written as %s', (text, written) => expect(redact(text)).toBe(written));
});

describe('whatever an error says', () => {
  const ACCOUNT = '111122223333';
  const HOSTS = ['k8s.example.com', 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'];
  const word = fc.stringMatching(/^[A-Za-z]{1,10}$/);
  const secret = fc.oneof(
    fc.constantFrom(...HOSTS, ...HOSTS.map((host) => `https://${host}/k8s/api/v1?watch=1`), `${HOSTS[0]}:443`),
    fc.constantFrom(...HOSTS.map((host) => host.toUpperCase()), `api.${HOSTS[0]}.`),
    fc.constant(ACCOUNT),
    fc.constantFrom('cluster_', 'driftless-eu-', 'x').map((before) => `${before}${ACCOUNT}`),
    fc
      .constantFrom(
        `iam::${ACCOUNT}:role/Ops,Secretname`,
        `sts::${ACCOUNT}:assumed-role/Ops/secretname@example.com`,
        `dynamodb:eu-central-1:${ACCOUNT}:table/driftless-Secretname`,
        `kms:eu-central-1:${ACCOUNT}:key/01234567-89ab-cdef-0123-456789abcdef`,
      )
      .chain((rest) => fc.constantFrom(`arn:aws:${rest}`, `arn:aws-cn:${rest}`, encodeURIComponent(`arn:aws:${rest}`))),
    fc.constantFrom('secretname@example.com', 'Secretname.Jones+x@mail.example.co.uk', 'secretname%40example.com'),
  );
  const before = fc.constantFrom('', ' ', '"', '(', '<', '=', ': ', '/', "'", '\n', ', ');
  const after = fc.constantFrom('', ' ', '"', ')', '>', '. ', ': ', ';', "'", '\n', ', ', '|');
  const text = fc
    .array(fc.tuple(word, before, secret, after), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join(''));

  it('the report has no host, account, ARN or mail', () => {
    const property = fc.property(text, (seen) => {
      const report = renderReport({ Stack: seen }, [{ step: 'stack', expects: 'It is there.', kind: 'failed', seen }], {
        hosts: HOSTS,
      });
      expect(report).not.toMatch(
        /example|a1b2c3d4e5|amazonaws|111122223333|arn:aws|arn%3Aaws|secretname|jones|01234567-/i,
      );
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

describe('options', () => {
  it('name a context, and have defaults', () => {
    expect(parseVerifyOptions(['--context', 'prod', '--with', 'load,pause'])).toMatchObject({
      mode: 'run',
      context: 'prod',
      stack: 'driftless',
      including: ['load', 'pause'],
      only: undefined,
      yes: false,
      report: 'driftless-verify.md',
    });
  });

  it.each([
    [['--help'], 'help'],
    [['--policy'], 'policy'],
  ])('%j need no context', (args, mode) => expect(parseVerifyOptions(args).mode).toBe(mode));

  it.each([
    [[], /^--context needs the name of a context/],
    [['--context='], /^--context needs a value/],
    [['--context', 'a', '--colour'], /^Unknown option '--colour'; .*--help lists the options$/],
    [['--context', 'a', 'b'], /^Unexpected argument 'b'/],
    [['--context', 'a', '--only', 'wach'], /^--only: there is no step wach; there are stack, tables/],
    [['--context', 'a', '--with', ''], /^--with needs a value/],
  ])('%j are refused in one line', (args, message) => {
    expect(() => parseVerifyOptions(args)).toThrow(UsageError);
    expect(() => parseVerifyOptions(args)).toThrow(message);
  });
});

test('the policy allows writes of copies and of what the stack is made of alone', () => {
  const writes = policyFor('mine').Statement.filter(({ Action }) =>
    Action.some((action) => !/:(?:Get|List|Describe|View|Scan|Query|Start)/.test(action)),
  );
  expect(writes.map(({ Sid }) => Sid)).toEqual([
    'RestoreObjects',
    'WriteCopies',
    'UseKeyOfTables',
    'SetOffAlarms',
    'ThrottleApi',
  ]);
  for (const { Sid, Resource, Condition } of writes) {
    if (Sid === 'UseKeyOfTables')
      expect(Condition).toEqual({ StringLike: { 'kms:ViaService': 'dynamodb.*.amazonaws.com' } });
    else expect(Resource.filter((one) => !/[:/](?:mine|driftless-verify)-\*$/.test(one))).toEqual([]);
  }
});

test('each step has an id of its own', () => {
  expect(new Set(STEPS.map(({ id }) => id)).size).toBe(STEPS.length);
});
