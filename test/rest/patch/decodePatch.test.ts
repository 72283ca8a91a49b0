import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { applyMergePatch } from '../../../lambdas/rest/patch/applyMergePatch.ts';
import { decodePatch } from '../../../lambdas/rest/patch/decodePatch.ts';
import type { FieldValidation } from '../../../lambdas/rest/schema/checkFields.ts';

const ORIGINAL = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } };

function patch(type: string, body: unknown, fieldValidation: FieldValidation = 'Strict') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return decodePatch({
    bytes,
    contentType: type,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    fieldValidation,
    budget: new RequestBudget(),
  })(ORIGINAL);
}

function refusal(type: string, body: unknown): ApiError {
  try {
    patch(type, body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('not refused');
}

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const GENERIC = 'the server rejected our request due to an error in our request';
const shown = (spec: unknown) => JSON.stringify(JSON.stringify({ ...ORIGINAL, spec }));

/** The examples are those of RFC 7386, appendix A. */
describe('a merge patch has the result that RFC 7386 specifies', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j is %j', (target, change, result) => {
    expect(applyMergePatch(structuredClone(target), change)).toEqual(result);
  });
});

test('each type of patch changes the fields that it names, and can be applied again', () => {
  const scaled = { object: { ...ORIGINAL, spec: { replicas: 5 } }, warnings: [] };
  expect(
    patch(JSON_PATCH, [
      { op: 'test', path: '/spec/replicas', value: 3 },
      { op: 'replace', path: '/spec/replicas', value: 5 },
    ]),
  ).toEqual(scaled);
  expect(patch(`${MERGE_PATCH}; charset=utf-8`, { spec: { replicas: 5 } })).toEqual(scaled);
  expect(patch(STRATEGIC, { spec: { replicas: 5 } })).toEqual(scaled);

  const bytes = Buffer.from('{"metadata":{"labels":{"a":"b"}},"x":1}');
  const apply = decodePatch({
    bytes,
    contentType: STRATEGIC,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    fieldValidation: 'Warn',
    budget: new RequestBudget(),
  });
  expect(apply(ORIGINAL)).toEqual(apply(ORIGINAL));
  expect(apply(ORIGINAL).warnings).toEqual(['unknown field "x"']);
});

describe('a bad patch is refused in the words of Kubernetes', () => {
  test.each([
    ['a failed test', JSON_PATCH, [{ op: 'test', path: '/spec/replicas', value: 4 }], 'Invalid', GENERIC],
    ['a path that does not exist', JSON_PATCH, [{ op: 'remove', path: '/spec/paused' }], 'Invalid', GENERIC],
    ['an unknown operation', JSON_PATCH, [{ op: 'xor', path: '/spec' }], 'Invalid', GENERIC],
    [
      'a path through a prototype',
      JSON_PATCH,
      [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
      'Invalid',
      GENERIC,
    ],
    [
      'copies that double the document again and again',
      JSON_PATCH,
      Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/metadata', path: `/metadata/${index}` })),
      'Invalid',
      GENERIC,
    ],
    [
      'values that nest ever deeper',
      JSON_PATCH,
      Array.from({ length: 30 }, (_, index) => ({
        op: 'add',
        path: `/metadata${'/x'.repeat(index * 500 + 1)}`,
        value: JSON.parse('{"x":'.repeat(500) + '{}' + '}'.repeat(500)) as unknown,
      })),
      'Invalid',
      GENERIC,
    ],
    [
      'a JSON patch that is not a list',
      JSON_PATCH,
      {},
      'BadRequest',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      'too many operations',
      JSON_PATCH,
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Deployment' })),
      'RequestEntityTooLarge',
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
    [
      'an operation with an unknown field',
      JSON_PATCH,
      [{ op: 'replace', path: '/spec/replicas', value: 5, foo: 1 }],
      'Invalid',
      ` "" is invalid: patch: Invalid value: ${shown({ replicas: 5 })}: strict decoding error: json patch unknown field "[0].foo"`,
    ],
    ['a body that is not JSON', MERGE_PATCH, '{', 'BadRequest', 'error decoding patch: unexpected end of JSON input'],
    [
      'a merge patch that is not an object',
      MERGE_PATCH,
      [],
      'BadRequest',
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'a result with a value of a wrong type',
      MERGE_PATCH,
      { spec: { replicas: 'x' } },
      'Invalid',
      ` "" is invalid: patch: Invalid value: ${shown({ replicas: 'x' })}: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a result with an unknown field',
      MERGE_PATCH,
      { spec: { foo: 1 } },
      'Invalid',
      ` "" is invalid: patch: Invalid value: ${shown({ replicas: 3, foo: 1 })}: strict decoding error: unknown field "spec.foo"`,
    ],
    [
      'a strategic merge patch whose result has a value of a wrong type',
      STRATEGIC,
      { spec: { replicas: 'x' } },
      'Invalid',
      ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
    ],
    [
      'a strategic merge patch whose result has an unknown field',
      STRATEGIC,
      { spec: { foo: 1 } },
      'Invalid',
      ' "" is invalid: patch: Invalid value: "map[spec:map[foo:1]]": strict decoding error: unknown field "spec.foo"',
    ],
    ['an unknown type of patch', 'application/json', {}, 'UnsupportedMediaType', '415: Unsupported Media Type'],
    [
      'CBOR, also as an apply,',
      'application/apply-patch+cbor',
      '',
      'UnsupportedMediaType',
      '415: Unsupported Media Type',
    ],
  ])('%s is refused', (_, type, body, reason, message) => {
    expect(refusal(type, body)).toMatchObject({ reason, message });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
