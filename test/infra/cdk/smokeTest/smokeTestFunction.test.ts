import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signToken } from '../../../../infra/cdk/smokeTest/signToken.ts';
import { EmulatedSts } from '../../../../infra/emulation/identity/EmulatedSts.ts';
import { parseBearerToken } from '../../../../lambdas/functions/authorize/parseBearerToken.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const KEYS = { accessKeyId: 'ASIATEST', secretAccessKey: 'secret' };

describe('the token of the smoke test', () => {
  const parts = { region: 'eu-central-1', credentials: { ...KEYS, sessionToken: 'session/+=' }, nowMs: NOW_MS };

  test.each([
    ['eu-central-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('is one that the authorizer takes, in %s', async (region, partition) => {
    const token = await signToken({ ...parts, region, clusterId: 'one' });
    expect(parseBearerToken(token, { partition, nowMs: NOW_MS })).toMatchObject({
      status: 'ask',
      expiresAtMs: NOW_MS + 900_000,
    });
  });

  test.each([
    ['one', 200],
    ['another', 403],
  ])('is verified by STS for its own cluster only: %s', async (asked, status) => {
    const arn = 'arn:aws:sts::111122223333:assumed-role/SmokeTestRole/function';
    const sts = await EmulatedSts.open(
      [{ ...KEYS, arn, account: '111122223333', userId: 'AROA:function' }],
      () => NOW_MS,
    );
    const token = await signToken({ ...parts, clusterId: 'one' });
    const { pathname, search, hostname } = new URL(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { request } = await import('node:http');
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: hostname, 'x-k8s-aws-id': asked };
      request({ port: sts.port, host: '127.0.0.1', path: pathname + search, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once('error', reject)
        .end();
    });
    await sts.close();
    expect(answered).toBe(status);
  });
});

describe('the function of the smoke test', () => {
  /** CloudFormation's API, the address of its answers, and a Kubernetes API that refuses everything for good. */
  let server: Server;
  const answers: unknown[] = [];
  const tokens = new Set<string | undefined>();
  let stackStatus = 'UPDATE_IN_PROGRESS';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === '/answer') {
      answers.push(JSON.parse(body));
      response.end();
    } else if (request.url?.startsWith('/k8s/')) {
      tokens.add(request.headers.authorization);
      response.writeHead(422, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', message: 'a policy refuses it' }));
    } else {
      expect(body).toContain('Action=DescribeStacks');
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(
        `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><StackStatus>${stackStatus}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
    }
  }

  beforeEach(async () => {
    answers.length = 0;
    tokens.clear();
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', url());
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.spyOn(console, 'log').mockImplementation(() => {});
    vi.resetModules();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function send(RequestType: string): Promise<unknown> {
    const { handler } = await import('../../../../infra/cdk/smokeTest/index.ts');
    const Plan = JSON.stringify({ checks: 'rollout', because: '', nodeNames: [] });
    const ids = { StackId: 'arn:stack', RequestId: 'r', LogicalResourceId: 'SmokeTest' };
    const ResourceProperties = { ApiUrl: `${url()}/k8s`, ClusterId: 'one', Plan };
    const event = { RequestType, ResponseURL: `${url()}/answer`, ResourceProperties, ...ids };
    await handler(event as unknown as CloudFormationCustomResourceEvent);
    return answers.at(-1);
  }

  test.each([
    ['Create', 'UPDATE_IN_PROGRESS', 'FAILED'],
    ['Update', 'UPDATE_IN_PROGRESS', 'FAILED'],
    ['Update', 'UPDATE_ROLLBACK_IN_PROGRESS', 'SUCCESS'],
    ['Delete', 'DELETE_IN_PROGRESS', 'SUCCESS'],
  ])('answers a %s of a stack in %s with %s', async (type, status, expected) => {
    stackStatus = status;
    expect(await send(type)).toMatchObject({
      Status: expected,
      PhysicalResourceId: 'smoke-test',
      StackId: 'arn:stack',
      RequestId: 'r',
      LogicalResourceId: 'SmokeTest',
      ...(expected === 'FAILED' && {
        Reason: expect.stringContaining('look for what earlier runs left behind: 422: a policy') as string,
      }),
    });
    const isSigned = [...tokens].every((token) => token?.startsWith('Bearer k8s-aws-v1.'));
    expect([tokens.size, isSigned]).toEqual([expected === 'FAILED' ? 1 : 0, true]);
  });
});
