import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../rest/startApi.ts';
import { type HostileBody, hostileBodies, patched } from './growth/hostileBodies.ts';
import { FILLINGS, type SchemaPlace, schemaPlaces } from './growth/schemaBodies.ts';

/** `FUZZ_RUNS` multiplies the number of drawn places. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1);

/** A request that costs less is too short to be measured for growth; milliseconds of CPU time. */
const MEASURABLE_MS = 60;
/** From a quarter of the size: what is linear grows by 4, or by 5 where the heap gets in the way; what is quadratic grows by 16. The rest is for noise. */
const MAX_GROWTH = 8;
/** While a request is worked on, every other request waits. */
const MAX_BLOCKED_MS = 200;
const MAX_REFUSAL_BYTES = 64_000;
/** What `referenceMs` measures on two quiet cores of the kind that CI has; milliseconds of CPU time. */
const REFERENCE_MS = 55;
/** Measured again so often before it counts as slow: the compiler, the heap and other processes disturb single measurements. */
const MEASUREMENTS = 5;
/** The largest object, in bytes of JSON. */
const LARGEST_OBJECT = 370_000;

let api: Api;
beforeAll(async () => {
  api = await startApi();
  await api.call('POST', '/api/v1/namespaces/default/configmaps', patched.configMap);
  await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', patched.deployment);
});

type Request = Pick<HostileBody, 'method' | 'url' | 'contentType'>;

/** Sends a request and returns the CPU time that it cost in milliseconds. The answer must be sound and, if it is a refusal, short. */
async function costOf({ method = 'POST', url, contentType }: Request, body: string | Uint8Array): Promise<number> {
  const init = { method, headers: { 'content-type': contentType }, body: body as string };
  const request = new Request(`http://127.0.0.1${url}`, init);
  const began = process.cpuUsage();
  const response = await api.app.request(request);
  const answer = await response.text();
  const { user, system } = process.cpuUsage(began);
  expect([response.status < 500, api.errors], answer.slice(0, 500)).toEqual([true, []]);
  if (response.status >= 400) expect(Buffer.byteLength(answer)).toBeLessThan(MAX_REFUSAL_BYTES);
  expect([...response.headers].join().length).toBeLessThan(8_000);
  return (user + system) / 1_000;
}

/** The least of several measurements; one is enough for a request that is fast at once. */
async function leastCostOf(request: Request, body: string | Uint8Array, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < MEASUREMENTS && least > enoughMs; measurement += 1) {
    least = Math.min(least, await costOf(request, body));
  }
  return least;
}

/** A fixed piece of work: building, writing and parsing many small objects, as requests do. */
function referenceMs(): number {
  const began = process.cpuUsage();
  const items = Array.from({ length: 20_000 }, (_, index) => ({ [`name${index}`]: index, text: `text${index}` }));
  JSON.parse(JSON.stringify(items));
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** How many times slower this machine is now than the one that the limits are stated for, while it was quiet. At least 1. */
function slowness(): number {
  const leastMs = Math.min(...Array.from({ length: MEASUREMENTS }, referenceMs));
  return Math.max(1, leastMs / REFERENCE_MS);
}

async function expectLinear(
  request: Request,
  bodyOf: (bytes: number) => string | Uint8Array,
  maxBytes: number,
  what = '',
) {
  const costMs = await leastCostOf(request, bodyOf(maxBytes), MEASURABLE_MS);
  const allowedMs = costMs < MAX_BLOCKED_MS ? MAX_BLOCKED_MS : MAX_BLOCKED_MS * slowness();
  expect(costMs, `milliseconds that block all other requests ${what}`).toBeLessThan(allowedMs);
  if (costMs <= MEASURABLE_MS) return;
  const quarterMs = await leastCostOf(request, bodyOf(maxBytes / 4), costMs / MAX_GROWTH);
  expect(
    costMs / Math.max(quarterMs, MEASURABLE_MS / MAX_GROWTH),
    `growth from a quarter of the size ${what}`,
  ).toBeLessThan(MAX_GROWTH);
}

describe('the cost of a request grows with its size, and no faster', () => {
  test.each(hostileBodies.map((body) => [body.name, body] as const))('%s', async (_, body) => {
    for (const share of [0.01, 0.1]) await costOf(body, body.bodyOf(body.maxBytes * share));
    await expectLinear(body, body.bodyOf, body.maxBytes);
  });

  const places = schemaPlaces();
  test(
    'a list or a map at any place of any kind',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(places.length - 1), fc.constantFrom(...FILLINGS), async (index, filling) => {
          const { name, url, bodyOf } = places[index] as SchemaPlace;
          const request = { url, contentType: 'application/json' };
          await expectLinear(request, (bytes) => JSON.stringify(bodyOf(filling, bytes)), LARGEST_OBJECT, name);
        }),
        { numRuns: 30 * RUNS },
      );
    },
    120_000 * RUNS,
  );
});
