import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSRecord,
} from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bundleFunction } from '../../infra/cdk/bundleFunction.ts';
import { FUNCTIONS, WORK_QUEUE } from '../../infra/topology.ts';
import { decodeQueueMessage } from '../../lambdas/adapters/aws/queueMessage.ts';
import { answerAuthorizerEvent } from '../../lambdas/functions/authorize/answerAuthorizerEvent.ts';
import { parseIdentities } from '../../lambdas/functions/authorize/mapCaller.ts';
import { VARIABLES } from '../../lambdas/functions/readEnvironment.ts';
import { createLog } from '../../lambdas/functions/createLog.ts';
import { answerStreamEvent } from '../../lambdas/functions/enqueue/answerStreamEvent.ts';
import { parseConfigText } from '../../lambdas/functions/parseConfig.ts';
import type { Recorded } from '../../lambdas/functions/record/createRecordHandler.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import {
  createResyncEventHandler,
  type ResyncEventDependencies,
} from '../../lambdas/functions/resync/createResyncEventHandler.ts';
import { answerQueueEvent, type QueueEventDependencies } from '../../lambdas/functions/sync/answerQueueEvent.ts';
import { CLOUD_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';
import { createSyncMetrics } from '../../lambdas/functions/sync/createSyncMetrics.ts';
import type { SyncRecord } from '../../lambdas/functions/sync/SyncHistory.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type { ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { endpoints } from '../../lambdas/registry/resources/endpoints.ts';
import { services } from '../../lambdas/registry/resources/services.ts';
import { BundledFunctions } from '../support/BundledFunctions.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const METHOD = 'arn:aws:execute-api:eu-central-1:111122223333:abc123/live/GET/api/v1/pods';
const JANE = { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'] };

function authorizerEvent(change: object): APIGatewayRequestAuthorizerEvent {
  return {
    type: 'REQUEST',
    methodArn: METHOD,
    headers: null,
    multiValueHeaders: null,
    ...change,
  } as APIGatewayRequestAuthorizerEvent;
}

type Authorize = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

const ROLE = 'arn:aws:iam::111122223333:role/Deployer';

/** A token in the form of `aws eks get-token`, with that time of signing and a fake signature. */
function tokenOf(signedAt: Date): string {
  const date = signedAt.toISOString().replace(/[-:]|\.\d+/g, '');
  const parameters = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `AKIAEXAMPLE/${date.slice(0, 8)}/eu-central-1/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': 'ab'.repeat(32),
  });
  const url = `https://sts.eu-central-1.amazonaws.com/?${parameters.toString()}`;
  return `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
}

describe('the authorizer', () => {
  it('allows a user the whole stage, since its answer is cached for all methods', async () => {
    expect(await answerAuthorizerEvent(async () => JANE, authorizerEvent({}))).toEqual({
      principalId: 'jane',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: 'arn:aws:execute-api:eu-central-1:111122223333:abc123/live/*',
          },
        ],
      },
      context: { username: 'jane', uid: 'u1', groups: '["dev","system:authenticated"]' },
    });
  });

  it('makes API Gateway answer 401 to an unknown user', async () => {
    // The whole message matters, since API Gateway makes a 500 of any other.
    await expect(answerAuthorizerEvent(async () => undefined, authorizerEvent({}))).rejects.toThrow(/^Unauthorized$/);
  });

  it.each([
    {
      sent: 'one',
      change: { multiValueHeaders: { Authorization: ['a'] }, headers: { Authorization: 'a' } },
      seen: ['a'],
    },
    {
      sent: 'two with the same name',
      change: { multiValueHeaders: { Authorization: ['a', 'b'] }, headers: { Authorization: 'b' } },
      seen: ['a', 'b'],
    },
    {
      sent: 'two in different cases',
      change: { multiValueHeaders: { Authorization: ['a'], authorization: ['b'] } },
      seen: ['a', 'b'],
    },
    { sent: 'one, in the single-value headers only', change: { headers: { authorization: 'a' } }, seen: ['a'] },
    { sent: 'none', change: {}, seen: [] },
  ])('passes on every token that was sent: $sent', async ({ change, seen }) => {
    const authenticate = vi.fn(async () => JANE);
    await answerAuthorizerEvent(authenticate, authorizerEvent(change));
    expect(authenticate).toHaveBeenCalledWith(seen);
  });

  it('accepts, as bundled, a signer whom STS knows, and nobody else', async () => {
    vi.stubEnv(VARIABLES.clusterId, 'stack-1');
    vi.stubEnv(VARIABLES.partition, 'aws');
    vi.stubEnv(VARIABLES.versionsTable, 'versions');
    vi.stubEnv(VARIABLES.identities, JSON.stringify([{ arn: ROLE, username: 'jane', groups: ['dev'] }]));
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'CRITICAL');
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
      asked.push(init.headers);
      const Arn = 'arn:aws:sts::111122223333:assumed-role/Deployer/jane';
      const GetCallerIdentityResult = { Arn, Account: '111122223333', UserId: 'AROA:jane' };
      return Response.json({ GetCallerIdentityResponse: { GetCallerIdentityResult } });
    });
    const bundles = await BundledFunctions.open();
    try {
      const handler = await bundles.load<Authorize>('authorize');
      const one = { Authorization: [`Bearer ${tokenOf(new Date())}`] };
      const { context, principalId } = await handler(authorizerEvent({ multiValueHeaders: one }));
      expect(principalId).toBe('jane');
      expect(context).toMatchObject({ username: 'jane', groups: '["dev","system:authenticated"]' });
      expect(asked).toMatchObject([{ 'x-k8s-aws-id': 'stack-1' }]);
      const two = { Authorization: [...one.Authorization, 'Bearer other'] };
      await expect(handler(authorizerEvent({ multiValueHeaders: two }))).rejects.toThrow(/^Unauthorized$/);
      const old = { Authorization: [`Bearer ${tokenOf(new Date(Date.now() - 3_600_000))}`] };
      await expect(handler(authorizerEvent({ multiValueHeaders: old }))).rejects.toThrow(/^Unauthorized$/);
      expect(asked).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
      await bundles.close();
    }
  });

  it.each([
    { text: 'nonsense', message: 'JSON' },
    { text: '{}', message: 'the identities are not a list' },
    {
      text: '[{"arn":"a","username":"b"}]',
      message: 'no identity with arn, username and groups: {"arn":"a","username":"b"}',
    },
    { text: '[null]', message: 'no identity with arn, username and groups: null' },
  ])('does not start with invalid identities: $text', ({ text, message }) => {
    expect(() => parseIdentities(text)).toThrow(message);
  });
});

function queueRecord(messageId: string, name: string, receives = 2): SQSRecord {
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body: JSON.stringify({ controller: 'deployment', namespace: 'default', name }),
    attributes: {
      SentTimestamp: '1000',
      ApproximateFirstReceiveTimestamp: '1500',
      ApproximateReceiveCount: `${receives}`,
    },
    messageAttributes: {},
  } as unknown as SQSRecord;
}

describe('a batch of the work queue', () => {
  /** What is done with a batch, in order. Syncs of one call are shown together. */
  function answering(outcomeOf: (name: string) => 'keep' | 'acknowledge' = () => 'acknowledge') {
    const done: string[] = [];
    const clock = new VirtualClock(0);
    const names = (messages: readonly ReceivedMessage[]) => messages.map(({ key }) => key.name).join('+');
    const dependencies: QueueEventDependencies = {
      sync: async (messages) => {
        if (messages.length > 0) done.push(`sync ${names(messages)}`);
        if (names(messages).includes('slow')) clock.advanceBy(9_000);
        return messages.map((message) => ({ message, outcome: outcomeOf(message.key.name) }));
      },
      decode: decodeQueueMessage,
      workQueue: { hide: async (message, ms) => void done.push(`hide ${names([message])} ${ms}`) },
      remove: async (messages) => void done.push(`remove ${names(messages)}`),
      clock,
      log: () => {},
    };
    return { done, answer: (...Records: SQSRecord[]) => answerQueueEvent(dependencies, { Records }) };
  }

  it('tries keys one by one from their third receive, after the others are done and deleted', async () => {
    const { done, answer } = answering((name) => (name === 'b' ? 'keep' : 'acknowledge'));
    const received = [queueRecord('m0', 'a'), queueRecord('m1', 'x', 3), queueRecord('m2', 'b')];
    const response = await answer(...received, queueRecord('m3', 'y', 7), queueRecord('m4', 'x'));
    expect(done).toEqual(['sync a+b', 'hide y 10000', 'remove a', 'sync x+x', 'remove x+x', 'sync y']);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm2' }] });
  });

  it('leaves keys whose turn comes late to the queue, which has them again already', async () => {
    const { done, answer } = answering();
    const response = await answer(queueRecord('m0', 'slow', 3), queueRecord('m1', 'y', 3));
    expect(done).toEqual(['hide y 10000', 'sync slow', 'remove slow']);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  });

  it('that holds a single key needs no precautions', async () => {
    const { done, answer } = answering();
    await answer(queueRecord('m0', 'x', 5), queueRecord('m1', 'x', 4));
    expect(done).toEqual(['sync x+x']);
  });

  it('keeps only the messages whose keys are not done', async () => {
    const { answer } = answering((name) => (name === 'b' ? 'keep' : 'acknowledge'));
    const response = await answer(...['a', 'b', 'c'].map((name, at) => queueRecord(`m${at}`, name)));
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  });

  it('passes on when each message was due and how often it was received', async () => {
    const sync = vi.fn(async () => []);
    const unused = { workQueue: { hide: async () => {} }, remove: async () => {}, clock: new VirtualClock(0) };
    await answerQueueEvent(
      { sync, decode: decodeQueueMessage, ...unused, log: () => {} },
      { Records: [queueRecord('m0', 'web')] },
    );
    const key = { controller: 'deployment', namespace: 'default', name: 'web' };
    expect(sync).toHaveBeenCalledWith([
      { key, receipt: 'receipt-m0', dueAtMs: 1000, receivedAtMs: 1500, receiveCount: 2 },
    ]);
  });
});

describe('a batch of the stream', () => {
  const changeOf = (version: number) => ({ type: 'ADDED', resource: 'pods', version }) as unknown as Change;
  const recorded: Readonly<Record<string, Recorded>> = {
    s1: { status: 'change', change: changeOf(1) },
    s2: { status: 'none' },
    s3: { status: 'unreadable', resource: 'pods', why: 'garbage' },
    s4: { status: 'change', change: changeOf(2) },
  };
  const event = {
    Records: Object.keys(recorded).map((SequenceNumber) => ({ dynamodb: { SequenceNumber } })),
  } as DynamoDBStreamEvent;
  const decode = ({ dynamodb }: DynamoDBRecord) =>
    recorded[dynamodb?.SequenceNumber ?? ''] ?? { status: 'none' as const };

  it('passes on its changes, and skips other and unreadable records, which `record` handles', async () => {
    const enqueue = vi.fn(async () => []);
    expect(await answerStreamEvent({ enqueue, decode }, event)).toEqual({ batchItemFailures: [] });
    expect(enqueue).toHaveBeenCalledWith([changeOf(1), changeOf(2)]);
  });

  it('names the records whose keys could not be queued by their sequence numbers', async () => {
    const enqueue = async (changes: readonly Change[]) => changes.slice(1);
    expect(await answerStreamEvent({ enqueue, decode }, event)).toEqual({
      batchItemFailures: [{ itemIdentifier: 's4' }],
    });
  });
});

/** What the stream has of batches, by their first sequence numbers. */
const BATCHES: Readonly<Record<string, readonly string[]>> = { pods: ['pods'], both: ['pods', 'secrets'], none: [] };

describe('a trigger of resync', () => {
  function handling(entries: readonly ResourceEntry[] = [], change: Partial<ResyncEventDependencies> = {}) {
    const asked: unknown[] = [];
    const sent: unknown[] = [];
    const anew: unknown[] = [];
    const events: string[] = [];
    const clock = new VirtualClock(0);
    const registry = {
      get: async ({ resource }: ObjectKey) => (events.includes(`create ${resource}`) ? {} : undefined),
      create: async (resource: string) => ({ status: 'stored', object: events.push(`create ${resource}`) }),
    } as unknown as Registry;
    const handler = createResyncEventHandler({
      registry,
      catalog: createResourceCatalog(entries),
      clock,
      nodeCount: 0,
      resync: async (request) => asked.push(request),
      queueAll: async (request) => ({ queued: asked.push(request) }),
      startNewEpochs: async (resources = ['every log']) => {
        anew.push(...resources);
        return [];
      },
      beat: async () => void events.push('heartbeat'),
      readBatch: async ({ first }) => BATCHES[first] ?? 'gone',
      survey: async () => undefined,
      completedRestores: {
        has: async (id) => events.includes(`restored ${id}`),
        add: async (id) => void events.push(`restored ${id}`),
      },
      settleLogs: async () => void events.push('logs settle'),
      send: async (request) => void sent.push(request),
      log: () => {},
      ...change,
    });
    return { handler, asked, sent, anew, events, clock };
  }
  const noticeOf = (startSequenceNumber: string) => ({
    body: JSON.stringify({
      DDBStreamBatchInfo: { streamArn: 'arn', shardId: 's', startSequenceNumber, endSequenceNumber: '9' },
    }),
  });
  const given = JSON.stringify({ DDBStreamBatchInfo: { shardId: 's' } });
  const all = JSON.stringify({ what: 'all', because: 'somebody wants it' });
  const pods = JSON.stringify({ what: 'all', lost: ['pods'], because: 'the log of pods begins anew' });
  const secrets = JSON.stringify({ what: 'all', lost: ['secrets'] });
  const from = { resource: 'pods', after: { namespace: 'a', name: 'b' } };
  const later = JSON.stringify({ what: 'all', from });

  it.each([
    { event: { what: 'overdue', graceMs: 5_000 }, asked: [{ what: 'overdue', graceMs: 5_000 }] },
    { event: { what: 'all' }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: all }] }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: pods }, { body: secrets }] }, asked: [{ what: 'all', lost: ['pods', 'secrets'] }] },
    { event: { Records: [{ body: later }] }, asked: [{ what: 'all', from }] },
    { event: { Records: [{ body: pods }, { body: all }, { body: later }] }, asked: [{ what: 'all' }] },
    { event: { Records: [{ body: given }, { body: given }] }, anew: ['every log'], sent: [{ what: 'all' }] },
    { event: { Records: [{ body: 'who knows' }] }, anew: ['every log'], sent: [{ what: 'all' }] },
    {
      event: { Records: [{ body: JSON.stringify({ what: 'givenUp', resources: ['pods'] }) }] },
      anew: ['pods'],
      sent: [{ what: 'all', lost: ['pods'] }],
    },
    { event: { what: 'restored' }, anew: ['every log'], sent: [{ what: 'all' }] },
    { event: { Records: [noticeOf('pods')] }, anew: ['pods'], sent: [{ what: 'all', lost: ['pods'] }] },
    {
      event: { Records: [noticeOf('pods'), noticeOf('both')] },
      anew: ['pods', 'secrets'],
      sent: [{ what: 'all', lost: ['pods', 'secrets'] }],
    },
    { event: { Records: [noticeOf('pods'), noticeOf('old')] }, anew: ['every log'], sent: [{ what: 'all' }] },
    { event: { Records: [noticeOf('none')] } },
  ])('$event', async ({ event, asked = [], anew = [], sent = [] }) => {
    const handled = handling();
    expect(await handled.handler(event)).toEqual({ batchItemFailures: [] });
    expect(handled).toMatchObject({ asked, anew, sent });
  });

  it('that does not fit into one run goes on by a message where it stopped, whether time or an error stopped it', async () => {
    const rest = { what: 'all', from } as const;
    for (const error of [undefined, 'throttled']) {
      const handled = handling([], {
        queueAll: async () => ({ queued: 5, rest, ...(error !== undefined && { error }) }),
      });
      await handled.handler({ what: 'all' });
      expect(handled.sent).toEqual([rest]);
    }
  });

  it('that names a batch which cannot be read now loses no time, and begins every log anew', async () => {
    const handled = handling([], { readBatch: () => Promise.reject(new Error('throttled')) });
    await handled.handler({ Records: [noticeOf('pods')] });
    expect(handled).toMatchObject({ anew: ['every log'], sent: [{ what: 'all' }] });
  });

  it('that names logs of which one cannot be written begins the others anew, once', async () => {
    const handled = handling([], { startNewEpochs: async () => ['secrets'] });
    await handled.handler({ Records: [{ body: given }] });
    expect(handled.sent).toEqual([{ what: 'givenUp', resources: ['secrets'] }, { what: 'all' }]);
  });

  it('after a restore fits the tables in several runs before the logs begin anew', async () => {
    const handled = handling([], { survey: async (place) => (place === undefined ? 'half' : undefined) });
    await handled.handler({ what: 'restored' });
    expect(handled).toMatchObject({ anew: [], sent: [{ what: 'restored', from: 'half' }] });
    await handled.handler({ Records: [{ body: JSON.stringify(handled.sent[0]) }] });
    expect(handled.anew).toEqual(['every log']);
  });

  it('fits the tables once for one restore, however often the stack is deployed', async () => {
    const surveys: unknown[] = [];
    const handled = handling([], {
      survey: async (place) => (surveys.push(place) === 1 ? 'half' : undefined),
    });
    const deployed = async (id: string) => await handled.handler({ what: 'restored', id });
    await deployed('a');
    expect(handled.sent).toEqual([{ what: 'restored', id: 'a', from: 'half' }]);
    await handled.handler({ Records: [{ body: JSON.stringify(handled.sent[0]) }] });
    expect(handled).toMatchObject({ anew: ['every log'], asked: [] });
    expect(handled.sent.at(-1)).toEqual({ what: 'all' });
    await deployed('a');
    expect(surveys).toEqual([undefined, 'half']);
    expect(handled).toMatchObject({ anew: ['every log'], asked: [{ what: 'all' }] });
    await deployed('b');
    expect(surveys).toHaveLength(3);
    expect(handled.anew).toEqual(['every log', 'every log']);
  });

  it('leaves to the next run what it has no time for', async () => {
    const handled = handling([], {
      queueAll: async () => {
        handled.clock.advanceBy(3 * 60_000);
        return { queued: 1 };
      },
    });
    await handled.handler({ Records: [{ body: pods }, { body: later }] });
    expect(handled.sent).toEqual([{ what: 'all', from }]);
  });

  it.each([{ what: 'overdue', graceMs: 5_000 }, { what: 'all' }])(
    'creates the Service of the API server where it is missing: %j',
    async (event) => {
      const { handler, events } = handling([services, endpoints]);
      const created = ['create services', 'create endpoints'];
      const creations = () => events.filter((one) => one.startsWith('create'));
      await handler(event);
      expect(creations()).toEqual(created);
      await handler(event);
      expect(creations()).toEqual(created);
    },
  );

  it('gives the other triggers something to do, and does nothing else then', async () => {
    const { handler, events, asked, sent, anew } = handling();
    await handler({ what: 'heartbeat' });
    expect([events, asked, sent, anew]).toEqual([['heartbeat'], [], [], []]);
  });

  it('moves the heads of the logs daily, and not every minute', async () => {
    const { handler, events } = handling();
    await handler({ what: 'overdue', graceMs: 5_000 });
    expect(events).not.toContain('logs settle');
    await handler({ what: 'all' });
    expect(events).toContain('logs settle');
  });

  it.each([undefined, null, 'all', {}, { what: 'overdue' }, { what: 'overdue', graceMs: '5' }, { what: 'some' }])(
    'is refused if it is not a known event: %j',
    async (event) => {
      await expect(handling().handler(event)).rejects.toThrow('resync does not know this event');
    },
  );
});

describe('the times of a sync in the cloud', () => {
  it("end in this order: the sync, its function, its lock, its message's visibility timeout", () => {
    const { syncTimeoutMs, lockMarginMs, clockMarginMs, renewAfterReceives } = CLOUD_SYNC_CONFIG;
    expect(syncTimeoutMs).toBeLessThan(FUNCTIONS.sync.timeoutMs);
    expect(FUNCTIONS.sync.timeoutMs + clockMarginMs).toBeLessThan(syncTimeoutMs + lockMarginMs);
    expect(syncTimeoutMs + lockMarginMs).toBeLessThan(WORK_QUEUE.visibilityTimeoutMs);
    expect(renewAfterReceives).toBeLessThan(WORK_QUEUE.maxReceives);
  });
});

describe('the log lines of a sync', () => {
  const record: SyncRecord = {
    key: { controller: 'replicaset', namespace: 'default', name: 'web' },
    beganAtMs: 0,
    durationMs: 12,
    outcome: 'done',
    conflicts: 0,
    why: [],
    writes: [],
    failures: 0,
  };

  function metricsOf(change: Partial<SyncRecord>): Record<string, unknown>[] {
    const printed: string[] = [];
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    createSyncMetrics(new Metrics({ namespace: 'Driftless', serviceName: 'test' })).onSync({ ...record, ...change });
    stdout.mockRestore();
    return printed.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it.each([
    { ended: 'well', change: {}, counted: [] },
    { ended: 'after two conflicts', change: { conflicts: 2 }, counted: [{ Conflicts: 2 }] },
    {
      ended: 'badly',
      change: { outcome: 'failed', failures: 1 },
      counted: [{ SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }],
    },
    {
      ended: 'badly, for the sixteenth time',
      change: { outcome: 'failed', failures: 16 },
      counted: [{ SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }, { RetryingReplicaSets: 1 }],
    },
    {
      ended: 'badly, and given up',
      change: { outcome: 'failed', failures: 16, buried: true },
      counted: [{ DeadLetters: 1 }, { SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }],
    },
  ] as const)('contain the metrics of a sync that ended $ended', ({ change, counted }) => {
    const metrics = metricsOf(change);
    expect(metrics).toHaveLength(counted.length);
    for (const [at, metric] of counted.entries()) expect(metrics[at]).toMatchObject({ service: 'test', ...metric });
  });

  it('are structured, and have the level that was given', () => {
    const lines: string[] = [];
    const logger = new Logger({ serviceName: 'test', logLevel: 'INFO' });
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    createLog(logger)({ level: 'warn', msg: 'sync', key: 'deployment:default/web', outcome: 'failed', durationMs: 7 });
    stdout.mockRestore();
    stderr.mockRestore();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'WARN',
      message: 'sync',
      service: 'test',
      key: 'deployment:default/web',
      outcome: 'failed',
      durationMs: 7,
    });
  });
});

describe('a function that was not deployed by the stack', () => {
  it('names the missing variables and does not start', async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('DRIFTLESS_')) vi.stubEnv(name, undefined);
    const bundles = await BundledFunctions.open();
    try {
      await expect(bundles.load('authorize')).rejects.toThrow(
        'authorize: the environment lacks DRIFTLESS_CLUSTER_ID, DRIFTLESS_PARTITION, DRIFTLESS_IDENTITIES',
      );
    } finally {
      await bundles.close();
    }
  });

  it.each([
    { text: 'nonsense', message: 'config: must be JSON, not nonsense' },
    { text: '{"controllers":{"deployment":{"enabled":"yes"}}}', message: 'config controllers.deployment.enabled' },
  ])('names the error in its configuration: $text', ({ text, message }) => {
    expect(() => parseConfigText(text)).toThrow(message);
  });
});

describe('the bundles', () => {
  it.each(Object.values(FUNCTIONS))('of $name contain no code of the embedded store', async ({ name }) => {
    const directory = await mkdtemp(join(tmpdir(), 'driftless-bundle-'));
    try {
      bundleFunction(name, directory, 'node22');
      const maps = readdirSync(directory).filter((file) => file.endsWith('.map'));
      const sources = maps.flatMap(
        (file) => (JSON.parse(readFileSync(join(directory, file), 'utf8')) as { sources: string[] }).sources,
      );
      expect(sources).not.toEqual([]);
      expect(sources.filter((source) => /node_modules\/lmdb|\/(?:Embedded|Lmdb)\w+\.ts$/.test(source))).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
