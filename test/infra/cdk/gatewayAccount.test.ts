import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GatewayAccount, settleAccountRole } from '../../../infra/cdk/gatewayAccount/settleAccountRole.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const OURS = 'arn:aws:iam::111122223333:role/ours';
const THEIRS = 'arn:aws:iam::111122223333:role/theirs';

describe('the account`s role for API Gateway`s logs', () => {
  /** An account that refuses a new role this often. */
  function accountWith(role: string | undefined, refusals = 0): GatewayAccount & { now: string | undefined } {
    let left = refusals;
    const account = {
      now: role,
      role: async () => account.now,
      setRole: async (arn: string) => {
        if ((left -= 1) >= 0) return 'refused' as const;
        account.now = arn;
        return 'set' as const;
      },
    };
    return account;
  }

  test.each([
    ['is set if there is none', undefined, 0, 'set', OURS, 0],
    ['stays if it is another team`s', THEIRS, 0, 'kept', THEIRS, 0],
    ['is set again until API Gateway knows of it', undefined, 3, 'set', OURS, 63_000],
  ])('%s', async (_, role, refusals, outcome, now, pausedMs) => {
    const account = accountWith(role, refusals);
    let paused = 0;
    const pause = async (ms: number) => (paused += ms);
    expect(await settleAccountRole(account, OURS, pause)).toBe(outcome);
    expect(account.now).toBe(now);
    expect(paused).toBe(pausedMs);
  });

  test('fails the deployment if API Gateway refuses it for a minute', async () => {
    const account = accountWith(undefined, 1_000);
    await expect(settleAccountRole(account, OURS, async () => {})).rejects.toThrow(`does not take the role ${OURS}`);
  });
});

describe('the function of a deployment', () => {
  /** API Gateway's API of the account, and the address to which CloudFormation's answers go. */
  let server: Server;
  let role: string | undefined;
  const answers: unknown[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.method === 'PUT') {
      // The URL is signed without one.
      response.statusCode = request.headers['content-type'] === undefined ? 200 : 403;
      answers.push(JSON.parse(body));
    }
    if (request.method === 'PATCH')
      role = (JSON.parse(body) as { patchOperations: { value: string }[] }).patchOperations[0]?.value;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(role === undefined ? {} : { cloudwatchRoleArn: role }));
  }

  beforeEach(async () => {
    role = undefined;
    answers.length = 0;
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    vi.stubEnv('AWS_ENDPOINT_URL', urlOf(server));
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    vi.resetModules();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });

  async function send(RequestType: string, RoleArn = OURS): Promise<void> {
    const { handler } = await import('../../../infra/cdk/gatewayAccount/index.ts');
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'GatewayAccount' };
    const event = { RequestType, ResponseURL: `${urlOf(server)}/answer`, ResourceProperties: { RoleArn }, ...ids };
    await handler(event as unknown as CloudFormationCustomResourceEvent);
  }

  const SUCCESS = {
    Status: 'SUCCESS',
    PhysicalResourceId: 'gateway-account',
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: 'GatewayAccount',
  };

  test('sets the role of an account that has none, and keeps it from then on', async () => {
    await send('Create');
    expect(role).toBe(OURS);
    await send('Update', THEIRS);
    await send('Delete');
    expect(role).toBe(OURS);
    expect(answers).toEqual([SUCCESS, SUCCESS, SUCCESS]);
  });

  test('tells CloudFormation why it failed', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    await send('Create');
    expect(answers).toEqual([
      { ...SUCCESS, Status: 'FAILED', Reason: expect.stringContaining('credentials') as string },
    ]);
  });
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the template', () => {
  const template = synthesizeStack();

  test('gives the account a role only if it has none, before there is a stage with an access log', () => {
    template.resourceCountIs('AWS::ApiGateway::Account', 0);
    const [[id, account] = ['', undefined]] = Object.entries(resourcesOf(template, 'Custom::GatewayAccount'));
    const roleId = /<(GatewayLogRole\w+)\.Arn>/.exec(String(resolve(account?.Properties['RoleArn'])))?.[1] ?? '';
    expect(resource(template, roleId)).toMatchObject({
      Type: 'AWS::IAM::Role',
      DeletionPolicy: 'Retain',
    });
    const [stage] = Object.values(resourcesOf(template, 'AWS::ApiGateway::Stage')) as unknown as {
      DependsOn: string[];
    }[];
    expect(stage?.DependsOn).toContain(id);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('replaces the account`s role if it is to: %s', (apiGatewayAccount, count) => {
    const other = synthesizeStack({ apiGatewayAccount });
    other.resourceCountIs('AWS::ApiGateway::Account', count);
    other.resourceCountIs('Custom::GatewayAccount', 0);
  });
});
