import { setTimeout as pause } from 'node:timers/promises';
import {
  APIGatewayClient,
  BadRequestException,
  GetAccountCommand,
  TooManyRequestsException,
  UpdateAccountCommand,
} from '@aws-sdk/client-api-gateway';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerDeployment, type DeploymentAnswer } from '../answerDeployment.ts';
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
  await answerDeployment(event, 'gateway-account', await resultOf(event));
}

async function resultOf(event: CloudFormationCustomResourceEvent): Promise<DeploymentAnswer> {
  try {
    const { RoleArn } = event.ResourceProperties as unknown as { readonly RoleArn: string };
    if (event.RequestType !== 'Delete') await settleAccountRole(ACCOUNT, RoleArn, pause);
    return { Status: 'SUCCESS' };
  } catch (error) {
    return { Status: 'FAILED', Reason: String(error) };
  }
}
