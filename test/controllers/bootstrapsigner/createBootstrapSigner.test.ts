import { beforeEach, describe, expect, it } from 'vitest';
import {
  createBootstrapSigner,
  detachedSignature,
} from '../../../lambdas/controllers/bootstrapsigner/createBootstrapSigner.ts';
import { createTokenCleaner } from '../../../lambdas/controllers/tokencleaner/createTokenCleaner.ts';
import { bootstrapTokenSecret } from '../../support/bootstrapTokenSecret.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const HOUR_MS = 3_600_000;
const PLACE = { namespace: 'kube-public', name: 'cluster-info' };

let bench: ControllerBench;
beforeEach(async () => {
  bench = new ControllerBench();
  bench.add(createBootstrapSigner());
  for (const name of ['kube-system', 'kube-public'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
});

const createInfo = () =>
  bench.create('configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: PLACE,
    data: { kubeconfig: 'kind: Config', other: 'stays' },
  });

async function dataOf(): Promise<Record<string, string>> {
  await bench.settle();
  const stored = await bench.get('configmaps', PLACE.namespace, PLACE.name);
  return stored?.['data'] as Record<string, string>;
}

const SIGNATURE = detachedSignature('kind: Config', 'abcdef', '0123456789abcdef');

it('signs as kubeadm does', () => {
  // The example of k8s.io/cluster-bootstrap.
  const text = 'Hello from the other side. I must have called a thousand times.';
  expect(detachedSignature(text, 'joshua', 'my voice is my passcode')).toBe(
    'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
  );
});

describe('cluster-info', () => {
  it('is signed by each token for signing, whichever comes first', async () => {
    await bench.create('secrets', bootstrapTokenSecret());
    await createInfo();
    expect(await dataOf()).toEqual({ kubeconfig: 'kind: Config', other: 'stays', 'jws-kubeconfig-abcdef': SIGNATURE });
    await bench.create('secrets', bootstrapTokenSecret({}, '111111'));
    expect(Object.keys(await dataOf())).toEqual([
      'kubeconfig',
      'other',
      'jws-kubeconfig-111111',
      'jws-kubeconfig-abcdef',
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['is not for signing', { 'usage-bootstrap-signing': 'false' }, 'abcdef'],
    ['has ended', { expiration: '2020-01-01T00:00:00Z' }, 'abcdef'],
    ['has an end that cannot be read', { expiration: 'tomorrow' }, 'abcdef'],
    ['has an end without a time', { expiration: '2126-01-01' }, 'abcdef'],
    ['has another id than its name says', { 'token-id': '222222' }, 'abcdef'],
  ])('is not signed by a token that %s', async (_, change, id) => {
    await bench.create('secrets', bootstrapTokenSecret(change, id));
    await createInfo();
    expect(await dataOf()).toEqual({ kubeconfig: 'kind: Config', other: 'stays' });
  });

  it('is signed anew when its text changes, and loses the signature of a token that is deleted', async () => {
    await bench.create('secrets', bootstrapTokenSecret());
    const info = await createInfo();
    await dataOf();
    const latest = await bench.get('configmaps', PLACE.namespace, PLACE.name);
    if (!latest) throw new Error(`${info.metadata.name} is gone`);
    await bench.registry.update('configmaps', { ...latest, data: { kubeconfig: 'changed' } });
    expect(await dataOf()).toEqual({
      kubeconfig: 'changed',
      'jws-kubeconfig-abcdef': detachedSignature('changed', 'abcdef', '0123456789abcdef'),
    });
    await bench.registry.delete({ resource: 'secrets', namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
    expect(await dataOf()).toEqual({ kubeconfig: 'changed' });
  });
});

describe('a bootstrap token', () => {
  beforeEach(() => bench.add(createTokenCleaner()));
  const names = async () => {
    await bench.settle();
    return await bench.names('secrets');
  };

  it('is deleted when it has ended, and its signature with it', async () => {
    await bench.create('secrets', bootstrapTokenSecret({ expiration: '2026-01-01T01:00:00Z' }));
    await createInfo();
    expect(Object.keys(await dataOf())).toContain('jws-kubeconfig-abcdef');
    bench.clock.advanceBy(HOUR_MS - 1);
    expect(await names()).toEqual(['bootstrap-token-abcdef']);
    bench.clock.advanceBy(1);
    expect(await names()).toEqual([]);
    expect(Object.keys(await dataOf())).not.toContain('jws-kubeconfig-abcdef');
  });

  it('stays without an end, and other Secrets stay whatever they say', async () => {
    await bench.create('secrets', bootstrapTokenSecret());
    const other = bootstrapTokenSecret({ expiration: '2020-01-01T00:00:00Z' }, '111111');
    await bench.create('secrets', { ...other, type: 'Opaque' });
    expect(await names()).toEqual(['bootstrap-token-111111', 'bootstrap-token-abcdef']);
  });
});
