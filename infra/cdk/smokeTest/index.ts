import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerDeployment } from '../answerDeployment.ts';
import { answerSmokeTest } from './answerSmokeTest.ts';
import { FetchedApi } from './FetchedApi.ts';
import type { SmokeTestPlan } from './planSmokeTest.ts';
import { runSmokeTest } from './runSmokeTest.ts';
import { signToken } from './signToken.ts';

/** The properties of a `Custom::SmokeTest`. */
export interface SmokeTestProperties {
  /** The URL of the Kubernetes API, with its stage. */
  readonly ApiUrl: string;
  /** For which tokens are signed. */
  readonly ClusterId: string;
  /** JSON of a SmokeTestPlan. */
  readonly Plan: string;
}

const PHYSICAL_ID = 'smoke-test';
const TIME = { now: () => Date.now(), pause: (ms: number) => pause(ms) };
/** Together they answer in much less time than CloudFormation waits. */
const cloudFormation = new CloudFormationClient({
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000 },
});

/** Answers CloudFormation's request for a `Custom::SmokeTest`: runs the smoke test, whose failure rolls the deployment back. */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  const { ApiUrl, ClusterId, Plan } = event.ResourceProperties as unknown as SmokeTestProperties;
  const plan = JSON.parse(Plan) as SmokeTestPlan;
  const api = new FetchedApi(ApiUrl, () => newToken(ClusterId));
  const answer = await answerSmokeTest({
    requestType: event.RequestType,
    run: () => runSmokeTest({ api, time: TIME, runId: randomUUID() }, plan),
    stackStatus: () => stackStatus(event.StackId),
    because: plan.because,
  });
  console.log(JSON.stringify({ message: 'smoke test', request: event.RequestType, ...answer }));
  await answerDeployment(event, PHYSICAL_ID, answer);
}

async function stackStatus(stackId: string): Promise<string> {
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackId }));
  const status = Stacks[0]?.StackStatus;
  if (status === undefined) throw new Error(`CloudFormation does not know ${stackId}`);
  return status;
}

function newToken(clusterId: string): Promise<string> {
  const variable = (name: string) => process.env[name] ?? '';
  return signToken({
    region: variable('AWS_REGION'),
    credentials: {
      accessKeyId: variable('AWS_ACCESS_KEY_ID'),
      secretAccessKey: variable('AWS_SECRET_ACCESS_KEY'),
      sessionToken: process.env['AWS_SESSION_TOKEN'],
    },
    clusterId,
    nowMs: Date.now(),
  });
}
