import { expect, test } from 'vitest';
import { parseStackProps } from '../../../infra/cdk/parseStackProps.ts';
import { composeApi } from '../../../lambdas/functions/api/composeApi.ts';
import { warmApi } from '../../../lambdas/functions/api/warmApi.ts';
import { ModelStack } from '../../bench/ModelStack.ts';
import { modelEnvironment } from '../../model/cloud/environment.ts';
import { warmStore } from '../../model/cloud/warming.ts';
import type { Process } from '../../model/cloud/Process.ts';

/** A process whose requests to the services are answered at once, since answers of HTTP take real time. */
function quickProcess(): Process {
  return {
    diedAtMs: undefined,
    now: () => Date.now(),
    steadyMs: () => performance.now(),
    setTimer: (delayMs, wake) => {
      const timer = setTimeout(wake, delayMs);
      return () => clearTimeout(timer);
    },
    call: (_, effect) => effect(),
    suspend: () => {},
    resume: () => {},
    kill: () => {},
  };
}

async function openStack() {
  const stack = new ModelStack(parseStackProps({}), () => {});
  await stack.bootstrap([], 1);
  await stack.rest();
  /** The units of each table that `act` uses. */
  const unitsOf = async (act: () => Promise<unknown>) => {
    stack.dynamoDb.usage.reset();
    await act();
    const units = new Map<string, number>();
    for (const { table, readUnits, writeUnits } of stack.dynamoDb.usage.rows) {
      units.set(`${table} read`, (units.get(`${table} read`) ?? 0) + readUnits);
      if (writeUnits > 0) units.set(`${table} written`, writeUnits);
    }
    return Object.fromEntries(units);
  };
  return { stack, unitsOf };
}

test('warming reads permissions and a list each time, writes nothing, and costs what the model of the cloud counts', async () => {
  const { stack, unitsOf } = await openStack();
  const cloud = stack.cloud.openProcess(quickProcess(), 'api-warm');
  const { warm } = composeApi(modelEnvironment(1, {}), cloud);
  await warm();
  const again = await unitsOf(warm);
  expect(again).toEqual({ 'namespaces read': expect.any(Number), 'objects read': 5, 'log read': 1 });
  const store = stack.cloud.openApiStore(quickProcess(), 'api-model');
  await warmStore(store);
  const modelled = await unitsOf(() => warmStore(store));
  expect(modelled).toEqual(again);
});

test('the first time, each request is answered: discovery, the documents of OpenAPI, and a list as a table', async () => {
  const { stack } = await openStack();
  const { fetch } = composeApi(modelEnvironment(1, {}), stack.cloud.openProcess(quickProcess(), 'api-warm'));
  const answers: string[] = [];
  const warm = warmApi(
    async (request, environment) => {
      const response = await fetch(request, environment);
      answers.push(`${response.status} ${new URL(request.url).pathname} ${response.headers.get('content-type')}`);
      return response;
    },
    async () => {},
  );
  await warm();
  const list = '200 /apis/apps/v1/namespaces/default/deployments application/json';
  expect(answers).toEqual([
    '200 /apis application/json',
    list,
    '200 /apis application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    '200 /openapi/v3 application/json',
    '200 /openapi/v3/apis/apps/v1 application/json',
  ]);
  answers.length = 0;
  await warm();
  expect(answers).toEqual(['200 /apis application/json', list]);
});

test('what writes need is loaded, too', async () => {
  let loaded = 0;
  const warm = warmApi(
    async () => new Response(),
    async () => {
      loaded += 1;
    },
  );
  await warm();
  expect(loaded).toBe(1);
});
