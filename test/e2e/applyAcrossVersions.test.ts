import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gadgetDefinition } from '../support/gadgetDefinition.ts';
import { WebhookBench } from '../support/WebhookBench.ts';
import type { Answer, ReceivedReview } from '../support/WebhookServer.ts';

type Json = Record<string, unknown>;

const V1 = 'example.com/v1';
const V2 = 'example.com/v2';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
  const person = { type: 'object', properties: { name: { type: 'string' }, team: { type: 'string' } } };
  const versions = [
    version('v1', { size: { type: 'integer' }, owner: { type: 'string' } }),
    version('v2', { count: { type: 'integer' }, person }),
  ];
  await bench.cluster.apply(gadgetDefinition(bench.server, versions));
  await bench.cluster.advance('10s');
});
beforeEach(() => bench.server.on('/convert', convert));
afterEach(async () => {
  await bench.send('DELETE', path(V1));
});
afterAll(() => bench.stop());

/** The version of gadgets whose specs have these properties; v1 is stored. */
function version(name: 'v1' | 'v2', properties: object): object {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema } };
}

/** `spec.size` and `spec.owner` in v1 are `spec.count` and `spec.person` in v2: `ann/devs` is ann of the devs. */
function convert({ request }: ReceivedReview): Answer {
  const { objects, desiredAPIVersion } = request as { objects: { spec?: Json }[]; desiredAPIVersion: string };
  const convertedObjects = objects.map(({ spec = {}, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion === V1 ? toV1(spec) : toV2(spec),
  }));
  return { result: { status: 'Success' }, convertedObjects };
}

function toV1({ count, person, ...spec }: Json): Json {
  if (count === undefined && person === undefined) return spec;
  const { name = '', team = '' } = (person ?? {}) as Json;
  return {
    ...(count !== undefined && { size: count }),
    ...(person !== undefined && { owner: `${String(name)}/${String(team)}` }),
  };
}

function toV2({ size, owner, ...spec }: Json): Json {
  if (size === undefined && owner === undefined) return spec;
  const [name = '', team = ''] = (typeof owner === 'string' ? owner : '').split('/');
  return { ...(size !== undefined && { count: size }), ...(owner !== undefined && { person: { name, team } }) };
}

function path(apiVersion: string): string {
  return `/apis/${apiVersion}/namespaces/default/gadgets`;
}

/** Applies the object `one` in this version. */
function apply(apiVersion: string, manager: string, spec: object, more = '') {
  const body = { apiVersion, kind: 'Gadget', metadata: { name: 'one' }, spec };
  return bench.send('PATCH', `${path(apiVersion)}/one?fieldManager=${manager}${more}`, body, APPLY);
}

/** Who owns which fields of the spec: `ann v1 Apply: owner size`. */
async function owners(): Promise<string[]> {
  const { body } = await bench.send('GET', `${path(V1)}/one`);
  const entries = body.metadata.managedFields as {
    manager: string;
    operation: string;
    apiVersion: string;
    fieldsV1: Json;
  }[];
  return entries
    .map(({ manager, operation, apiVersion, fieldsV1 }) => {
      const fields = Object.keys((fieldsV1['f:spec'] ?? {}) as Json).filter((name) => name !== '.');
      return `${manager} ${apiVersion.split('/')[1]} ${operation}: ${fields
        .map((name) => name.slice(2))
        .sort()
        .join(' ')}`;
    })
    .sort();
}

describe('who applies in one version what others own in another', () => {
  test('conflicts with them about what means another value to them, by the names of their version', async () => {
    await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
    const { code, body } = await apply(V2, 'bob', { count: 5, person: { name: 'ann' } });
    expect({ code, message: body.message, causes: body.details.causes }).toEqual({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "ann": .spec.size',
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "ann"', field: '.spec.size' }],
    });
  });

  test('shares what means the same to them', async () => {
    await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
    expect((await apply(V2, 'bob', { count: 3, person: { team: 'devs' } })).code).toBe(200);
    expect(await owners()).toEqual(['ann v1 Apply: owner size', 'bob v2 Apply: count person']);
  });

  test('takes by force what they lose, also where one field is two to others', async () => {
    await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
    const { body } = await apply(V2, 'bob', { person: { team: 'ops' } }, '&force=true');
    expect(body.spec).toEqual({ count: 3, person: { name: 'ann', team: 'ops' } });
    expect(await owners()).toEqual(['ann v1 Apply: size', 'bob v2 Apply: person']);
    expect((await bench.send('GET', `${path(V1)}/one`)).body.spec).toEqual({ size: 3, owner: 'ann/ops' });
  });

  test('removes what the same manager applied in the other version, and does not apply any more', async () => {
    await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
    expect((await apply(V2, 'ann', { count: 3 })).body.spec).toEqual({ count: 3 });
    expect(await owners()).toEqual(['ann v2 Apply: count']);
    await apply(V2, 'ann', { count: 4, person: { name: 'eve', team: 'ops' } });
    expect((await apply(V1, 'ann', { owner: 'eve/ops' })).body.spec).toEqual({ owner: 'eve/ops' });
  });

  test('keeps what the manager does not apply any more, if somebody owns it in the other version', async () => {
    await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
    await apply(V2, 'bob', { count: 3 });
    expect((await apply(V1, 'ann', { owner: 'ann/devs' })).body.spec).toEqual({ size: 3, owner: 'ann/devs' });
    expect(await owners()).toEqual(['ann v1 Apply: owner', 'bob v2 Apply: count']);
  });

  test('keeps its version, if nothing changes', async () => {
    await apply(V1, 'ann', { size: 3 });
    const first = await apply(V2, 'bob', { count: 3 });
    const again = await apply(V2, 'bob', { count: 3 });
    expect(again.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });

  test('is told why the webhook fails', async () => {
    await apply(V1, 'ann', { size: 3 });
    // It converts what is stored, and nothing back.
    bench.server.on('/convert', (review) => {
      const { desiredAPIVersion } = review.request as { desiredAPIVersion: string };
      return desiredAPIVersion === V2 ? convert(review) : { result: { status: 'Failure', message: 'no way back' } };
    });
    const { code, body } = await apply(V2, 'bob', { count: 3 });
    expect({ code, message: body.message }).toEqual({
      code: 500,
      message: 'conversion webhook for example.com/v2, Kind=Gadget failed: no way back',
    });
  });
});

test('who updates in one version takes from owners in another what changes for them', async () => {
  await apply(V1, 'ann', { size: 3, owner: 'ann/devs' });
  await bench.send('PATCH', `${path(V2)}/one?fieldManager=bob`, { spec: { count: 9 } }, MERGE);
  expect(await owners()).toEqual(['ann v1 Apply: owner', 'bob v2 Update: count']);
  await bench.send('PATCH', `${path(V2)}/one?fieldManager=bob`, { spec: { person: null } }, MERGE);
  expect(await owners()).toEqual(['bob v2 Update: count']);
});
