import type { Metrics } from '@aws-lambda-powertools/metrics';
import { expect, test } from 'vitest';
import { openAws } from '../../lambdas/adapters/aws/openAws.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { composeApi } from '../../lambdas/functions/api/composeApi.ts';
import type { Cloud } from '../../lambdas/functions/openCloud.ts';
import { composeEnqueue } from '../../lambdas/functions/enqueue/composeEnqueue.ts';
import { logSetupProblems } from '../../lambdas/functions/logSetupProblems.ts';
import { composeRecord } from '../../lambdas/functions/record/composeRecord.ts';
import { composeResync } from '../../lambdas/functions/resync/composeResync.ts';
import { composeSync } from '../../lambdas/functions/sync/composeSync.ts';
import { modelEnvironment } from '../model/cloud/environment.ts';

type Handler = (event: never) => Promise<unknown>;
type WorkingFunction = 'api' | 'record' | 'enqueue' | 'sync' | 'resync';

const NO_METRICS = { singleMetric: () => ({ addDimension: () => {}, addMetric: () => {} }) } as unknown as Metrics;

/** All functions but the authorizer, which uses no service that needs a permission. The container is composed like `api`. */
const COMPOSE: Readonly<Record<WorkingFunction, (cloud: Cloud) => Handler>> = {
  api: (cloud) => {
    const { fetch: api } = composeApi(modelEnvironment(2, {}), cloud);
    return async (request: Request) => await api(request, { user: { username: 'admin', groups: ['system:masters'] } });
  },
  record: (cloud) => composeRecord(modelEnvironment(2, {}), cloud),
  enqueue: (cloud) => composeEnqueue(modelEnvironment(2, {}), cloud),
  sync: (cloud) => composeSync(modelEnvironment(2, {}), cloud, NO_METRICS),
  resync: (cloud) => composeResync(modelEnvironment(2, {}), cloud, { send: () => Promise.reject(new Error('unused')) }),
};

/** A Deployment was created: a change to log, and a key to queue. */
const RECORD = {
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: '1',
    Keys: { place: { S: 'deployments.apps#default' }, name: { S: 'web' } },
    NewImage: {
      place: { S: 'deployments.apps#default' },
      name: { S: 'web' },
      version: { N: '7' },
      uid: { S: 'u' },
      body: {
        S: JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web', namespace: 'default', uid: 'u' },
        }),
      },
    },
  },
};

const MESSAGE = {
  messageId: 'm',
  receiptHandle: 'r',
  body: JSON.stringify({ controller: 'deployment', namespace: 'default', name: 'web' }),
  attributes: { SentTimestamp: '1', ApproximateFirstReceiveTimestamp: '1', ApproximateReceiveCount: '1' },
  messageAttributes: {},
};

/** Something to do for each function that uses a service. */
const EVENTS: Readonly<Record<WorkingFunction, unknown>> = {
  api: new Request('https://api/api/v1/namespaces/default/configmaps/a'),
  record: { Records: [RECORD] },
  enqueue: { Records: [RECORD] },
  sync: { Records: [MESSAGE] },
  resync: { what: 'overdue', graceMs: 5_000 },
};

/** What is missing is a table, or, for the function that only sends keys, their queue. */
const MISSING: Readonly<Record<WorkingFunction, string>> = {
  api: 'ResourceNotFoundException',
  record: 'ResourceNotFoundException',
  enqueue: 'QueueDoesNotExist',
  sync: 'ResourceNotFoundException',
  resync: 'ResourceNotFoundException',
};

/** Composes the function over services that answer everything with this error, invokes it twice, and returns the lines that its alarm counts. */
async function problemLines(name: WorkingFunction, error: string): Promise<readonly object[]> {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = (line: Readonly<Record<string, unknown>>) => void lines.push(line);
  const aws = openAws({ clock, ids: new SeededIds(1), onSetupProblem: logSetupProblems(log, clock) });
  const refuse = () => () => Promise.reject(Object.assign(new Error('no'), { name: error }));
  aws.dynamoDb.middlewareStack.add(refuse, { step: 'initialize', priority: 'low' });
  aws.sqs.middlewareStack.add(refuse, { step: 'initialize', priority: 'low' });
  const handle = COMPOSE[name]({ ...aws, log });
  for (let time = 0; time < 2; time += 1) await handle(EVENTS[name] as never).catch(() => {});
  return lines.filter(({ msg }) => msg === 'the setup is wrong');
}

test.each(Object.keys(EVENTS) as WorkingFunction[])(
  '%s writes one line that says what to do when a permission is missing, or a table or queue',
  async (name) => {
    const problem = { level: 'error', msg: 'the setup is wrong' };
    const lacking = { ...problem, problem: 'AccessDeniedException: no' };
    const permission = expect.stringContaining('lacks a permission: deploy the stack again') as string;
    expect(await problemLines(name, 'AccessDeniedException')).toEqual([{ ...lacking, whatToDo: permission }]);
    const missing = { ...problem, problem: `${MISSING[name]}: no` };
    const table = expect.stringMatching(/^a (table|queue) is missing: /) as string;
    expect(await problemLines(name, MISSING[name])).toEqual([{ ...missing, whatToDo: table }]);
  },
);
