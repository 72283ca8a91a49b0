import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { encodeUntyped, shareJson, sharedMembers } from '../../lambdas/objects/sharedMembers.ts';

const metadata = { name: 'a', uid: '1', resourceVersion: '5', creationTimestamp: '2026-01-01T00:00:00Z' };
const members = JSON.stringify({ metadata, data: { kind: 'b' } }).slice(1);

const objects: readonly [string, KubernetesObject][] = [
  ['apiVersion and kind first', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { kind: 'b' } }],
  ['kind first', { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { kind: 'b' } }],
  ['both last', { metadata, data: { kind: 'b' }, kind: 'ConfigMap', apiVersion: 'v1' }],
];

test.each(objects)(
  'the members of an object are the same text whether the store has shared its JSON or not: %s',
  (_, object) => {
    const stored = { ...object };
    shareJson(stored, JSON.stringify(stored));
    expect(sharedMembers(stored)).toBe(members);
    expect(sharedMembers({ ...object })).toBe(members);
  },
);

test('the JSON that the store has shared is not made again', () => {
  const stored: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  shareJson(stored, '{"apiVersion":"v1","kind":"ConfigMap","shared":true}');
  expect(sharedMembers(stored)).toBe('"shared":true}');
});

test('an answer takes the JSON that is shared, and shares none itself', () => {
  const stored: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  expect(encodeUntyped(stored)).toBe(JSON.stringify({ metadata }));
  shareJson(stored, '{"apiVersion":"v1","kind":"ConfigMap","shared":true}');
  expect(encodeUntyped(stored)).toBe('{"shared":true}');
});
