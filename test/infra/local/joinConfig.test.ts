import { beforeEach, describe, expect, it } from 'vitest';
import { ensureJoinConfig } from '../../../infra/local/ensureJoinConfig.ts';
import { advertisedHost } from '../../../infra/local/joinConfig.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const FIRST = { server: 'https://192.0.2.10:8001', authority: 'first', version: 'v1.32.4' };
const SECOND = { server: 'https://192.0.2.10:9001', authority: 'first', version: 'v1.33.0' };

let bench: ControllerBench;
beforeEach(async () => {
  bench = new ControllerBench();
  for (const name of ['kube-system', 'kube-public'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await ensureJoinConfig(bench.registry, FIRST);
});

async function change(namespace: string, name: string, changed: (data: Record<string, string>) => object) {
  const stored = await bench.get('configmaps', namespace, name);
  if (!stored) throw new Error(`${name} is missing`);
  await bench.registry.update('configmaps', { ...stored, data: changed(stored['data'] as Record<string, string>) });
}

const dataOf = async (namespace: string, name: string) =>
  (await bench.get('configmaps', namespace, name))?.['data'] as Record<string, string>;

describe('what machines read before they join', () => {
  it('follows the server, and keeps signatures', async () => {
    await change('kube-public', 'cluster-info', (data) => ({ ...data, 'jws-kubeconfig-abcdef': 'signed' }));
    await ensureJoinConfig(bench.registry, SECOND);
    const info = await dataOf('kube-public', 'cluster-info');
    expect(info['kubeconfig']).toContain('server: https://192.0.2.10:9001\n');
    expect(info['jws-kubeconfig-abcdef']).toBe('signed');
    expect((await dataOf('kube-system', 'kubeadm-config'))['ClusterConfiguration']).toContain(
      'controlPlaneEndpoint: 192.0.2.10:9001\n',
    );
  });

  it('stays as a user has changed it who has removed the note', async () => {
    const own = { kubelet: 'kind: KubeletConfiguration\nmaxPods: 5\n' };
    await change('kube-system', 'kubelet-config', () => own);
    await ensureJoinConfig(bench.registry, SECOND);
    expect(await dataOf('kube-system', 'kubelet-config')).toEqual(own);
  });

  it('is restored while the note is there, and is not written if nothing has changed', async () => {
    await change('kube-system', 'kubelet-config', ({ kubelet }) => ({ kubelet: `${kubelet}maxPods: 5\n` }));
    await ensureJoinConfig(bench.registry, FIRST);
    expect((await dataOf('kube-system', 'kubelet-config'))['kubelet']).not.toContain('maxPods');
    const before = await bench.get('configmaps', 'kube-system', 'kubelet-config');
    await ensureJoinConfig(bench.registry, FIRST);
    const after = await bench.get('configmaps', 'kube-system', 'kubelet-config');
    expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  });
});

it.each([
  [undefined, '127.0.0.1'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '[2001:db8::7]'],
])('a server that listens on %s is reached at %s', (address, host) => {
  expect(advertisedHost(address)).toBe(host);
});
