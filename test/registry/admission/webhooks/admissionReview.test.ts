import { describe, expect, it } from 'vitest';
import { decodeReview, reviewVersionOf } from '../../../../lambdas/registry/admission/webhooks/admissionReview.ts';

const V1 = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
const PATCH = 'W10=';

describe('the answer of a webhook', () => {
  it.each([
    [{ ...V1, response: { uid: '1', allowed: true } }, true, { allowed: true, patch: '', patchType: '' }],
    [{ ...V1, response: { uid: '1' } }, true, { allowed: false, result: {}, warnings: [] }],
    [
      { ...V1, response: { uid: '1', status: { code: 'x', message: 'no', reason: 7 }, warnings: ['a', 1] } },
      false,
      { allowed: false, result: { message: 'no' }, warnings: ['a'] },
    ],
    [
      { ...V1, response: { uid: '1', allowed: true, patch: PATCH, patchType: 'JSONPatch' } },
      true,
      { patch: PATCH, patchType: 'JSONPatch' },
    ],
  ])('%j is read', (review, mutating, expected) => {
    expect(decodeReview(review, '1', 'v1', mutating)).toMatchObject({ status: 'valid', ...expected });
  });

  it.each([
    [{}, true, 'webhook response was absent'],
    [{ ...V1, response: { uid: '2' } }, true, 'expected response.uid="1", got "2"'],
    [
      { apiVersion: 'v1', kind: 'Pod', response: { uid: '1' } },
      true,
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got v1, Kind=Pod',
    ],
    [
      { ...V1, response: { uid: '1', patch: PATCH } },
      true,
      'webhook returned response.patch but not response.patchType',
    ],
    [
      { ...V1, response: { uid: '1', patchType: 'JSONPatch' } },
      true,
      'webhook returned response.patchType but not response.patch',
    ],
    [
      { ...V1, response: { uid: '1', patch: PATCH, patchType: '' } },
      true,
      'webhook returned invalid response.patchType of ""',
    ],
    [{ ...V1, response: { uid: '1', patch: PATCH } }, false, 'validating webhook may not return response.patch'],
    [{ ...V1, response: { uid: '1', patchType: 'x' } }, false, 'validating webhook may not return response.patchType'],
  ])('%j is invalid', (review, mutating, why) => {
    expect(decodeReview(review, '1', 'v1', mutating)).toEqual({ status: 'invalid', why });
  });

  it('in v1beta1 needs neither UID nor kind, and its patch no type', () => {
    expect(decodeReview({ response: { allowed: true, patch: PATCH } }, '1', 'v1beta1', true)).toMatchObject({
      status: 'valid',
      patchType: 'JSONPatch',
    });
  });
});

it.each([
  [['v1', 'v1beta1'], 'v1'],
  [['v2', 'v1beta1', 'v1'], 'v1beta1'],
] as const)('of %j, %s is asked in', (wanted, version) => {
  expect(reviewVersionOf(wanted)).toBe(version);
});
