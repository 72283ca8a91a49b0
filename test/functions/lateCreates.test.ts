import { expect, test } from 'vitest';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { guardWrites } from '../../lambdas/controllers/guardWrites.ts';
import { createNamespaceController } from '../../lambdas/controllers/namespace/createNamespaceController.ts';
import { composeCloud } from '../../lambdas/functions/composeCloud.ts';
import { LATE_CREATES_MS, REMEMBER_MS } from '../../lambdas/functions/limits.ts';
import { WRITE_LIFETIME_MS } from '../../lambdas/ports/ObjectStore.ts';
import { letPass } from '../bench/letPass.ts';
import { MODEL_TABLES, modelEnvironment } from '../model/cloud/environment.ts';
import { modelClients } from '../model/cloud/modelClients.ts';
import type { Process } from '../model/cloud/Process.ts';
import type { TableChange } from '../model/dynamo/DynamoTable.ts';
import { UNLIMITED } from '../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { describeRequest } from '../simulation/cloud/describeRequest.ts';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';

const START_MS = Date.UTC(2026, 0, 1);
/** Timestamps have whole seconds, so the one of this deletion is nearly a second too early. */
const DELETED_AT_MS = START_MS + 999;
/** How long after its sender has closed the connection DynamoDB may still carry out a request that it has received. */
const ON_ITS_WAY_MS = 2_000;
const CLOCKS_DIFFER_MS = 2_000;
/** Between its admission and its write a create may take so long, see `createObject`. */
const ADMISSION_LASTS_MS = 500;
const NAMESPACE = { resource: 'namespaces', namespace: '', name: 'team' } as const;
const LATE = { resource: 'configmaps', namespace: 'team', name: 'late' } as const;

/** A process whose requests take effect at once, but those that are held. */
class HeldProcess implements Process {
  readonly diedAtMs = undefined;
  readonly #scheduler: Scheduler;
  readonly #aheadMs: number;
  readonly #held: { readonly what: RegExp; readonly untilMs: number }[] = [];

  /** Its clock is ahead by so much. */
  constructor(scheduler: Scheduler, aheadMs: number) {
    this.#scheduler = scheduler;
    this.#aheadMs = aheadMs;
  }

  now(): number {
    return this.#scheduler.now() + this.#aheadMs;
  }

  steadyMs(): number {
    return this.#scheduler.now();
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    return this.#scheduler.setTimer(delayMs, wake);
  }

  /** Such requests do not reach their service before that time. */
  hold(what: RegExp, untilMs: number): void {
    this.#held.push({ what, untilMs });
  }

  async call<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const untilMs = this.#held.find((held) => held.what.test(what))?.untilMs ?? 0;
    await this.#scheduler.wait(Math.max(0, untilMs - this.#scheduler.now()));
    return await effect();
  }

  suspend(): void {}
  resume(): void {}
  kill(): void {}
}

/** A namespace in the tables, and functions over them. */
async function openTables() {
  const scheduler = new Scheduler(START_MS, new Random(1));
  const dynamoDb = new DynamoModel({ clock: scheduler, random: new Random(2), physics: UNLIMITED });
  /** What happened to the two objects, and when: milliseconds after the deletion was asked for. */
  const story: [what: string, atMs: number][] = [];
  const onChange = ({ keys, before, after }: TableChange) => {
    const atMs = scheduler.now() - DELETED_AT_MS;
    if (keys['name']?.S === LATE.name && !before) story.push(['the create lands', atMs]);
    if (keys['name']?.S === NAMESPACE.name && before && !after?.['body']) story.push(['the namespace goes', atMs]);
  };
  for (const [name, definition] of Object.entries(MODEL_TABLES))
    dynamoDb.createTable(name, definition, name === 'objects' ? { onChange } : undefined);
  const openFunction = (seed: number, aheadMs = 0) => {
    const process = new HeldProcess(scheduler, aheadMs);
    const services = { dynamoDb, sqs: { execute: () => ({}) } };
    const clients = modelClients(process, services, { what: describeRequest });
    const ids = new SeededIds(seed);
    const calls = new DynamoDbCalls({ client: clients.dynamoDb, clock: process, ids });
    const cloud = { ...clients, calls, clock: process, ids, log: () => {} };
    return { process, ...composeCloud(modelEnvironment(2, {}), cloud) };
  };
  const at = (atMs: number) => scheduler.wait(DELETED_AT_MS + atMs - scheduler.now());
  await letPass(scheduler, async () => {
    const { registry } = openFunction(3);
    await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE.name } });
    await at(0);
  });
  return { scheduler, story, openFunction, at };
}

type Tables = Awaited<ReturnType<typeof openTables>>;

/** Asks for the deletion. Its timestamp is stored as late as possible: when its sender has given up, and closed the connection. */
async function deleteNamespace({ openFunction, at }: Tables): Promise<void> {
  const { process, registry } = openFunction(4);
  process.hold(/^UpdateItem objects namespaces/, DELETED_AT_MS + WRITE_LIFETIME_MS + ON_ITS_WAY_MS);
  await expect(registry.delete(NAMESPACE)).rejects.toThrow('in time');
  await at(WRITE_LIFETIME_MS + ON_ITS_WAY_MS);
}

/** Creates an object by the oldest memory of an active namespace, after the longest admission, and with the longest write. */
async function createLate({ openFunction, at, scheduler }: Tables): Promise<void> {
  const { process, registry } = openFunction(5);
  const create = (name: string, data: object) =>
    registry.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team' }, data });
  await at(WRITE_LIFETIME_MS + ON_ITS_WAY_MS - 1);
  expect(await create('invalid', { 'no key': '' })).toMatchObject({ status: 'refused', error: { reason: 'Invalid' } });
  await scheduler.wait(REMEMBER_MS - 1);
  const admittedAtMs = scheduler.now() + ADMISSION_LASTS_MS - 1;
  process.hold(/^UpdateItem objects configmaps/, admittedAtMs + WRITE_LIFETIME_MS + ON_ITS_WAY_MS);
  process.hold(/./, admittedAtMs);
  await expect(create(LATE.name, {})).rejects.toThrow('in time');
}

/** Syncs the namespace whenever that is due, by a clock that is ahead, until it is gone. */
async function syncNamespace({ openFunction, at, scheduler }: Tables, lateCreatesMs: number): Promise<void> {
  const { process, registry, ports } = openFunction(6, CLOCKS_DIFFER_MS);
  const controller = createNamespaceController({ resources: ['configmaps'], lateCreatesMs });
  const guarded = guardWrites(controller, { registry, objectStore: ports.objectStore, clock: process });
  await at(WRITE_LIFETIME_MS + ON_ITS_WAY_MS);
  while (await registry.get(NAMESPACE)) {
    const nowMs = process.now();
    const start = { nowMs, deadlineMs: nowMs + 30_000, item: { failures: 0 }, recordIntent: async () => {} };
    const { outcome } = await guarded.sync({ controller: 'namespace', namespace: '', name: NAMESPACE.name }, start);
    if (outcome.status === 'requeueAfter') await scheduler.wait(outcome.delayMs);
  }
}

/** Returns what happened first, and the name of what is left of the late object in the end. */
async function run(lateCreatesMs: number) {
  const tables = await openTables();
  await letPass(tables.scheduler, () =>
    Promise.all([deleteNamespace(tables), createLate(tables), syncNamespace(tables, lateCreatesMs)]),
  );
  let left: string | undefined;
  await letPass(tables.scheduler, async () => {
    await tables.scheduler.wait(60_000);
    left = (await tables.openFunction(7).registry.get(LATE))?.metadata.name;
  });
  return { first: tables.story[0], left };
}

test('a create that was admitted in time lands before its namespace goes, however late everything is, and is deleted with it', async () => {
  expect(await run(LATE_CREATES_MS)).toEqual({
    first: ['the create lands', 2 * (WRITE_LIFETIME_MS + ON_ITS_WAY_MS) + REMEMBER_MS + ADMISSION_LASTS_MS - 3],
    left: undefined,
  });
});

test.each([
  ['the lifetime of a write', WRITE_LIFETIME_MS],
  ['what a process remembers', REMEMBER_MS],
  ['the time between admission and write', ADMISSION_LASTS_MS],
  ['a request that is still on its way', ON_ITS_WAY_MS],
  ['clocks that differ', CLOCKS_DIFFER_MS],
])('a bound that leaves out %s would let it land afterwards, and stay for ever', async (_, shareMs) => {
  const { first, left } = await run(LATE_CREATES_MS - shareMs);
  expect(first?.[0]).toBe('the namespace goes');
  expect(left).toBe(LATE.name);
});
