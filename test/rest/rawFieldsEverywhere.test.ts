import { expect, test } from 'vitest';
import * as fc from '../support/seededFastCheck.ts';
import { encodeKubernetesObject } from '../support/encodeKubernetesObject.ts';
import { type Api, openWatch, startApi } from './startApi.ts';

/** A place of the API that holds any JSON. */
interface RawPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly name: string;
  /** The object with this value at the place; all but its metadata. */
  readonly holding: (value: object) => object;
  readonly valueIn: (object: Held) => unknown;
  /** False for what clients send as JSON alone. */
  readonly hasProtobuf: boolean;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
type Held = any;

const RESOURCES = '/apis/resource.k8s.io/v1';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const opaque = (value: object) => [{ opaque: { driver: 'example.com', parameters: value } }];
const devices = (value: object) => ({ devices: { config: opaque(value) } });
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const definition = (plural: string, schema: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: plural, listKind: `${plural}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const THINGS = definition('things', { type: 'object', properties: { spec: ANYTHING } });

const PLACES: Readonly<Record<string, RawPlace>> = {
  'ControllerRevision.data': {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    name: 'raw',
    holding: (data) => ({ data, revision: 1 }),
    valueIn: ({ data }) => data,
    hasProtobuf: true,
  },
  'DeviceClass.spec.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    path: `${RESOURCES}/deviceclasses`,
    name: 'raw',
    holding: (value) => ({ spec: { config: opaque(value) } }),
    valueIn: ({ spec }) => spec.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'ResourceClaim.spec.devices.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    path: `${RESOURCES}/namespaces/default/resourceclaims`,
    name: 'raw',
    holding: (value) => ({ spec: devices(value) }),
    valueIn: ({ spec }) => spec.devices.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'ResourceClaimTemplate.spec.spec.devices.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    path: `${RESOURCES}/namespaces/default/resourceclaimtemplates`,
    name: 'raw',
    holding: (value) => ({ spec: { spec: devices(value) } }),
    valueIn: ({ spec }) => spec.spec.devices.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'the example of a schema': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    path: DEFINITIONS,
    name: 'examples.example.com',
    holding: (example) => ({ spec: definition('examples', { ...ANYTHING, example }).spec }),
    valueIn: ({ spec }) => spec.versions[0].schema.openAPIV3Schema.example,
    hasProtobuf: false,
  },
  'the default of a schema': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    path: DEFINITIONS,
    name: 'defaults.example.com',
    holding: (value) => ({
      spec: definition('defaults', { type: 'object', properties: { any: { ...ANYTHING, default: value } } }).spec,
    }),
    valueIn: ({ spec }) => spec.versions[0].schema.openAPIV3Schema.properties.any.default,
    hasProtobuf: false,
  },
  'a custom object whose unknown fields are kept': {
    apiVersion: 'example.com/v1',
    kind: 'things',
    path: '/apis/example.com/v1/namespaces/default/things',
    name: 'raw',
    holding: (spec) => ({ spec }),
    valueIn: ({ spec }) => spec,
    hasProtobuf: false,
  },
  'an annotation': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/default/configmaps',
    name: 'raw',
    // It holds the text of some JSON, as that of `kubectl apply` does.
    holding: (value) => ({ metadata: { annotations: { 'example.com/raw': JSON.stringify(value) } } }),
    valueIn: ({ metadata }) => JSON.parse(metadata.annotations['example.com/raw']) as unknown,
    hasProtobuf: true,
  },
};

/** Any JSON object, with a null at each kind of place. */
const anyValue = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((drawn) => {
    const value = { ...drawn, absent: null, nested: [{ a: null, list: [], map: {} }, null], number: 1.5, text: '' };
    return JSON.parse(JSON.stringify(value)) as object;
  });

test.each(Object.entries(PLACES))(
  '%s comes back as it was given, by every way of writing and reading',
  async (_, place) => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        for (const attempt of [tryChanges, tryApply, ...(place.hasProtobuf ? [tryProtobuf] : [])]) {
          const api = await startApi();
          await defineThings(api);
          await attempt(api, place, value);
          expect(api.errors).toEqual([]);
        }
      }),
      { numRuns: 4 },
    );
  },
  // Each value takes three servers.
  240_000,
);

/** Creates the definition of the custom objects, and says of it what its controller would. */
async function defineThings(api: Api): Promise<void> {
  const { body } = await api.call('POST', DEFINITIONS, THINGS);
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
  const status = { conditions, acceptedNames: THINGS.spec.names, storedVersions: ['v1'] };
  const written = await api.call('PUT', `${DEFINITIONS}/${THINGS.metadata.name}/status`, { ...body, status });
  expect(written.code, JSON.stringify(written.body)).toBe(200);
}

function objectOf({ apiVersion, kind, name, holding }: RawPlace, value: object): object {
  const held = holding(value) as { readonly metadata?: object };
  return { apiVersion, kind, ...held, metadata: { name, ...held.metadata } };
}

/** Sends a request whose answer is to hold the value; returns the answer. */
async function answerTo(
  api: Api,
  { valueIn }: RawPlace,
  value: object,
  ...request: Parameters<Api['call']>
): Promise<Held> {
  const { code, body } = await api.call(...request);
  expect(code, JSON.stringify(body)).toBeLessThan(300);
  expect(valueIn(body), request.slice(0, 2).join(' ')).toEqual(value);
  return body;
}

/** Creates the object, and changes something beside the value by each verb. */
async function tryChanges(api: Api, place: RawPlace, value: object): Promise<void> {
  const { path, name, valueIn } = place;
  const at = `${path}/${name}`;
  const answers = (...request: Parameters<Api['call']>) => answerTo(api, place, value, ...request);
  const watch = await openWatch(api, `${path}?watch=true&fieldSelector=metadata.name=${name}`);
  const made = await answers('POST', path, objectOf(place, value));
  expect(valueIn((await watch.next())?.object)).toEqual(value);
  await answers('GET', at);
  await answers('PUT', at, { ...made, metadata: { ...made.metadata, labels: { changed: 'yes' } } });
  expect(valueIn((await watch.next())?.object)).toEqual(value);
  await watch.cancel();
  const { body: list } = await api.call('GET', path);
  expect(valueIn(list.items.find((one: Held) => one.metadata.name === name))).toEqual(value);
  const merge = { 'content-type': 'application/merge-patch+json' };
  await answers('PATCH', at, { metadata: { labels: { merged: 'yes' } } }, merge);
  const operation = { op: 'add', path: '/metadata/labels', value: { patched: 'yes' } };
  await answers('PATCH', at, [operation], { 'content-type': 'application/json-patch+json' });
}

async function tryApply(api: Api, place: RawPlace, value: object): Promise<void> {
  const at = `${place.path}/${place.name}?fieldManager=test`;
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  for (let times = 0; times < 2; times += 1)
    await answerTo(api, place, value, 'PATCH', at, objectOf(place, value), headers);
}

/** Creates the object by protobuf, whose raw fields are bytes of JSON. */
async function tryProtobuf(api: Api, place: RawPlace, value: object): Promise<void> {
  const { path, valueIn } = place;
  const body = Uint8Array.from(encodeKubernetesObject(objectOf(place, value)));
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const answer = await api.app.request(`http://127.0.0.1${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  expect(valueIn(JSON.parse(text))).toEqual(value);
}
