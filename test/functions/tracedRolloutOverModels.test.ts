// Slow: rollouts over models of the services, in simulated time.
import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { DynamoDbKeyLocks } from '../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import type { KeyItem } from '../../lambdas/ports/KeyLocks.ts';
import type { Span } from '../../lambdas/ports/Tracing.ts';
import { ModelProcess } from '../bench/ModelProcess.ts';
import { ModelStack, type StackParts } from '../bench/ModelStack.ts';
import type { Service } from '../model/cloud/modelClients.ts';
import { Random } from '../simulation/Random.ts';
import { webDeployment } from '../support/webDeployment.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const WEB = { resource: 'deployments.apps', namespace: 'default', name: 'web' } as const;
const KEY = { controller: 'deployment', namespace: 'default', name: 'web' };

/** A write as the table has it. */
interface Written {
  readonly place: string;
  readonly name: string;
  readonly traceId: string | undefined;
}

/** A stack in which `ann`, who is an administrator, may say what is traced, and nothing else is. */
async function openStack(parts: StackParts = {}) {
  const spans: Span[] = [];
  const written: Written[] = [];
  const sink = { add: (span: Span) => spans.push(span), flush: async () => {} };
  const stack = new ModelStack(
    parseStackProps({ tracing: { sampleRate: 0 } }),
    ({ keys, after }) => {
      const [version, text] = after?.['trace']?.S?.split(' ') ?? [];
      const isOwn = version !== undefined && version === after?.['version']?.N;
      const traceId = isOwn ? text?.slice(0, 32) : undefined;
      written.push({ place: keys['place']?.S ?? '', name: keys['name']?.S ?? '', traceId });
    },
    1,
    { ...parts, spans: sink },
  );
  await stack.bootstrap(['default'], 2);
  await stack.rest();
  const api = stack.openApi('client');
  const send = async (method: string, path: string, body: object, traceId = TRACE) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'Content-Type': type, traceparent: `00-${traceId}-${SPAN}-01` };
    const init = { method, headers, body: JSON.stringify(body) };
    const user = { username: 'ann', groups: ['system:masters', 'system:authenticated'] };
    const { status } = await api.fetch(new Request(`http://host${path}`, init), { user });
    await api.tellAll();
    return status;
  };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const create = () => read(stack, () => send('POST', deployments, webDeployment('nginx', 3)));
  const ask = async (groups: string[]) => {
    const url = 'http://host/debug/explain/deployment/default/web';
    return await (await api.fetch(new Request(url), { user: { username: 'ann', groups } })).text();
  };
  const explain = (groups: string[]) => read(stack, () => ask(groups));
  return { stack, spans, written, explain, send, create, forget: () => written.splice(0) };
}

async function read<T>(stack: ModelStack, ask: () => Promise<T>): Promise<T> {
  const answers: T[] = [];
  await stack.finish(async () => answers.push(await ask()));
  return answers[0] as T;
}

async function keyItemOf(stack: ModelStack): Promise<KeyItem | undefined> {
  const process = new ModelProcess(stack.scheduler, new Random(7));
  const { dynamoDb } = stack.cloud.openProcess(process, 'reader');
  const calls = new DynamoDbCalls({ client: dynamoDb, clock: process, ids: new SeededIds(7) });
  return await read(stack, () => new DynamoDbKeyLocks({ calls, tableName: 'keys' }).peek(KEY));
}

/** What a rollout writes, apart from what the cluster does anyway. */
function ofRollout({ place }: Written): boolean {
  return /^(?:deployments\.apps|replicasets\.apps|pods)#default/.test(place);
}

test('one trace leads from a request through keys that writers send to the last write of its rollout', async () => {
  const { stack, spans, written, create, explain, forget } = await openStack();
  forget();
  expect(await create()).toBe(201);
  await stack.rest();
  const web = await read(stack, () => stack.api.registry.get<Deployment>(WEB));
  expect(web?.status?.availableReplicas).toBe(3);
  const rollout = written.filter(ofRollout);
  expect(rollout.length).toBeGreaterThan(10);
  expect(rollout.filter(({ traceId }) => traceId !== TRACE)).toEqual([]);
  expect(
    written.filter((one) => !ofRollout(one) && /^(?:leases|nodes)/.test(one.place) && one.traceId === TRACE),
  ).toEqual([]);
  expect(spans.filter(({ traceId }) => traceId !== TRACE)).toEqual([]);
  const [request] = spans.filter(({ part }) => part === 'api');
  expect(request).toMatchObject({ parentSpanId: SPAN, attributes: { 'http.response.status_code': 201 } });
  const first = spans.find(({ part, parentSpanId }) => part === 'sync' && parentSpanId === request?.spanId);
  expect(first?.attributes['key']).toBe('deployment:default/web');
  expect(spans.some(({ part }) => part === 'writer')).toBe(true);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== SPAN && !ids.has(parentSpanId ?? ''))).toEqual([]);
  expect((await keyItemOf(stack))?.waited).toMatchObject({ traceId: TRACE, via: 'writer' });
  const explained = await explain(['system:masters']);
  expect(explained).toContain('3 replicas');
  expect(explained).toMatch(
    /the sync for the last traced change, written at 2026-01-01T00:\d\d:\d\dZ, waited .*, and took [\d.]+ s \(by the clocks of several machines, which may differ by up to 2 s\)/,
  );
  expect(explained).not.toContain('Last syncs');
  expect(JSON.parse(await explain(['system:authenticated']))).toMatchObject({ reason: 'Forbidden', code: 403 });
}, 120_000);

/** The direct keys of every process are lost, so that all come by the stream. */
function withoutDirectKeys(service: Service, name: string): Service {
  if (!/^(?:sync-|client)/.test(name)) return service;
  return {
    execute: (command) => {
      const { Entries = [] } = (command as { readonly input: { readonly Entries?: object[] } }).input;
      const isSend = command.constructor.name === 'SendMessageBatchCommand';
      if (isSend && !JSON.stringify(Entries).includes('wakeUp')) throw new Error('no keys today');
      return service.execute(command);
    },
  };
}

test('where its keys come by the stream, the trace says how long each change waited for that', async () => {
  const { stack, spans, written, create, forget } = await openStack({ sqsOf: withoutDirectKeys });
  forget();
  expect(await create()).toBe(201);
  await stack.rest();
  expect(written.filter(ofRollout).filter(({ traceId }) => traceId !== TRACE)).toEqual([]);
  const [request] = spans.filter(({ part }) => part === 'api');
  const wait = spans.find(({ part, parentSpanId }) => part === 'stream' && parentSpanId === request?.spanId);
  const waitedMs = (wait?.endMs ?? 0) - (wait?.startMs ?? 0);
  expect(waitedMs).toBeGreaterThan(50);
  expect(waitedMs).toBeLessThan(2_000);
  const sync = spans.find(({ part, parentSpanId }) => part === 'sync' && parentSpanId === request?.spanId);
  expect(sync?.startMs).toBeGreaterThanOrEqual(wait?.endMs ?? Number.POSITIVE_INFINITY);
}, 120_000);

test('two changes of one object lead to syncs that belong to the trace of each, or name it', async () => {
  const { stack, spans, send, create } = await openStack();
  expect(await create()).toBe(201);
  await stack.rest();
  spans.splice(0);
  const traces = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const patches = () => traces.map((traceId, at) => send('PATCH', path, { spec: { replicas: 4 + at } }, traceId));
  const statuses = await read(stack, () => Promise.all(patches()));
  expect(statuses).toEqual([200, 200, 200]);
  await stack.rest();
  const syncs = spans.filter(
    ({ part, attributes }) => part === 'sync' && attributes['key'] === 'deployment:default/web',
  );
  const named = (traceId: string) =>
    syncs.some((sync) => sync.traceId === traceId || sync.links?.some((link) => link.traceId === traceId));
  expect(traces.filter((traceId) => !named(traceId))).toEqual([]);
}, 120_000);
