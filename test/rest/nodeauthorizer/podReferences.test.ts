import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { forbiddenLabels } from '../../../lambdas/rest/nodeauthorizer/nodeUpdateProblem.ts';
import { type ReferencedResource, referencesObject } from '../../../lambdas/rest/nodeauthorizer/podReferences.ts';

const main = (more: object) => ({ containers: [{ name: 'main', ...more }] });
const volumes = (...some: object[]) => ({ volumes: some.map((volume) => ({ name: 'data', ...volume })) });

it.each<[string, object, ReferencedResource]>([
  ['a secret in the environment', main({ env: [{ valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }] }), 'secrets'],
  ['a whole secret in the environment', main({ envFrom: [{ secretRef: { name: 'x' } }] }), 'secrets'],
  ['a secret of an init container', { initContainers: [{ envFrom: [{ secretRef: { name: 'x' } }] }] }, 'secrets'],
  ['a secret for images', { imagePullSecrets: [{ name: 'x' }] }, 'secrets'],
  ['a secret as a volume', volumes({ secret: { secretName: 'x' } }), 'secrets'],
  ['a projected secret', volumes({ projected: { sources: [{ secret: { name: 'x' } }] } }), 'secrets'],
  ['a secret of a driver', volumes({ csi: { nodePublishSecretRef: { name: 'x' } } }), 'secrets'],
  ['a config map in the environment', main({ env: [{ valueFrom: { configMapKeyRef: { name: 'x' } } }] }), 'configmaps'],
  ['a config map as a volume', volumes({ configMap: { name: 'x' } }), 'configmaps'],
  ['a projected config map', volumes({ projected: { sources: [{ configMap: { name: 'x' } }] } }), 'configmaps'],
  ['a claim', volumes({ persistentVolumeClaim: { claimName: 'x' } }), 'persistentvolumeclaims'],
  ['its account', { serviceAccountName: 'x' }, 'serviceaccounts'],
])('a pod uses %s', (_, spec, resource) => {
  const pod = { metadata: { name: 'web' }, spec } as unknown as Pod;
  expect([referencesObject(pod, resource, 'x'), referencesObject(pod, resource, 'y')]).toEqual([true, false]);
});

it('a pod uses the claim of its ephemeral volume, and the default account', () => {
  const pod = { metadata: { name: 'web' }, spec: volumes({ ephemeral: {} }) } as unknown as Pod;
  expect(referencesObject(pod, 'persistentvolumeclaims', 'web-data')).toBe(true);
  expect(referencesObject(pod, 'serviceaccounts', 'default')).toBe(true);
});

describe('the labels that a kubelet may not change', () => {
  it.each([
    ['its own', { 'kubernetes.io/hostname': 'a', 'node.kubernetes.io/x': '1', 'kubelet.kubernetes.io/y': '1' }, {}, []],
    ['those of others', { 'example.com/x': '1', plain: '1' }, {}, []],
    ['those that isolate nodes', { 'node-restriction.kubernetes.io/x': '1' }, {}, ['node-restriction.kubernetes.io/x']],
    ['a role', { 'node-role.kubernetes.io/master': '' }, {}, ['node-role.kubernetes.io/master']],
    ['one that it removes', {}, { 'example.k8s.io/x': '1' }, ['example.k8s.io/x']],
    ['one that stays', { 'example.k8s.io/x': '1' }, { 'example.k8s.io/x': '1' }, []],
  ])('%s', (_, labels: Record<string, string>, old: Record<string, string>, names) => {
    expect(forbiddenLabels(labels, old)).toEqual(names);
  });
});
