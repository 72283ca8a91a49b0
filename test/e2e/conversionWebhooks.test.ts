import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gadgetDefinition } from '../support/gadgetDefinition.ts';
import { WebhookBench } from '../support/WebhookBench.ts';
import { ruleFor, webhookConfiguration } from '../support/webhookConfiguration.ts';
import type { Answer, ReceivedReview } from '../support/WebhookServer.ts';

let bench: WebhookBench;

const V1 = '/apis/example.com/v1/namespaces/default/gadgets';
const V2 = '/apis/example.com/v2/namespaces/default/gadgets';

function version(name: string, member: string, more: object): object {
  const spec = { type: 'object', properties: { [member]: { type: 'integer', minimum: 0 } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } } };
  return {
    name,
    served: true,
    storage: false,
    schema,
    additionalPrinterColumns: [{ name: 'Wanted', type: 'integer', jsonPath: `.spec.${member}` }],
    ...more,
  };
}

interface Gadget {
  readonly apiVersion: string;
  readonly metadata: object;
  readonly spec?: { readonly size?: number; readonly count?: number };
}

function converted({ spec = {}, ...object }: Gadget, apiVersion: string): object {
  const amount = spec.size ?? spec.count;
  return { ...object, apiVersion, spec: apiVersion === 'example.com/v1' ? { size: amount } : { count: amount } };
}

/** Converts as the author of an operator would. `change` spoils the answer. */
function convert({ request }: ReceivedReview, change: (object: object) => unknown = (object) => object): Answer {
  const { objects, desiredAPIVersion } = request as { objects: Gadget[]; desiredAPIVersion: string };
  const convertedObjects = objects.map((object) => change(converted(object, desiredAPIVersion)));
  return { result: { status: 'Success' }, convertedObjects };
}

beforeAll(async () => {
  bench = await WebhookBench.start();
  // `spec.size` in v1, which is stored, is `spec.count` in v2.
  const versions = [version('v1', 'size', { storage: true }), version('v2', 'count', {})];
  await bench.cluster.apply(gadgetDefinition(bench.server, versions));
  await bench.cluster.advance('10s');
});
beforeEach(() => bench.server.on('/convert', (review) => convert(review)));
afterEach(async () => {
  bench.server.on('/convert', (review) => convert(review));
  await bench.send('DELETE', V1);
  await bench.clear();
});
afterAll(() => bench.stop());

/** Creates the gadget `one`. */
function create(path: typeof V1 | typeof V2, spec: object, more: object = {}) {
  const apiVersion = path === V1 ? 'example.com/v1' : 'example.com/v2';
  return bench.send('POST', path, { apiVersion, kind: 'Gadget', metadata: { name: 'one', ...more }, spec });
}
const MERGE = 'application/merge-patch+json';

describe('a conversion webhook', () => {
  test('shows what is stored in another version, alone and in lists', async () => {
    await create(V1, { size: 3 }, { labels: { a: 'b' } });
    expect(bench.server.received).toEqual([]);
    const { body } = await bench.send('GET', `${V2}/one`);
    expect(body).toMatchObject({
      apiVersion: 'example.com/v2',
      metadata: { labels: { a: 'b' }, generation: 1 },
      spec: { count: 3 },
    });
    expect(body.spec).not.toHaveProperty('size');
    expect((await bench.send('GET', V2)).body.items).toMatchObject([
      { apiVersion: 'example.com/v2', spec: { count: 3 } },
    ]);
    expect(bench.server.received[0]?.path).toBe('/convert?timeout=30s');
    expect(bench.server.reviewsOf('/convert')[0]).toMatchObject({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        uid: expect.any(String),
        desiredAPIVersion: 'example.com/v2',
        objects: [{ apiVersion: 'example.com/v1', kind: 'Gadget', spec: { size: 3 } }],
      },
    });
  });

  test('stores what comes in another version', async () => {
    expect((await create(V2, { count: 4 })).body).toMatchObject({ spec: { count: 4 } });
    expect((await bench.send('GET', `${V1}/one`)).body.spec).toEqual({ size: 4 });
    expect((await bench.send('PATCH', `${V2}/one`, { spec: { count: 5 } }, MERGE)).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { count: 5 },
    });
    expect((await bench.send('GET', `${V1}/one`)).body.spec).toEqual({ size: 5 });
    const { code, body } = await bench.send('PATCH', `${V2}/one`, { spec: { count: -1 } }, MERGE);
    expect({ code, message: body.message }).toMatchObject({
      code: 422,
      message: expect.stringContaining('spec.count'),
    });
  });

  test('shows changes to watchers, and tables', async () => {
    const { body } = await bench.send('GET', V2);
    await create(V1, { size: 6 });
    const watch = await bench.cluster.request(
      `${V2}?watch=true&resourceVersion=${String(body.metadata.resourceVersion)}`,
    );
    const reader = (watch.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
      type: 'ADDED',
      object: { apiVersion: 'example.com/v2', spec: { count: 6 } },
    });
    await reader.cancel();
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await bench.cluster.request(V2, { headers: { accept } });
    expect(await table.json()).toMatchObject({ rows: [{ cells: ['one', 6] }] });
  });

  test('converts to the version that an admission webhook is about', async () => {
    const rule = ruleFor(['gadgets'], { apiVersions: ['v2'] });
    await bench.cluster.apply(webhookConfiguration('Validating', 'look', bench.server, { rules: [rule] }));
    bench.server.on('/look', () => ({ allowed: true }));
    await create(V1, { size: 7 });
    expect(bench.server.reviewsOf('/look')[0]?.request).toMatchObject({
      kind: { version: 'v2' },
      requestKind: { version: 'v1' },
      object: { apiVersion: 'example.com/v2', spec: { count: 7 } },
    });
  });

  test('may change labels and annotations, and no other metadata', async () => {
    await create(V1, { size: 1 }, { finalizers: ['example.com/keep'] });
    bench.server.on('/convert', (review) =>
      convert(review, (object) => {
        const { metadata } = object as Gadget;
        return { ...object, metadata: { ...metadata, labels: { added: 'yes' }, finalizers: [], generation: 9 } };
      }),
    );
    expect((await bench.send('GET', `${V2}/one`)).body.metadata).toMatchObject({
      labels: { added: 'yes' },
      finalizers: ['example.com/keep'],
      generation: 1,
    });
    await bench.send('PATCH', `${V1}/one`, { metadata: { finalizers: null } }, MERGE);
  });

  const PREFIX = 'conversion webhook for example.com/v1, Kind=Gadget ';
  test.each<[string, (review: ReceivedReview) => Answer]>([
    ['failed: no idea', () => ({ result: { status: 'Failure', message: 'no idea' } })],
    ["failed: response.result.status was '', not 'Success'", () => ({})],
    ['returned 0 objects, expected 1', () => ({ result: { status: 'Success' } })],
    [
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received v3)',
      (review) => convert(review, (object) => ({ ...object, apiVersion: 'v3' })),
    ],
    [
      'returned invalid object at index 0: invalid kind (expected Gadget, received Widget)',
      (review) => convert(review, (object) => ({ ...object, kind: 'Widget' })),
    ],
    [
      'returned invalid object: must have the same name: one != two',
      (review) =>
        convert(review, (object) => ({ ...object, metadata: { ...(object as Gadget).metadata, name: 'two' } })),
    ],
    [
      'returned invalid metadata: missing metadata in converted object',
      (review) => convert(review, (object) => ({ ...object, metadata: undefined })),
    ],
    [
      'returned invalid metadata: metadata.labels[a] must be a string, but is number in converted object',
      (review) =>
        convert(review, (object) => ({ ...object, metadata: { ...(object as Gadget).metadata, labels: { a: 1 } } })),
    ],
  ])('that is wrong fails the request: %s', async (why, respond) => {
    await create(V1, { size: 2 });
    bench.server.on('/convert', respond);
    const { code, body } = await bench.send('GET', `${V2}/one`);
    expect({ code, message: body.message, reason: body.reason }).toEqual({
      code: 500,
      message: `${PREFIX}${why}`,
      reason: undefined,
    });
    expect((await bench.send('GET', `${V1}/one`)).code).toBe(200);
  });
});
