import { expect, test } from 'vitest';
import { objectTooLarge } from '../../lambdas/registry/objectTooLarge.ts';
import { statusOf } from '../../lambdas/rest/response/statusOf.ts';

test.each([
  [
    'an object above the limit of etcd as Kubernetes does, with its size as the cause',
    { part: 'object', bytes: 1_600_000, limitBytes: 1_572_864 },
    {
      message: 'etcdserver: request is too large',
      code: 500,
      details: { causes: [{ message: 'the object has 1600000 bytes of JSON: limit is 1572864' }] },
    },
  ],
  [
    'an object that does not compress well enough',
    { part: 'compressed', bytes: 390_000, limitBytes: 380_000 },
    {
      message: 'Request entity too large: the object as it is stored, compressed, has 390000 bytes: limit is 380000',
      reason: 'RequestEntityTooLarge',
      code: 413,
    },
  ],
  [
    'a name that is too long for a key',
    { part: 'name', bytes: 1_025, limitBytes: 1_024 },
    {
      message: 'Request entity too large: the name of the object has 1025 bytes: limit is 1024',
      reason: 'RequestEntityTooLarge',
      code: 413,
    },
  ],
] as const)('refuses %s', (_, outcome, status) => {
  const base = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  expect(statusOf(objectTooLarge({ status: 'tooLarge', ...outcome }))).toEqual({ ...base, ...status });
});
