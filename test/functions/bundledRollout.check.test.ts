// Slow: it bundles the functions, and starts DynamoDB Local.
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse, SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  KEY_ITEMS_TABLE,
  LOG_TABLE,
  NAMESPACES_TABLE,
  OBJECTS_TABLE,
  VERSIONS_TABLE,
} from '../../lambdas/adapters/aws/tables.ts';
import { NO_AUDIT, NO_RESTORE, NO_TRACES, VARIABLES } from '../../lambdas/functions/readEnvironment.ts';
import { BundledFunctions } from '../support/BundledFunctions.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { FauxqsQueue } from '../support/FauxqsQueue.ts';
import { LambdaStream, lambdaStreaming } from '../support/LambdaStream.ts';
import { LocalStream } from '../support/LocalStream.ts';
import { proxyEvent, type ProxyRequest } from '../support/proxyEvent.ts';

type StreamHandler = (event: { Records: readonly unknown[] }) => Promise<DynamoDBBatchResponse>;
type QueueHandler = (event: { Records: readonly unknown[] }) => Promise<SQSBatchResponse>;

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
  },
};

describe.skipIf(dynamoDbLocalMissing)(
  `the bundled functions${dynamoDbLocalMissing ? `: ${dynamoDbLocalMissing}` : ''}`,
  () => {
    let bundles: BundledFunctions;
    let dynamoDb: DynamoDbLocal;
    let fauxqs: FauxqsQueue;
    let stream: LocalStream;
    let streamArn: string;
    let api: (event: unknown, stream: LambdaStream, context: unknown) => Promise<void>;
    let record: StreamHandler;
    let enqueue: StreamHandler;
    let sync: QueueHandler;
    let resync: (event: unknown) => Promise<SQSBatchResponse>;

    beforeAll(async () => {
      [dynamoDb, fauxqs, bundles] = await Promise.all([
        DynamoDbLocal.start(),
        FauxqsQueue.open(),
        BundledFunctions.open(),
      ]);
      const [objects, versions, namespaces, log, keys] = await Promise.all(
        [OBJECTS_TABLE, VERSIONS_TABLE, NAMESPACES_TABLE, LOG_TABLE, KEY_ITEMS_TABLE].map((table) =>
          dynamoDb.createTable(table),
        ),
      );
      streamArn = objects?.streamArn ?? '';
      stream = new LocalStream(dynamoDb.endpoint, streamArn);
      const environment = {
        AWS_REGION: 'local',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB_STREAMS: dynamoDb.endpoint,
        AWS_ENDPOINT_URL_SQS: fauxqs.endpoint,
        POWERTOOLS_SERVICE_NAME: 'test',
        POWERTOOLS_METRICS_NAMESPACE: 'Driftless',
        POWERTOOLS_LOG_LEVEL: 'CRITICAL',
        [VARIABLES.clusterId]: 'test',
        [VARIABLES.config]: '{}',
        [VARIABLES.stage]: 'live',
        [VARIABLES.watchSeconds]: '{"resumed":60,"unresumed":80}',
        [VARIABLES.maxWatches]: '4',
        [VARIABLES.auditLogGroup]: NO_AUDIT,
        [VARIABLES.auditPolicy]: NO_AUDIT,
        [VARIABLES.nodes]: '2',
        [VARIABLES.traceSampleRate]: NO_TRACES,
        [VARIABLES.smokeTest]: 'false',
        [VARIABLES.kubelets]: 'none',
        [VARIABLES.restoreId]: NO_RESTORE,
        [VARIABLES.objectsTable]: objects?.tableName,
        [VARIABLES.versionsTable]: versions?.tableName,
        [VARIABLES.namespacesTable]: namespaces?.tableName,
        [VARIABLES.logTable]: log?.tableName,
        [VARIABLES.keysTable]: keys?.tableName,
        [VARIABLES.workQueueUrl]: fauxqs.queueUrl,
        [VARIABLES.deadLetterQueueUrl]: fauxqs.deadLetterQueueUrl,
        [VARIABLES.givenUpQueueUrl]: fauxqs.deadLetterQueueUrl,
      };
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      vi.stubGlobal('awslambda', lambdaStreaming);
      api = await bundles.load('api');
      record = await bundles.load('record');
      enqueue = await bundles.load('enqueue');
      sync = await bundles.load('sync');
      resync = await bundles.load('resync');
    }, 120_000);

    afterAll(async () => {
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
      await Promise.all([dynamoDb?.stop(), fauxqs?.close(), bundles?.close()]);
    });

    async function request(asked: ProxyRequest) {
      const answer = new LambdaStream();
      await api(proxyEvent(asked), answer, {});
      const { prelude, body = '' } = answer.answer() ?? {};
      return {
        status: prelude?.statusCode,
        headers: prelude?.headers ?? {},
        object: JSON.parse(body) as Record<string, unknown>,
      };
    }

    /** Hands what the stream has to its two functions, and a batch of the queue to `sync`; false if there was nothing. */
    async function pump(): Promise<boolean> {
      const records = await stream.read();
      for (let from = 0; from < records.length; from += 100) {
        const batch = { Records: records.slice(from, from + 100) };
        expect(await record(batch)).toEqual({ batchItemFailures: [] });
        expect(await enqueue(batch)).toEqual({ batchItemFailures: [] });
      }
      const messages = await fauxqs.receive();
      const { batchItemFailures } = await sync({ Records: messages });
      const kept = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { messageId, receiptHandle } of messages) if (!kept.has(messageId)) await fauxqs.delete(receiptHandle);
      return records.length > 0 || messages.length > 0;
    }

    async function pumpUntil(isReached: () => Promise<boolean>): Promise<void> {
      while (!(await isReached())) if (!(await pump())) await new Promise((resolve) => setTimeout(resolve, 50));
    }

    test('roll out a deployment that came through API Gateway, visible to a watch', { timeout: 60_000 }, async () => {
      await resync({ what: 'all' });
      await pumpUntil(async () => {
        const { status } = await request({ path: '/api/v1/namespaces/default/serviceaccounts/default' });
        return status === 200;
      });

      const path = '/apis/apps/v1/namespaces/default/deployments';
      const body = Buffer.from(JSON.stringify(DEPLOYMENT));
      const created = await request({ method: 'POST', path, body, contentType: 'application/json' });
      expect(created.status).toBe(201);
      expect(created.object).toMatchObject({ kind: 'Deployment', metadata: { name: 'web', generation: 1 } });

      const watch = new LambdaStream();
      const watching = api(proxyEvent({ path, query: { watch: ['true'], timeoutSeconds: ['30'] } }), watch, {});
      await pumpUntil(async () => {
        const { object } = await request({ path: `${path}/web` });
        return (object['status'] as { availableReplicas?: number } | undefined)?.availableReplicas === 3;
      });
      await pump();
      await watch.until(/"availableReplicas":3/);
      expect(watch.answer()?.prelude).toMatchObject({
        statusCode: 200,
        headers: { 'content-type': 'application/json' },
      });
      watch.destroy();
      await watching;
    });

    test('queue overdue keys, and every key when stream batches were given up', async () => {
      expect(await resync({ what: 'overdue', graceMs: 5_000 })).toEqual({ batchItemFailures: [] });
      while (await pump());
      expect(await resync({ Records: [{ body: '{"DDBStreamBatchInfo":{}}' }] })).toEqual({ batchItemFailures: [] });
      const [queueAll] = await fauxqs.receive(fauxqs.deadLetterQueueUrl);
      expect(JSON.parse(queueAll?.body ?? '')).toEqual({ what: 'all' });
      expect(await resync({ Records: [queueAll] })).toEqual({ batchItemFailures: [] });
      expect((await fauxqs.receive()).length).toBeGreaterThan(0);
    });

    test('queue only the keys of the resource whose changes were given up', async () => {
      while (await pump());
      const path = '/api/v1/namespaces/default/configmaps';
      const body = Buffer.from(JSON.stringify({ metadata: { name: 'settings' } }));
      expect((await request({ method: 'POST', path, body, contentType: 'application/json' })).status).toBe(201);
      let sequences: readonly (string | undefined)[] = [];
      while (sequences.length === 0) sequences = (await stream.read()).map((one) => one.dynamodb?.SequenceNumber);
      const { StreamDescription } = await new DynamoDBStreamsClient().send(
        new DescribeStreamCommand({ StreamArn: streamArn }),
      );
      const place = { shardId: StreamDescription?.Shards?.[0]?.ShardId, streamArn };
      const [startSequenceNumber] = sequences;
      const notice = { DDBStreamBatchInfo: { ...place, startSequenceNumber, endSequenceNumber: sequences.at(-1) } };
      expect(await resync({ Records: [{ body: JSON.stringify(notice) }] })).toEqual({ batchItemFailures: [] });
      const [asked] = await fauxqs.receive(fauxqs.deadLetterQueueUrl);
      expect(JSON.parse(asked?.body ?? '')).toEqual({ what: 'all', lost: ['configmaps'] });
    });

    test('refuse a request without a user', async () => {
      const { status, object } = await request({ path: '/api/v1/pods', authorizer: {} });
      expect({ status, reason: object['reason'] }).toEqual({ status: 401, reason: 'Unauthorized' });
    });

    test('keep only the message of a batch that holds no key', async () => {
      const attributes = {
        SentTimestamp: `${Date.now()}`,
        ApproximateFirstReceiveTimestamp: `${Date.now()}`,
        ApproximateReceiveCount: '1',
      };
      const common = { attributes, messageAttributes: {} };
      const gone = JSON.stringify({ controller: 'deployment', namespace: 'default', name: 'gone' });
      const Records = [
        { ...common, messageId: 'm1', receiptHandle: 'r1', body: 'no key' },
        { ...common, messageId: 'm2', receiptHandle: 'r2', body: gone },
      ];
      expect(await sync({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    });

    test('report the first record of a stream batch whose keys could not be queued', async () => {
      const path = '/api/v1/namespaces/default/pods';
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { generateName: 'lone-' },
        spec: { containers: [{ name: 'a', image: 'a:1' }] },
      };
      while (await pump());
      await request({ method: 'POST', path, body: Buffer.from(JSON.stringify(pod)), contentType: 'application/json' });
      let Records: readonly { dynamodb?: { SequenceNumber?: string | undefined } | undefined }[] = [];
      while (Records.length === 0) Records = await stream.read();
      vi.stubEnv('AWS_ENDPOINT_URL_SQS', 'http://127.0.0.1:1');
      const lonely = await bundles.load<StreamHandler>('enqueue');
      const { batchItemFailures } = await lonely({ Records });
      expect(batchItemFailures[0]?.itemIdentifier).toBe(Records[0]?.dynamodb?.SequenceNumber);
    });
  },
);
