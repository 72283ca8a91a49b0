import { setTimeout as pause } from 'node:timers/promises';
import {
  APIGatewayClient,
  BadRequestException,
  GetAccountCommand,
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
      if (error instanceof BadRequestException) return 'refused';
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
  await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(answer) });
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
