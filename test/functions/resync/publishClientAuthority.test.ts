import { beforeEach, expect, test } from 'vitest';
import {
  letNodesReadAuthority,
  publishClientAuthority,
} from '../../../lambdas/functions/resync/publishClientAuthority.ts';
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

const HEADERS = {
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-username-headers': '["X-Remote-User"]',
};

/** An authority of clients, and one of proxies that is another each time it is made. */
function authorityOf(certificate: string) {
  let made = 0;
  return {
    certificate: () => Promise.resolve(certificate),
    createProxyAuthority: () => Promise.resolve(`proxies ${(made += 1)}`),
  };
}

test('the authorities of clients and proxies are in the config map of that name', async () => {
  await publishClientAuthority(registry, authorityOf('first'));
  expect((await stored())?.data).toEqual({
    ...HEADERS,
    'client-ca-file': 'first',
    'requestheader-client-ca-file': 'proxies 1',
  });
});

test('nodes may read them where they have to', async () => {
  await letNodesReadAuthority(registry);
  const name = 'driftless:nodes-read-client-authority';
  const binding = { resource: 'rolebindings.rbac.authorization.k8s.io', namespace: 'kube-system', name };
  expect(await registry.get(binding)).toMatchObject({
    roleRef: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: [{ kind: 'Group', name: 'system:nodes' }],
  });
});

test('are written again only if they differ, and keep what others have added', async () => {
  await publishClientAuthority(registry, authorityOf('first'));
  const first = await stored();
  await publishClientAuthority(registry, authorityOf('first'));
  expect(await stored()).toEqual(first);
  const data = {
    'client-ca-file': 'old',
    'requestheader-client-ca-file': 'other',
    'requestheader-allowed-names': '["mine"]',
  };
  if (first) await registry.update('configmaps', { ...first, data }, { from: first });
  await publishClientAuthority(registry, authorityOf('second'));
  expect((await stored())?.data).toEqual({ ...HEADERS, ...data, 'client-ca-file': 'second' });
});

test('what an older release wrote gets what is missing', async () => {
  const metadata = { name: place.name, namespace: place.namespace };
  const data = { 'client-ca-file': 'first' };
  await registry.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  await publishClientAuthority(registry, authorityOf('first'));
  expect((await stored())?.data).toMatchObject({ ...HEADERS, 'requestheader-client-ca-file': 'proxies 1' });
});
