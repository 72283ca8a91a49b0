import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { DynamoDbCalls, type DynamoDbSender } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { StoreTimeoutError, WRITE_LIFETIME_MS } from '../../../lambdas/ports/ObjectStore.ts';
import { advance } from '../../support/advance.ts';

/** When each attempt was sent and, if it was aborted, when that happened; in milliseconds since the start. */
interface Attempt {
  readonly table: string;
  readonly sentMs: number;
  abortedMs?: number;
}

type Answer = (table: string) => Promise<unknown>;

/** Calls over a service that answers as `answer` says. */
function openCalls(answer: Answer) {
  const clock = new VirtualClock(0);
  const attempts: Attempt[] = [];
  const send = (command: UpdateItemCommand, { abortSignal }: { readonly abortSignal: AbortSignal }) => {
    const attempt: Attempt = { table: command.input.TableName ?? '', sentMs: clock.now() };
    attempts.push(attempt);
    abortSignal.addEventListener('abort', () => Object.assign(attempt, { abortedMs: clock.now() }));
    return answer(attempt.table);
  };
  const client = { send } as unknown as DynamoDbSender;
  return { clock, attempts, calls: new DynamoDbCalls({ client, clock, ids: new SeededIds(1) }) };
}

const silent = () => new Promise<never>(() => {});
const failing = (name: string) => () => Promise.reject(Object.assign(new Error(name), { name }));
const TOUCH = new UpdateItemCommand({ TableName: 't', Key: {} });

/** Lets the clock run until the call ends. Returns the error and how long the call took. */
async function fate(clock: VirtualClock, call: Promise<unknown>) {
  const fates: { readonly error: unknown; readonly tookMs: number }[] = [];
  call.then(
    () => fates.push({ error: undefined, tookMs: clock.now() }),
    (error: unknown) => fates.push({ error, tookMs: clock.now() }),
  );
  for (let ms = 0; ms < 60_000 && fates.length === 0; ms += 10) await advance(clock, 10);
  return fates[0];
}

describe('a call', () => {
  test('to an endpoint that never answers is given up after ten seconds, and each attempt after three', async () => {
    const { clock, attempts, calls } = openCalls(silent);
    const ended = await fate(
      clock,
      calls.send((sender) => sender.send(TOUCH)),
    );
    expect(ended?.error).toBeInstanceOf(StoreTimeoutError);
    expect(ended?.tookMs).toBeLessThanOrEqual(10_010);
    expect(attempts.map(({ sentMs, abortedMs = 0 }) => abortedMs - sentMs <= 3_000)).toEqual([true, true, true, true]);
  });

  test('that is throttled ends in time too, and says what failed', async () => {
    const { clock, attempts, calls } = openCalls(failing('ThrottlingException'));
    const ended = await fate(
      clock,
      calls.send((sender) => sender.send(TOUCH)),
    );
    expect(ended?.error).toMatchObject({ cause: { name: 'ThrottlingException' } });
    expect(ended?.tookMs).toBeLessThanOrEqual(10_010);
    expect(attempts.length).toBeGreaterThan(8);
  });

  test('that is throttled leaves the partition at least half a second before each further attempt', async () => {
    const { clock, attempts, calls } = openCalls(failing('ProvisionedThroughputExceededException'));
    await fate(
      clock,
      calls.send((sender) => sender.send(TOUCH)),
    );
    const waits = attempts.slice(1).map(({ sentMs }, at) => sentMs - (attempts[at]?.sentMs ?? 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_510);
  });

  test('that gives way is not repeated when it is throttled', async () => {
    const { clock, attempts, calls } = openCalls(failing('ThrottlingException'));
    const ended = await fate(
      clock,
      calls.givingWay().send((sender) => sender.send(TOUCH)),
    );
    expect(ended?.error).toMatchObject({ cause: { name: 'ThrottlingException' } });
    expect(attempts).toHaveLength(1);
  });

  test('that gives way is repeated when the service has a fault', async () => {
    const { clock, attempts, calls } = openCalls(failing('InternalServerError'));
    await fate(
      clock,
      calls.givingWay().send((sender) => sender.send(TOUCH)),
    );
    expect(attempts.length).toBeGreaterThan(8);
  });

  test('that is throttled makes the tables count as overloaded for some seconds, for all calls of the process', async () => {
    const { clock, calls } = openCalls(failing('ThrottlingException'));
    expect(calls.isOverloaded).toBe(false);
    await fate(
      clock,
      calls
        .until(() => 10_000)
        .givingWay()
        .send((sender) => sender.send(TOUCH)),
    );
    expect(calls.isOverloaded).toBe(true);
    await advance(clock, 3_000);
    expect(calls.isOverloaded).toBe(false);
  });

  test('ends with its caller`s time, and sends nothing afterwards', async () => {
    const { clock, attempts, calls } = openCalls(silent);
    const bounded = calls.until(() => 20_000 - clock.now()).until(() => 1_500 - clock.now());
    const ended = await fate(
      clock,
      bounded.send((sender) => sender.send(TOUCH)),
    );
    expect(ended?.error).toBeInstanceOf(StoreTimeoutError);
    await advance(clock, 60_000);
    expect(attempts).toEqual([{ table: 't', sentMs: 0, abortedMs: 1_500 }]);
    await expect(bounded.send((sender) => sender.send(TOUCH))).rejects.toThrow(StoreTimeoutError);
    expect(attempts).toHaveLength(1);
  });

  test('that fails for good is not repeated', async () => {
    const { attempts, calls } = openCalls(failing('ResourceNotFoundException'));
    await expect(calls.send((sender) => sender.send(TOUCH))).rejects.toThrow('ResourceNotFoundException');
    expect(attempts).toHaveLength(1);
  });

  test('leaves no timer behind when it was answered', async () => {
    const { clock, calls } = openCalls(async () => ({}));
    await calls.send((sender) => sender.send(TOUCH));
    expect(clock.nextDueMs()).toBeUndefined();
  });
});

describe('a write of an object', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'd', uid: 'u' } };

  function openStore(answer: Answer) {
    const opened = openCalls(answer);
    const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
    return { ...opened, store: new DynamoDbObjectStore({ calls: opened.calls, tables }) };
  }

  test('whose version took long gets only the time that is left, so it cannot follow later than its lifetime', async () => {
    let draws = 0;
    const { clock, attempts, store } = openStore((table) => {
      if (table === 'namespaces') return Promise.resolve({ Item: { namespace: { S: 'd' } } });
      if (table === 'objects') return silent();
      draws += 1;
      return draws < 4 ? silent() : Promise.resolve({ Attributes: { version: { N: '7' } } });
    });
    const ended = await fate(clock, store.create('configmaps', object));
    expect(ended?.error).toBeInstanceOf(StoreTimeoutError);
    expect(ended?.tookMs).toBeLessThanOrEqual(WRITE_LIFETIME_MS + 10);
    await advance(clock, 60_000);
    const writes = attempts.filter(({ table }) => table === 'objects');
    expect(writes).toHaveLength(1);
    expect(writes[0]?.abortedMs).toBe(WRITE_LIFETIME_MS);
  });

  test('of a caller with less time ends with it, while the draw of a version that it shared goes on for others', async () => {
    let drawn = 6;
    const { clock, store } = openStore((table) => {
      if (table === 'namespaces') return Promise.resolve({ Item: { namespace: { S: 'd' } } });
      if (table === 'objects') return Promise.resolve({});
      drawn += 1;
      const answered = { Attributes: { version: { N: `${drawn}` }, adds: { N: `${drawn}` } } };
      return new Promise((resolve) => clock.setTimer(1_000, () => resolve(answered)));
    });
    // While the first draw is under way, the other two gather. They share the next one, which is counted once here: its answer names their last version.
    const first = store.create('configmaps', { ...object, metadata: { ...object.metadata, name: 'first' } });
    await new Promise((resolve) => setImmediate(resolve));
    const short = fate(clock, store.until(() => 500 - clock.now()).create('configmaps', object));
    const patient = store.create('configmaps', object);
    expect(await short).toMatchObject({ error: expect.any(StoreTimeoutError), tookMs: 500 });
    await advance(clock, 3_000);
    expect(await first).toMatchObject({ status: 'stored', object: { metadata: { resourceVersion: '7' } } });
    expect(await patient).toMatchObject({ status: 'stored', object: { metadata: { resourceVersion: '8' } } });
    expect(drawn).toBe(8);
  });

  test.each([
    ['events', 1],
    ['configmaps', 2],
  ])('of %s that is throttled is sent %d times: pods need the throughput more than events', async (resource, count) => {
    let throttled = 0;
    const { clock, attempts, store } = openStore((table) => {
      if (table === 'namespaces') return Promise.resolve({ Item: { namespace: { S: 'd' } } });
      if (table === 'versions') return Promise.resolve({ Attributes: { version: { N: '7' }, adds: { N: '1' } } });
      throttled += 1;
      return throttled === 1 ? failing('ProvisionedThroughputExceededException')() : Promise.resolve({});
    });
    const ended = await fate(clock, store.create(resource, object));
    expect(ended?.error === undefined).toBe(resource !== 'events');
    expect(attempts.filter(({ table }) => table === 'objects')).toHaveLength(count);
  });
});
