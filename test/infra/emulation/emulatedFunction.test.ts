import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AccountConcurrency } from '../../../infra/emulation/functions/AccountConcurrency.ts';
import { bundleWorker } from '../../../infra/emulation/functions/deployFunctions.ts';
import { type BilledInvocation, EmulatedFunction } from '../../../infra/emulation/functions/EmulatedFunction.ts';

/** Streams a chunk at once, and another one after the time that the event asks for. */
const STREAMING = `
export const handler = awslambda.streamifyResponse(async ({ runMs }, stream) => {
  stream.write('begun');
  await new Promise((resolve) => setTimeout(resolve, runMs));
  await new Promise((resolve, reject) => stream.write('ended', (error) => (error ? reject(error) : resolve())));
});`;

const directory = mkdtempSync(join(tmpdir(), 'driftless-function-'));
let workerPath: string;
let opened: EmulatedFunction[] = [];

beforeAll(async () => {
  writeFileSync(join(directory, 'index.mjs'), STREAMING);
  workerPath = await bundleWorker(directory);
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});
afterAll(() => rmSync(directory, { recursive: true }));

function open(
  name: string,
  concurrency: AccountConcurrency,
  onBilled: (billed: BilledInvocation) => void = () => {},
  maxEnvironments = 4,
) {
  const spec = { logicalId: name, name, arn: `arn:${name}`, directory, handler: 'index.handler', environment: {} };
  const created = new EmulatedFunction({
    spec: { ...spec, runtime: 'nodejs24.x', memoryMb: 512, timeoutMs: 60_000 },
    sharedParts: { workerPath, stsPort: 1, variables: {}, onLog: () => {} },
    concurrency,
    maxEnvironments,
    onBilled,
  });
  opened.push(created);
  return created;
}

describe('a streamed answer whose client has gone', () => {
  it('runs to its end without an error and is billed for all of it', async () => {
    const billed: BilledInvocation[] = [];
    const streaming = open('Api', new AccountConcurrency(10, []), (one) => void billed.push(one));
    const left = new AbortController();
    const received: string[] = [];
    const outcome = await streaming.invoke(
      JSON.stringify({ runMs: 400 }),
      async (bytes) => {
        received.push(Buffer.from(bytes).toString());
        left.abort();
      },
      left.signal,
    );
    expect([outcome.status, received]).toEqual(['returned', ['begun']]);
    expect(billed).toHaveLength(1);
    expect(billed[0]?.durationMs).toBeGreaterThanOrEqual(400);
    expect(billed[0]?.streamedBytes).toBe('begunended'.length);
  });
});

describe('a function that is closed', () => {
  /** Opens a function with a single environment, and waits until an invocation of it runs. */
  async function openBusy() {
    const busy = open('Api', new AccountConcurrency(10, []), undefined, 1);
    const running = await new Promise<{ readonly ended: Promise<{ readonly status: string }> }>((resolve) => {
      const ended = busy.invoke('{"runMs":60000}', async () => resolve({ ended }));
    });
    return { busy, running };
  }

  it('ends at once what runs and what waits, and throttles what comes later', async () => {
    const { busy, running } = await openBusy();
    const waiting = busy.invoke('{"runMs":0}');
    await busy.close();
    const outcomes = await Promise.all([running.ended, waiting, busy.invoke('{"runMs":0}')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'throttled', 'throttled']);
  }, 5_000);

  it('throttles instead of using an environment that was idle', async () => {
    const idle = open('Api', new AccountConcurrency(10, []));
    await idle.warm();
    await idle.close();
    expect(await idle.invoke('{"runMs":0}')).toEqual({ status: 'throttled' });
  }, 5_000);
});

describe('the quota of concurrent executions', () => {
  it('throttles an invocation above it at once, and allows it when another has ended', async () => {
    const streaming = open('Api', new AccountConcurrency(1, []));
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = streaming.invoke(JSON.stringify({ runMs: 100 }), async () => begun());
    await hasBegun;
    expect(await streaming.invoke('{"runMs":0}')).toEqual({ status: 'throttled' });
    await first;
    expect((await streaming.invoke('{"runMs":0}', async () => {})).status).toBe('returned');
  });

  it('is shared by functions without a reservation', () => {
    const account = new AccountConcurrency(2, [{ name: 'Api' }, { name: 'Sync' }]);
    expect([account.begin('Api'), account.begin('Sync'), account.begin('Sync')]).toEqual([true, true, false]);
    account.end('Api');
    expect(account.begin('Sync')).toBe(true);
  });

  it('gives a function its reservation, never more, and takes it from the others', () => {
    const account = new AccountConcurrency(3, [{ name: 'Api', reservedConcurrency: 2 }, { name: 'Sync' }]);
    expect([account.begin('Sync'), account.begin('Sync')]).toEqual([true, false]);
    expect([account.begin('Api'), account.begin('Api'), account.begin('Api')]).toEqual([true, true, false]);
  });

  it('cannot be smaller than the reservations', () => {
    expect(() => new AccountConcurrency(10, [{ name: 'Api', reservedConcurrency: 11 }])).toThrow('more than');
  });
});
