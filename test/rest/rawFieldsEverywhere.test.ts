import { expect, test } from 'vitest';
import * as fc from '../support/seededFastCheck.ts';
import { anyRawValue, DEFINITIONS, RAW_PLACES, THINGS } from './rawPlaces.ts';
import { type Api, startApi } from './startApi.ts';
import { tryRawPlace } from './tryRawPlace.ts';

test.each(Object.entries(RAW_PLACES))(
  '%s comes back as it was given, by every way of writing and reading',
  async (_, place) => {
    const api = await startApi();
    await defineThings(api);
    const requests = (path: string, init: RequestInit) => api.app.request(`http://127.0.0.1${path}`, init);
    const server = { requests, isSettled: () => true };
    await fc.assert(
      fc.asyncProperty(anyRawValue, (value) => tryRawPlace(server, place, value)),
      { numRuns: 4 },
    );
    expect(api.errors).toEqual([]);
  },
  60_000,
);

/** Creates the definition of the custom objects, and says of it what its controller would. */
async function defineThings(api: Api): Promise<void> {
  const { body } = await api.call('POST', DEFINITIONS, THINGS);
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
  const status = { conditions, acceptedNames: THINGS.spec.names, storedVersions: ['v1'] };
  const written = await api.call('PUT', `${DEFINITIONS}/${THINGS.metadata.name}/status`, { ...body, status });
  expect(written.code, JSON.stringify(written.body)).toBe(200);
}
