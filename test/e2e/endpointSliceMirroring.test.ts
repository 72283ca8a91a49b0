import { expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }] } };
const endpoints = (...ips: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'db', labels: { team: 'data' }, annotations: { note: 'by hand' } },
  subsets: [
    {
      addresses: ips.map((ip) => ({ ip })),
      notReadyAddresses: [{ ip: '10.9.9.9' }],
      ports: [{ name: 'sql', port: 5432 }],
    },
  ],
});

async function slices(cluster: Cluster) {
  const found = await cluster.list('endpointslices', { labelSelector: 'kubernetes.io/service-name=db' });
  return found.map(({ metadata, ...slice }) => ({
    labels: metadata.labels,
    owner: metadata.ownerReferences?.[0]?.kind,
    slice,
  }));
}

test('Endpoints that somebody writes for a service without a selector have slices, until the service selects pods', async () => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(SERVICE);
  await cluster.apply(endpoints('10.0.0.1', '2001:db8::1'));
  await cluster.advance('1s');
  const ports = [{ name: 'sql', port: 5432, protocol: 'TCP' }];
  const labels = {
    team: 'data',
    'kubernetes.io/service-name': 'db',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
  };
  const ready = (ip: string) => ({ addresses: [ip], conditions: { ready: true } });
  const v4 = {
    addressType: 'IPv4',
    endpoints: [ready('10.0.0.1'), { addresses: ['10.9.9.9'], conditions: { ready: false } }],
  };
  const both = await slices(cluster);
  expect(both).toHaveLength(2);
  expect(both).toEqual(
    expect.arrayContaining([
      { labels, owner: 'Endpoints', slice: expect.objectContaining({ ...v4, ports }) },
      {
        labels,
        owner: 'Endpoints',
        slice: expect.objectContaining({ addressType: 'IPv6', endpoints: [ready('2001:db8::1')], ports }),
      },
    ]),
  );

  await cluster.apply(endpoints('10.0.0.2'));
  await cluster.advance('1s');
  expect((await slices(cluster)).map(({ slice }) => slice)).toMatchObject([
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.9.9.9'] }, ready('10.0.0.2')] },
  ]);

  await cluster.patch('service/db', { spec: { selector: { app: 'db' } } });
  await cluster.advance('1s');
  expect((await slices(cluster)).map((one) => one.labels?.['endpointslice.kubernetes.io/managed-by'])).toEqual([
    'endpointslice-controller.k8s.io',
  ]);
});

test.each([
  ['that ask for none', { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }],
  ['in which an election is recorded', { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }],
])('Endpoints %s have no slices', async (_, metadata) => {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(SERVICE);
  await cluster.apply({ ...endpoints('10.0.0.1'), metadata: { name: 'db', ...metadata } });
  await cluster.advance('1s');
  expect(await slices(cluster)).toEqual([]);
});
