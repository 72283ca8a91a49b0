import * as fc from '../../support/seededFastCheck.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../../rest/startApi.ts';
import { type HostileBody, patched } from './hostileBodies.ts';
import { FILLINGS, type SchemaPlace, schemaPlaces } from './schemaBodies.ts';
import { threadCpuMs } from './threadCpuMs.ts';

/** `FUZZ_RUNS` multiplies the number of drawn places. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1);

/** A request of four times the size may cost this many times as much. What is linear grows by 4, what is quadratic by 16. */
const MAX_GROWTH = 5;
/** What grows so little in the first pair of measurements is not measured again: a quadratic request would have to look three times cheaper than it is, at every size. */
const CLEARLY_LINEAR = 4.5;
/** A request that costs less is too short to be measured for growth; milliseconds of CPU time. */
const MEASURABLE_MS = 15;
/** While a request is worked on, every other request waits; milliseconds of CPU time. What is seen is below 150; a busy machine needs twice as long for the same work. */
const MAX_BLOCKED_MS = 500;
const MAX_REFUSAL_BYTES = 64_000;
/** By how much one request may raise the most memory that the process ever used. What is seen is below 15. */
const MAX_MEMORY_MIB = 100;
/** Measured again so often before it counts as slow: the compiler, the heap and other processes disturb single measurements. */
const MEASUREMENTS = 15;

let api: Api;

async function startPatched(): Promise<void> {
  api = await startApi();
  await api.call('POST', '/api/v1/namespaces/default/configmaps', patched.configMap);
  await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', patched.deployment);
}

type Target = Pick<HostileBody, 'method' | 'url' | 'contentType'>;
type Body = string | Uint8Array;

/** Sends the body `times` times and returns the mean CPU time in milliseconds. The answers must be sound and, if they are refusals, short. */
async function costOf({ method = 'POST', url, contentType }: Target, body: Body, times = 1): Promise<number> {
  const init = { method, headers: { 'content-type': contentType }, body: body as string };
  const requests = Array.from({ length: times }, () => new Request(`http://127.0.0.1${url}`, init));
  const answers: [Response, string][] = [];
  const peakMiB = peakMemoryMiB();
  const beganMs = threadCpuMs();
  for (const request of requests) {
    const response = await api.app.request(request);
    answers.push([response, await response.text()]);
  }
  const costMs = (threadCpuMs() - beganMs) / times;
  expect(peakMemoryMiB() - peakMiB, 'MiB of memory').toBeLessThan(MAX_MEMORY_MIB);
  for (const [response, text] of answers) expectSound(response, text);
  return costMs;
}

function peakMemoryMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}

function expectSound({ status, headers }: Response, text: string): void {
  // Kubernetes answers 500, too, to a configuration that does not fit its kind's schema.
  const misfit = text.includes('"message":"failed to create typed patch object (');
  expect([status < 500 || misfit, api.errors], text.slice(0, 500)).toEqual([true, []]);
  if (status >= 400) expect(Buffer.byteLength(text)).toBeLessThan(MAX_REFUSAL_BYTES);
  expect([...headers].join().length).toBeLessThan(8_000);
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/**
 * Expects that a request blocks no other for long, and costs at most `MAX_GROWTH` times as much as one of a quarter of its size. Both are measured in turn, and
 * their medians count. Four of the small ones are measured together, so that the garbage collector has to run in both or in neither.
 */
async function expectLinear(target: Target, bodyOf: (size: number) => Body, size: number, what: string) {
  const whole = bodyOf(size);
  const quarter = bodyOf(size / 4);
  const wholeMs: number[] = [];
  const quarterMs: number[] = [];
  const leastMs = () => Math.min(...wholeMs);
  const growth = () => medianOf(wholeMs) / medianOf(quarterMs);
  while (wholeMs.length < MEASUREMENTS) {
    wholeMs.push(await costOf(target, whole));
    if (leastMs() < MEASURABLE_MS) return;
    quarterMs.push(await costOf(target, quarter, 4));
    const accepted = wholeMs.length > 2 ? MAX_GROWTH : CLEARLY_LINEAR;
    if (leastMs() < MAX_BLOCKED_MS && growth() <= accepted) return;
  }
  expect(leastMs(), `milliseconds that ${what} of ${whole.length} bytes blocks others`).toBeLessThan(MAX_BLOCKED_MS);
  expect(growth(), `growth of ${what} of ${whole.length} bytes`).toBeLessThanOrEqual(MAX_GROWTH);
}

/** The sizes to measure: an upper limit hides what is worst just below it. */
const SHARES = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

const TITLE = 'the cost of a request grows with its size, and no faster';

/** Defines a test for each of these bodies. */
export function expectLinearBodies(bodies: readonly HostileBody[]): void {
  describe(TITLE, { timeout: 60_000 }, () => {
    beforeAll(startPatched);
    test.each(bodies.map((body) => [body.name, body] as const))('%s', async (name, body) => {
      for (const share of SHARES) await expectLinear(body, body.bodyOf, body.maxBytes * share, name);
    });
  });
}

/** Defines a test of drawn places. */
export function expectLinearPlaces(): void {
  describe(TITLE, { timeout: 60_000 }, () => {
    beforeAll(startPatched);
    const places = schemaPlaces();
    test(
      'a list or a map at any place of any kind',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.nat(places.length - 1), fc.constantFrom(...FILLINGS), async (index, filling) => {
            const { name, url, bodyOf } = places[index] as SchemaPlace;
            const target = { url, contentType: 'application/json' };
            await expectLinear(target, (share) => JSON.stringify(bodyOf(filling, share)), 1, name);
          }),
          { numRuns: 30 * RUNS },
        );
      },
      120_000 * RUNS,
    );
  });
}
