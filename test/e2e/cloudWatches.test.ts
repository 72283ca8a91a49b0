import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billOf, totalOf, usedBetween } from '../../infra/emulation/bill/billOf.ts';
import { CountingMeter, type Usage } from '../../infra/emulation/bill/Meter.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { isCloud } from './serverArguments.ts';

const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

describe.skipIf(!isCloud)('watches in the emulated cloud of a new account (npm run test:cloud)', () => {
  const meter = new CountingMeter();
  let emulation: Emulation;

  beforeAll(async () => {
    emulation = await startEmulation({ meter });
  }, 240_000);
  afterAll(() => emulation?.stop());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(emulation.url + path, {
      ...init,
      headers: { authorization: `Bearer ${emulation.token()}`, 'content-type': 'application/json' },
    });
  const invocations = () => meter.usage()['invocations/ApiFunction'] ?? 0;

  /** Opens a watch, leaves it after a second, and returns what it cost when its function has ended. */
  async function costOfAbandoned(query: string): Promise<number> {
    // The authorizer's answer is cached then. A function is billed a moment after its answer.
    const warm = invocations();
    await (await ask(PODS)).text();
    while (invocations() === warm) await pause(100);
    const before = meter.usage();
    const count = invocations();
    const leave = new AbortController();
    const { status } = await ask(`${PODS}?watch=true${query}`, { signal: leave.signal });
    expect(status).toBe(200);
    await pause(1_000);
    leave.abort();
    while (invocations() === count) await pause(500);
    return totalOf(billOf(withoutOthers(usedBetween(before, meter.usage()))));
  }

  it('an abandoned watch costs less than $0.0006, whether or not its client would resume it', async () => {
    const unresumed = await costOfAbandoned('');
    // It was billed to its end.
    expect(unresumed).toBeGreaterThan(0.0004);
    expect(unresumed).toBeLessThan(0.0006);
    expect(await costOfAbandoned('&timeoutSeconds=500')).toBeLessThan(0.0006);
  }, 240_000);

  it('leave room for a rollout, however many are asked for; the others get 429', async () => {
    const leave = new AbortController();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(`${PODS}?watch=true`, { signal: leave.signal })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4);
    expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(8);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 });
    }
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
    };
    const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
    expect((await ask(DEPLOYMENTS, { method: 'POST', body: JSON.stringify(deployment) })).status).toBe(201);
    let available = 0;
    while (available < 3) {
      const { status } = (await (await ask(`${DEPLOYMENTS}/web`)).json()) as {
        status?: { availableReplicas?: number };
      };
      available = status?.availableReplicas ?? 0;
      await pause(500);
    }
    leave.abort();
  }, 120_000);
});

/** The usage without that of other functions: `resync` runs meanwhile. */
function withoutOthers(usage: Usage): Usage {
  const isOthers = /^(?:invocations|GB-seconds|milliseconds)\/(?!ApiFunction)|^sqs requests|\/KeysTable|\/ObjectsTable/;
  return Object.fromEntries(Object.entries(usage).filter(([item]) => !isOthers.test(item)));
}
