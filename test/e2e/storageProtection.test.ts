import { beforeEach, describe, expect, test } from 'vitest';
import { startTestCluster } from '../support/startTestCluster.ts';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';

const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { storageClassName: '', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const VOLUME = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
};
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    containers: [{ name: 'web', image: 'nginx:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  },
};

let cluster: Cluster;
beforeEach(async () => {
  cluster = await startTestCluster({ clock: 'virtual' });
});

describe('a claim', () => {
  test('is protected from its creation, and goes at once when no pod uses it', async () => {
    const [claim] = await cluster.apply(CLAIM);
    expect(claim?.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    await cluster.delete('pvc/data');
    await cluster.advance('1s');
    expect(await cluster.list('persistentvolumeclaims')).toEqual([]);
  });

  test('that is deleted stays until the last pod that uses it has gone', async () => {
    await cluster.apply([CLAIM, VOLUME, POD]);
    await cluster.advance('10s');
    await cluster.delete('pvc/data');
    await cluster.advance('10m');
    expect((await cluster.get('pvc/data')).metadata.deletionTimestamp).toBeDefined();
    await cluster.delete('pod/web');
    await cluster.advance('2m');
    expect(await cluster.list('persistentvolumeclaims')).toEqual([]);
  });

  test('gets its protection back', async () => {
    await cluster.apply(CLAIM);
    await cluster.patch('pvc/data', { metadata: { finalizers: null } });
    await cluster.advance('1s');
    expect((await cluster.get('pvc/data')).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  });
});

describe('a volume', () => {
  test('goes when no claim is bound to it', async () => {
    const [volume] = await cluster.apply(VOLUME);
    expect(volume?.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    await cluster.apply(CLAIM);
    await cluster.settle();
    await cluster.delete('pv/disk');
    await cluster.advance('1m');
    expect(await cluster.get('pv/disk')).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) },
      status: { phase: 'Bound' },
    });
    await cluster.delete('pvc/data');
    await cluster.advance('1m');
    expect(await cluster.list('persistentvolumes')).toEqual([]);
  });
});
