import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { decodeObject } from '../../../lambdas/rest/codec/decodeObject.ts';
import type { FieldValidation } from '../../../lambdas/rest/schema/checkFields.ts';

function decode(body: unknown, contentType?: string, fieldValidation: FieldValidation = 'Strict') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return decodeObject({
    bytes,
    contentType,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    fieldValidation,
    budget: new RequestBudget(),
  });
}

async function refusal(body: unknown, contentType?: string): Promise<ApiError> {
  try {
    await decode(body, contentType);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('not refused');
}

const AS_DEPLOYMENT = 'Deployment in version "v1" cannot be handled as a Deployment: ';
const AS_SOMETHING = 'the object provided is unrecognized (must be of type Deployment): ';
const inPod = (pod: unknown) => ({ spec: { template: { spec: pod } } });

describe('decodeObject refuses a bad body in the words of Kubernetes', () => {
  test.each([
    ['an unknown field', { spec: { foo: 1 } }, `${AS_DEPLOYMENT}strict decoding error: unknown field "spec.foo"`],
    [
      'several unknown fields',
      inPod({ containers: [{}, { a: 1, b: 2 }] }),
      `${AS_DEPLOYMENT}strict decoding error: unknown field "spec.template.spec.containers[1].a", unknown field "spec.template.spec.containers[1].b"`,
    ],
    [
      'a field in another case',
      { spec: { Replicas: 1 } },
      `${AS_DEPLOYMENT}strict decoding error: unknown field "spec.Replicas"`,
    ],
    [
      'a field given twice',
      '{"spec":{"replicas":1,"replicas":2}}',
      `${AS_DEPLOYMENT}strict decoding error: duplicate field "spec.replicas"`,
    ],
    [
      'a label given twice, once escaped',
      '{"metadata":{"labels":{"a":"1","\\u0061":"2"}}}',
      `${AS_DEPLOYMENT}strict decoding error: duplicate field "metadata.labels.a"`,
    ],
    [
      'text for a number',
      { spec: { replicas: '3' } },
      `${AS_DEPLOYMENT}json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a fraction',
      { spec: { replicas: 1.5 } },
      `${AS_DEPLOYMENT}json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a number too large for int32',
      { spec: { replicas: 2147483648 } },
      `${AS_DEPLOYMENT}json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'an object for a list',
      inPod({ containers: {} }),
      `${AS_DEPLOYMENT}json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container`,
    ],
    [
      'text for an item',
      inPod({ containers: ['x'] }),
      `${AS_DEPLOYMENT}json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container`,
    ],
    [
      'a number for a label',
      { metadata: { labels: { a: 1 } } },
      `${AS_DEPLOYMENT}json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`,
    ],
    [
      'a list for a struct',
      { spec: [] },
      `${AS_DEPLOYMENT}json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec`,
    ],
    [
      'a bool for a named type',
      inPod({ restartPolicy: true }),
      `${AS_DEPLOYMENT}json: cannot unmarshal bool into Go struct field PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy`,
    ],
    [
      'a bool for maxSurge',
      { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      `${AS_DEPLOYMENT}json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32`,
    ],
    [
      'no quantity',
      inPod({ containers: [{ resources: { limits: { cpu: 'x' } } }] }),
      `${AS_DEPLOYMENT}quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [
      'no time',
      { metadata: { creationTimestamp: 'now' } },
      `${AS_DEPLOYMENT}parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"`,
    ],
    [
      'a day that is not in the month',
      { metadata: { creationTimestamp: '2023-02-29T00:00:00Z' } },
      `${AS_DEPLOYMENT}parsing time "2023-02-29T00:00:00Z": day out of range`,
    ],
    [
      'a version that is not served',
      { apiVersion: 'apps/v1beta1', kind: 'Deployment' },
      'Deployment in version "v1beta1" cannot be handled as a Deployment: no kind "Deployment" is registered for version "apps/v1beta1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'another kind',
      { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      'ReplicaSet in version "v1" cannot be handled as a Deployment: converting (v1.ReplicaSet) to (apps.Deployment): unknown conversion',
    ],
    [
      'an unknown kind',
      { apiVersion: 'apps/v1', kind: 'Foo' },
      'Foo in version "v1" cannot be handled as a Deployment: no kind "Foo" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'an empty body',
      '',
      `${AS_SOMETHING}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    ],
    [
      'half an object',
      '{"a"',
      `${AS_SOMETHING}couldn't get version/kind; json parse error: unexpected end of JSON input ({"a")`,
    ],
    [
      'a body that is not JSON',
      '{a:1}',
      `${AS_SOMETHING}couldn't get version/kind; json parse error: invalid character 'a' looking for beginning of object key string ({a:1})`,
    ],
    [
      'too deep nesting',
      '['.repeat(100_000) + ']'.repeat(100_000),
      `${AS_SOMETHING}couldn't get version/kind; json parse error: exceeded max depth (${'5b'.repeat(30)} ...)`,
    ],
  ])('it refuses %s', async (_, body, message) => {
    expect(await refusal(body)).toMatchObject({ reason: 'BadRequest', message });
  });

  test('it refuses another version of the kind', async () => {
    const [kind, bytes] = ['HorizontalPodAutoscaler', Buffer.from('{"apiVersion":"autoscaling/v1"}')];
    const expected = { apiVersion: 'autoscaling/v2', kind, contentType: undefined, fieldValidation: 'Ignore' } as const;
    await expect(decodeObject({ bytes, ...expected, budget: new RequestBudget() })).rejects.toMatchObject({
      reason: 'BadRequest',
      message: 'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    });
  });

  test('it refuses an unknown media type', async () => {
    expect(await refusal('x', 'text/plain')).toMatchObject({
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
  });
});

describe('decodeObject returns the object that Kubernetes would decode', () => {
  test.each([
    ['a body without kind and version gets those of the path', {}, {}],
    [
      'a field that is null is dropped',
      { metadata: { creationTimestamp: null, name: 'a' }, status: null },
      { metadata: { name: 'a' } },
    ],
    [
      'a label that is null becomes an empty string',
      { metadata: { labels: { a: null } } },
      { metadata: { labels: { a: '' } } },
    ],
    ['an item that is null becomes an empty item', inPod({ containers: [null] }), inPod({ containers: [{}] })],
    [
      'quantities get their canonical form',
      inPod({ overhead: { cpu: 0.5, memory: '1024Mi' } }),
      inPod({ overhead: { cpu: '500m', memory: '1Gi' } }),
    ],
    [
      'times get whole seconds in UTC',
      { metadata: { creationTimestamp: '2026-01-01T01:30:00.9+01:30' } },
      { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } },
    ],
    ['zeros are kept', { spec: { replicas: 0, paused: false } }, { spec: { replicas: 0, paused: false } }],
  ])('%s', async (_, body, object) => {
    expect(await decode(body)).toEqual({
      object: { apiVersion: 'apps/v1', kind: 'Deployment', ...object },
      warnings: [],
    });
  });

  test('Warn drops unknown fields with a warning, and Ignore drops them silently', async () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 2 } };
    const body = '{"spec":{"foo":1,"replicas":1,"replicas":2}}';
    expect(await decode(body, undefined, 'Warn')).toEqual({
      object,
      warnings: ['duplicate field "spec.replicas"', 'unknown field "spec.foo"'],
    });
    expect(await decode(body, undefined, 'Ignore')).toEqual({ object, warnings: [] });
  });

  test('a member named __proto__ is an ordinary member, unknown in a struct', async () => {
    const { object, warnings } = await decode(
      '{"__proto__":{"spec":{}},"metadata":{"labels":{"__proto__":null}}}',
      undefined,
      'Warn',
    );
    expect(JSON.stringify(object)).toBe(
      '{"metadata":{"labels":{"__proto__":""}},"apiVersion":"apps/v1","kind":"Deployment"}',
    );
    expect(object['spec']).toBeUndefined();
    expect(warnings).toEqual(['unknown field "__proto__"']);
  });
});

describe('decodeObject and too much content', () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '1']));
  const limits = (count: number) => ({ containers: [{ name: 'c', resources: { limits: members(count) } }] });

  test.each([
    ['25,001 values', { metadata: { finalizers: Array.from({ length: 25_000 }, () => '') } }, '25000 values'],
    ['3,145,729 characters', { metadata: { name: 'x'.repeat(3_145_729) } }, '3145728'],
    ['10,001 labels', { metadata: { labels: members(10_001) } }, '10000 members'],
    ['10,001 unknown fields', members(10_001), '10000 members'],
    ['1,001 amounts', { spec: { template: { spec: limits(1_001) } } }, '1000 amounts'],
  ])('it refuses %s', async (_, object, limit) => {
    const message = `Request entity too large: limit is ${limit}`;
    expect(await refusal(JSON.stringify(object), 'application/json')).toMatchObject({
      reason: 'RequestEntityTooLarge',
      message,
    });
  });

  test('it refuses 32,001 bytes of YAML', async () => {
    const message = 'Request entity too large: limit is 32000 bytes of YAML';
    expect(await refusal(`a: ${'b'.repeat(31_998)}`, 'application/yaml')).toMatchObject({ code: 413, message });
  });

  test.each([
    ['10,000 labels', { metadata: { labels: members(10_000) } }],
    ['1,000 amounts', { spec: { template: { spec: limits(1_000) } } }],
  ])('it reads %s', async (_, object) => {
    expect((await decode(JSON.stringify(object), 'application/json')).warnings).toEqual([]);
  });
});

test('it drops empty lists and maps, except those that JSON always shows', async () => {
  const spec = { template: { metadata: { labels: {} }, spec: { containers: [], volumes: [], nodeSelector: {} } } };
  const object = { metadata: { name: 'a', annotations: {}, finalizers: [] }, spec };
  expect((await decode(JSON.stringify(object), 'application/json')).object).toMatchObject({
    metadata: { name: 'a' },
    spec: { template: { metadata: {}, spec: { containers: [] } } },
  });
});

describe('decodeObject with YAML', () => {
  const yaml = (text: string) => decode(text, 'application/yaml; charset=utf-8');

  test('it reads anchors, merge keys and the words of YAML 1.1 for booleans', async () => {
    const text = 'metadata: &m {name: a}\nspec:\n  paused: yes\n  template:\n    metadata: {<<: *m, namespace: ns}\n';
    expect((await yaml(text)).object).toMatchObject({
      metadata: { name: 'a' },
      spec: { paused: true, template: { metadata: { name: 'a', namespace: 'ns' } } },
    });
  });

  test('it reads the first of several documents', async () => {
    expect((await yaml('spec: {paused: yes}\n---\nb: d: c')).object).toMatchObject({ spec: { paused: true } });
  });

  test('it reads values that nest deeper than the fields of any kind', async () => {
    const fieldsV1 = `${'{a: '.repeat(150)}1${'}'.repeat(150)}`;
    const text = `metadata: {name: a, managedFields: [{fieldsV1: ${fieldsV1}}]}`;
    expect((await yaml(text)).object).toMatchObject({ metadata: { name: 'a' } });
  });

  // The parser overflows the stack. V8 ends the process if a regular expression has to be compiled just then, which happens within a few requests.
  test.each(['[', '{a: ', '- ', '? ', '- [', '? {'])(
    'it refuses any number of %j without a stack overflow',
    async (unit) => {
      for (let count = 500; count * unit.length < 31_000; count += 500) {
        const { message } = await refusal(unit.repeat(count), 'application/yaml');
        expect(message).toMatch(/exceeded max depth of 200 /);
      }
    },
  );

  test.each([
    [
      'a key given twice',
      'spec:\n  replicas: 1\n  replicas: 2\n',
      /strict decoding error: yaml: unmarshal errors:\n {2}line 3: key "replicas" already set in map$/,
    ],
    ['a body that is not YAML', 'a: b: c', /error converting YAML to JSON: yaml: line 1: /],
    [
      'aliases that make a small text huge',
      `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]`,
      /Excessive alias count/,
    ],
    ['a list that does not end', 'a: b\nc: [d\n', /yaml: line 2: did not find expected ',' or '\]' /],
    ['a list that ends before its item', 'a: [', /yaml: line 1: did not find expected node content /],
    [
      'the word y for a name',
      'metadata: {name: y}',
      /cannot unmarshal bool into Go struct field \S+\.name of type string/,
    ],
    ['a cycle', 'a: &a [*a]', /error converting YAML to JSON/],
    ['an error in the second line', 'a: b\nc: d: e', /error converting YAML to JSON: yaml: line 2: /],
    ['lists nested deep', `a: ${'['.repeat(201)}${']'.repeat(201)}`, /yaml: exceeded max depth of 200 /],
    ['maps nested deep', `${'{a: '.repeat(201)}1${'}'.repeat(201)}`, /yaml: exceeded max depth of 200 /],
    ['indented lists nested deep', '- '.repeat(201), /yaml: exceeded max depth of 200 /],
    ['keys nested deep', '? '.repeat(201), /yaml: exceeded max depth of 200 /],
  ])('it refuses %s', async (_, text, message) => {
    expect(await refusal(text, 'application/yaml')).toMatchObject({
      reason: 'BadRequest',
      message: expect.stringMatching(message) as string,
    });
  });
});

test('any bytes with any media type give an object or an ApiError', async () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json().map((json) => Buffer.from(json)),
    fc.string().map((text) => Buffer.from(text)),
  );
  const type = fc.constantFrom(undefined, 'application/json', 'application/yaml');
  await fc.assert(
    fc.asyncProperty(bytes, type, async (body, contentType) => {
      try {
        await decodeObject({
          bytes: body,
          contentType,
          apiVersion: 'v1',
          kind: 'Pod',
          fieldValidation: 'Warn',
          budget: new RequestBudget(),
        });
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
    { numRuns: 1000 },
  );
});
