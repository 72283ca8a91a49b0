import { beforeEach, expect, test } from 'vitest';
import { publishClientAuthority } from '../../../lambdas/functions/resync/publishClientAuthority.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { openTestRegistry } from '../../support/openTestRegistry.ts';

let registry: Registry;
beforeEach(async () => {
  registry = (await openTestRegistry()).registry;
  await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
});

const place = { resource: 'configmaps', namespace: 'kube-system', name: 'extension-apiserver-authentication' };
const stored = () => registry.get<KubernetesObject & { data?: Record<string, string> }>(place);

test('the authority of clients is in the config map of that name, which nodes may read', async () => {
  await publishClientAuthority(registry, 'first');
  expect((await stored())?.data).toEqual({ 'client-ca-file': 'first' });
  const name = 'driftless:nodes-read-client-authority';
  const binding = { resource: 'rolebindings.rbac.authorization.k8s.io', namespace: 'kube-system', name };
  expect(await registry.get(binding)).toMatchObject({
    roleRef: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: [{ kind: 'Group', name: 'system:nodes' }],
  });
});

test('is written again only if it differs, and keeps what others have added', async () => {
  await publishClientAuthority(registry, 'first');
  const first = await stored();
  await publishClientAuthority(registry, 'first');
  expect(await stored()).toEqual(first);
  const data = { 'client-ca-file': 'old', 'requestheader-client-ca-file': 'other' };
  if (first) await registry.update('configmaps', { ...first, data }, { from: first });
  await publishClientAuthority(registry, 'second');
  expect((await stored())?.data).toEqual({ ...data, 'client-ca-file': 'second' });
});
