import { expect, test } from 'vitest';
import { resourceOfLimit } from '../../../lambdas/controllers/resourcequota/decideRecount.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { quotaUsage } from '../../../lambdas/objects/quantities/quota.ts';
import { formatAmounts } from '../../../lambdas/objects/quantities/resourceAmounts.ts';

function usageOf(spec: object): Record<string, string> {
  const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec } as unknown as KubernetesObject;
  return formatAmounts(quotaUsage('persistentvolumeclaims', claim, 0));
}

test('a claim counts by its number and its storage, in total and of its class', () => {
  const resources = { requests: { storage: '2Gi' } };
  const total = { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1', 'requests.storage': '2Gi' };
  expect(usageOf({ resources })).toEqual(total);
  expect(usageOf({ resources, storageClassName: 'gold' })).toEqual({
    ...total,
    'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
  });
});

test.each([
  ['persistentvolumeclaims', 'persistentvolumeclaims'],
  ['requests.storage', 'persistentvolumeclaims'],
  ['gold.storageclass.storage.k8s.io/requests.storage', 'persistentvolumeclaims'],
  ['count/jobs.batch', 'jobs.batch'],
  ['requests.cpu', 'pods'],
])('the limit %s is about %s', (limit, resource) => {
  expect(resourceOfLimit(limit)).toBe(resource);
});
