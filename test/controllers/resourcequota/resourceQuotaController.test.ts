import { beforeEach, describe, expect, it } from 'vitest';
import { createResourceQuotaController } from '../../../lambdas/controllers/resourcequota/createResourceQuotaController.ts';
import type { ResourceQuota } from '../../../lambdas/controllers/resourcequota/decideRecount.ts';
import { resourceOfLimit } from '../../../lambdas/controllers/resourcequota/decideRecount.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const resources = resourceEntries
  .filter(({ namespaced, virtual }) => namespaced && virtual !== true)
  .map(({ groupResource }) => groupResource);

describe('resource quotas', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    const { objectStore } = bench;
    bench.add(createResourceQuotaController({ objectStore, resources }));
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  });
  const quota = (hard: Record<string, string>) =>
    bench.create('resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'team' },
      spec: { hard },
    });
  const pod = (name: string, cpu = '250m') =>
    bench.create<Pod>('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'team' },
      spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }] },
    });
  const used = async () => (await bench.get<ResourceQuota>('resourcequotas', 'team', 'q'))?.status?.used;

  it('count the objects that exist when the quota is created', async () => {
    await pod('one');
    await quota({ pods: '5', 'requests.cpu': '2', 'count/secrets': '3' });
    await bench.settle();
    expect(await used()).toEqual({ pods: '1', 'requests.cpu': '250m', 'count/secrets': '0' });
  });

  it('refuse creates beyond the limit, in Kubernetes’ words', async () => {
    await quota({ pods: '1' });
    await bench.settle();
    await pod('one');
    await expect(pod('two')).rejects.toThrow(
      'pods "two" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });

  it('let no concurrent creates past the limit', async () => {
    await quota({ pods: '3' });
    await bench.settle();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => pod(`p${index}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('give back the usage of deleted objects and of pods that have ended', async () => {
    await quota({ pods: '2', 'count/pods': '9' });
    await bench.settle();
    await pod('one');
    const two = await pod('two');
    await bench.registry.delete({ resource: 'pods', namespace: 'team', name: 'one' });
    await bench.settle();
    expect(await used()).toEqual({ pods: '1', 'count/pods': '1' });
    await bench.registry.update(
      'pods',
      { ...two, status: { ...two.status, phase: 'Succeeded' } },
      { subresource: 'status' },
    );
    await bench.settle();
    expect(await used()).toEqual({ pods: '0', 'count/pods': '1' });
  });

  it('give back the charge of a create that failed', async () => {
    await quota({ pods: '2' });
    await bench.settle();
    await pod('one');
    await bench.settle();
    await bench.advance(1000);
    await expect(pod('one')).rejects.toThrow('already exists');
    await bench.settle();
    expect(await used()).toEqual({ pods: '2' });
    await bench.advance(1000);
    expect(await used()).toEqual({ pods: '1' });
  });

  it('follow pods that are resized', async () => {
    const web = await pod('one', '500m');
    await quota({ 'requests.cpu': '2' });
    await bench.settle();
    const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }];
    await bench.registry.update('pods', { ...web, spec: { containers } }, { subresource: 'resize' });
    await bench.settle();
    expect(await used()).toEqual({ 'requests.cpu': '500m' });
    await bench.advance(1000);
    expect(await used()).toEqual({ 'requests.cpu': '100m' });
  });

  it('correct a recount that ran between the charge and the create of a pod', async () => {
    await quota({ pods: '2' });
    await bench.settle();
    await pod('one');
    const stored = (await bench.get<ResourceQuota>('resourcequotas', 'team', 'q')) as ResourceQuota;
    await bench.registry.update(
      'resourcequotas',
      { ...stored, status: { ...stored.status, used: { pods: '0' } } },
      { subresource: 'status' },
    );
    await bench.settle();
    await bench.advance(1000);
    expect(await used()).toEqual({ pods: '1' });
  });

  it.each([
    ['pods', 'pods'],
    ['requests.cpu', 'pods'],
    ['memory', 'pods'],
    ['count/deployments.apps', 'deployments.apps'],
    ['secrets', 'secrets'],
  ])('a limit on %s is about %s', (limit, resource) => expect(resourceOfLimit(limit)).toBe(resource));
});
