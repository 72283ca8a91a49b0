import { beforeEach, describe, expect, test } from 'vitest';
import { startTestCluster } from '../support/startTestCluster.ts';
import type { Cluster } from '../../infra/cluster/startCluster.ts';

const CLAIM = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
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

/** What the controller of volumes does, which does not run here: until then the pod waits for its volume. */
async function bindClaim(): Promise<void> {
  await cluster.patch('pvc/data', { spec: { volumeName: 'disk' } });
  await cluster.patch('pvc/data', { status: { phase: 'Bound' } }, { subresource: 'status', type: 'merge' });
}

describe('a claim', () => {
  test('is protected from its creation, and goes at once when no pod uses it', async () => {
    const [claim] = await cluster.apply(CLAIM);
    expect(claim?.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    await cluster.delete('pvc/data');
    await cluster.advance('1s');
    expect(await cluster.list('persistentvolumeclaims')).toEqual([]);
  });

  test('that is deleted stays until the last pod that uses it has gone', async () => {
    await cluster.apply([CLAIM, VOLUME]);
    await bindClaim();
    await cluster.apply(POD);
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
    await cluster.patch('pv/disk', { status: { phase: 'Bound' } }, { subresource: 'status' });
    await cluster.delete('pv/disk');
    await cluster.advance('1m');
    expect((await cluster.get('pv/disk')).metadata.deletionTimestamp).toBeDefined();
    await cluster.patch('pv/disk', { status: { phase: 'Released' } }, { subresource: 'status' });
    await cluster.advance('1m');
    expect(await cluster.list('persistentvolumes')).toEqual([]);
  });
});
