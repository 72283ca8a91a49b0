import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../../lambdas/adapters/ids/SystemIds.ts';
import { composeAudit } from '../../../lambdas/functions/api/composeAudit.ts';
import { answerProxyEvent } from '../../../lambdas/functions/api/answerProxyEvent.ts';
import type { Cloud } from '../../../lambdas/functions/openCloud.ts';
import type { AuditPolicy } from '../../../lambdas/rest/audit/AuditPolicy.ts';
import { proxyEvent } from '../../support/proxyEvent.ts';
import { startApi } from '../../rest/startApi.ts';

interface Received {
  readonly action: string;
  readonly authorization: string;
  readonly body: Record<string, unknown>;
}

let server: Server;
let received: Received[];
let answers: { readonly status: number; readonly body: object }[];

beforeEach(async () => {
  received = [];
  answers = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const action = String(request.headers['x-amz-target']);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      received.push({ action, authorization: String(request.headers.authorization), body });
      const { status, body: answer } = answers.shift() ?? { status: 200, body: {} };
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function composed(policy: AuditPolicy, lines: unknown[]) {
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token' };
  const cloud = {
    dynamoDb: new DynamoDBClient({ region: 'eu-west-1', credentials }),
    clock: new SystemClock(),
    ids: new SystemIds(),
    log: (line: unknown) => lines.push(line),
    logsEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  } as unknown as Cloud;
  const auditPolicy = deflateRawSync(JSON.stringify(policy)).toString('base64');
  const audit = composeAudit({ auditLogGroup: 'the-group', auditPolicy }, cloud);
  if (!audit) throw new Error('there is no audit log');
  return audit;
}

test('what comes through API Gateway is in the log group when the log is flushed', async () => {
  const audit = composed({ omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] }, []);
  const { app } = await startApi({ audit, userOf: (environment) => (environment as { user: never }).user });
  const event = proxyEvent({ path: '/api/v1/namespaces/default/configmaps' });
  const identity = { ...event.requestContext.identity, sourceIp: '192.0.2.1' };
  const authorizer = { username: 'ann', groups: '["dev"]' };
  const context = { ...event.requestContext, identity, authorizer };
  const fetch = async (request: Request, environment: object) => await app.fetch(request, environment);
  await answerProxyEvent(fetch, () => {}, { ...event, requestContext: context });
  await audit.log.flush();
  expect(received.map(({ action }) => action)).toEqual(['Logs_20140328.CreateLogStream', 'Logs_20140328.PutLogEvents']);
  expect(received[1]?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/logs\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$/,
  );
  const { logGroupName, logEvents } = (received[1] as Received).body as {
    logGroupName: string;
    logEvents: { message: string }[];
  };
  expect(logGroupName).toBe('the-group');
  expect(logEvents.map(({ message }) => JSON.parse(message) as unknown)).toMatchObject([
    {
      verb: 'list',
      user: { username: 'ann', groups: ['dev'] },
      sourceIPs: ['192.0.2.1'],
      responseStatus: { code: 200 },
    },
  ]);
});

test('a log group that cannot be written is said in the log of the function', async () => {
  const lines: unknown[] = [];
  const audit = composed({ rules: [{ level: 'Metadata' }] }, lines);
  const api = await startApi({ audit, userOf: () => ({ username: 'ann', groups: [] }) });
  answers.push({ status: 400, body: { __type: 'com.amazonaws#AccessDeniedException', message: 'no' } });
  expect((await api.call('GET', '/version')).code).toBe(200);
  await audit.log.flush();
  expect(lines).toEqual([{ level: 'error', msg: 'audit events are lost', error: 'AccessDeniedException: no' }]);
});
