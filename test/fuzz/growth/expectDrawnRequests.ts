import { beforeAll, describe, expect, test } from 'vitest';
import { serveWidgets } from '../../rest/serveWidgets.ts';
import * as fc from '../../support/seededFastCheck.ts';
import { drawnObject, drawnRequest, grownDefinition } from './drawnRequests.ts';
import { grownSchema, keywords } from './drawnSchemas.ts';
import { expectBoundedGrowth } from './expectBoundedGrowth.ts';
import { schemaOf, startMeasured } from './expectFoundHoles.ts';
import type { MeasuredApi } from './MeasuredApi.ts';

/** `FUZZ_RUNS` multiplies the number of drawn requests. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1);

/** Defines tests of requests that are drawn from the types of the API: so many of each sort. */
export function expectDrawnRequests(count: number): void {
  describe('whatever grows in a request, the request takes no more than in proportion, or is refused', () => {
    const options = { timeout: 300_000 * RUNS };
    let measured: MeasuredApi;
    beforeAll(async () => {
      measured = await startMeasured();
    });

    test('a field of any kind, in any way to write it', options, async () => {
      await fc.assert(
        fc.asyncProperty(drawnRequest(), (request) => expectBoundedGrowth(measured, request)),
        { numRuns: count * RUNS },
      );
    });

    test('the items of a custom object, whatever its schema says', options, async () => {
      await fc.assert(
        fc.asyncProperty(drawnObject(), async (object) => {
          await serveWidgets(measured.api, schemaOf(object.items ?? {}));
          await expectBoundedGrowth(measured, object);
        }),
        { numRuns: count * RUNS },
      );
    });

    test('a definition of a custom kind', options, async () => {
      for (const keyword of keywords().filter((_, index) => count > 10 || index % 3 === 0))
        await expectBoundedGrowth(measured, grownDefinition(keyword));
    });
  });
}

/** Defines the test that no keyword of a schema is forgotten. */
export function expectEveryKeyword(): void {
  test('each keyword that a schema can have grows, or is said not to', () => {
    expect(keywords().length).toBeGreaterThan(10);
    for (const keyword of keywords()) expect(grownSchema(keyword, 2)).toBeTypeOf('object');
  });
}
