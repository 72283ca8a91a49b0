import { setTimeout as pause } from 'node:timers/promises';
import {
  APIGatewayClient,
  BadRequestException,
  GetAccountCommand,
  TooManyRequestsException,
  UpdateAccountCommand,
} from '@aws-sdk/client-api-gateway';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { type GatewayAccount, settleAccountRole } from './settleAccountRole.ts';

const client = new APIGatewayClient();

const ACCOUNT: GatewayAccount = {
  role: async () => (await client.send(new GetAccountCommand())).cloudwatchRoleArn,
  setRole: async (value) => {
    const patchOperations = [{ op: 'replace', path: '/cloudwatchRoleArn', value } as const];
    try {
      await client.send(new UpdateAccountCommand({ patchOperations }));
      return 'set';
    } catch (error) {
      if (error instanceof BadRequestException || error instanceof TooManyRequestsException) return 'refused';
      throw error;
    }
  },
};

/** Answers CloudFormation's request for a `Custom::GatewayAccount`, whose property `RoleArn` is the role that the account gets if it has none. When the stack is deleted, the account keeps what it has. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const { ResponseURL, StackId, RequestId, LogicalResourceId } = event;
  const answer = {
    ...(await resultOf(event)),
    PhysicalResourceId: 'gateway-account',
    StackId,
    RequestId,
    LogicalResourceId,
  };
  await send(ResponseURL, JSON.stringify(answer));
}

const SEND_ATTEMPTS = 3;

/** Puts the answer to where CloudFormation waits for it. A body of bytes has no content type, which the URL's signature would have to cover. Throws if it is not taken: CloudFormation then waits for an hour. */
async function send(url: string, answer: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { ok, status } = await fetch(url, { method: 'PUT', body: Buffer.from(answer) });
    if (ok) return;
    if (attempt === SEND_ATTEMPTS) throw new Error(`CloudFormation does not take the answer: ${status}`);
    await pause(1_000);
  }
}

async function resultOf(
  event: CloudFormationCustomResourceEvent,
): Promise<{ readonly Status: 'SUCCESS' } | { readonly Status: 'FAILED'; readonly Reason: string }> {
  try {
    const { RoleArn } = event.ResourceProperties as unknown as { readonly RoleArn: string };
    if (event.RequestType !== 'Delete') await settleAccountRole(ACCOUNT, RoleArn, pause);
    return { Status: 'SUCCESS' };
  } catch (error) {
    return { Status: 'FAILED', Reason: String(error) };
  }
}
