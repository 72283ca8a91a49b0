import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../../lambdas/objects/kinds.ts';
import { podUsage } from '../../../../lambdas/objects/quantities/quota.ts';
import { formatAmounts } from '../../../../lambdas/objects/quantities/resourceAmounts.ts';
import type { SizedPodSpec } from '../../../../lambdas/objects/pods/podLevelResources.ts';
import type { Registry } from '../../../../lambdas/registry/Registry.ts';
import { change, openTestRegistry, pod, refusal, stored } from '../../../support/openTestRegistry.ts';

type Resources = { readonly requests?: object; readonly limits?: object };

let registry: Registry;
beforeEach(async () => {
  ({ registry } = await openTestRegistry());
});

function specOf(resources: Resources, ...containers: readonly Resources[]): object {
  const all = containers.length > 0 ? containers : [{}];
  return { resources, containers: all.map((one, index) => ({ name: `c${index}`, image: 'nginx', resources: one })) };
}

const create = (spec: object) => registry.create<Pod>('pods', pod('web', spec));

describe('a pod with resources as a whole', () => {
  it.each<[string, Resources, readonly Resources[], object]>([
    ['requests what it may use', { limits: { cpu: '2' } }, [], { cpu: '2' }],
    [
      'requests what its containers request together, where they request something',
      { limits: { cpu: '2', memory: '1Gi' } },
      [{ requests: { cpu: '500m' } }, { requests: { cpu: '700m' } }],
      { cpu: '1200m', memory: '1Gi' },
    ],
    ['keeps what it requests', { requests: { cpu: '1' }, limits: { cpu: '2' } }, [], { cpu: '1' }],
  ])('%s', async (_, resources, containers, requests) => {
    const { spec } = stored(await create(specOf(resources, ...containers)));
    expect((spec as SizedPodSpec).resources?.requests).toEqual(requests);
  });

  it.each<[string, Resources, Resources, string]>([
    [
      'less than its containers request',
      { requests: { cpu: '1' } },
      { requests: { cpu: '1500m' } },
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m',
    ],
    [
      'less than a container may use',
      { limits: { memory: '1Gi' } },
      { limits: { memory: '2Gi' }, requests: { memory: '1Gi' } },
      'spec.resources.containers[0][memory].limits: Invalid value: "2Gi": must be less than or equal to pod limits of 1Gi',
    ],
    [
      'more than its limit',
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      {},
      'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      'what only containers can have',
      { requests: { 'ephemeral-storage': '1Gi' } },
      {},
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ],
  ])('cannot request %s', async (_, resources, container, why) => {
    expect(refusal(await create(specOf(resources, container)))).toBe(`Invalid: Pod "web" is invalid: ${why}`);
  });

  it('cannot be a Windows pod', async () => {
    const spec = { ...specOf({ requests: { cpu: '1' } }), os: { name: 'windows' } };
    expect(refusal(await create(spec))).toBe(
      'Invalid: Pod "web" is invalid: spec.resources: Forbidden: may not be set for a windows pod',
    );
  });

  it.each<[string, Resources]>([
    ['Guaranteed', { limits: { cpu: '1', memory: '1Gi' } }],
    ['Burstable', { limits: { cpu: '1' } }],
    ['Burstable', { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }],
  ])('is %s by them, whatever its containers have', async (qosClass, resources) => {
    expect(stored(await create(specOf(resources, {}, {}))).status?.qosClass).toBe(qosClass);
  });

  it('counts by them in quotas, and its containers need none', async () => {
    const web = stored(await create(specOf({ limits: { cpu: '2' } }, { requests: { cpu: '500m' } })));
    expect(formatAmounts(podUsage(web, 0))).toMatchObject({ 'requests.cpu': '500m', 'limits.cpu': '2', pods: '1' });
    const hard = { 'requests.memory': '1Gi', 'limits.cpu': '4' };
    const metadata = { name: 'q', namespace: 'ns' };
    const quota = stored(
      await registry.create('resourcequotas', { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } }),
    );
    const status = { hard, used: { 'requests.memory': '0', 'limits.cpu': '2' } };
    stored(await registry.update('resourcequotas', change(quota, { status }), { subresource: 'status' }));
    const other = pod('other', specOf({ limits: { cpu: '3' } }));
    expect(refusal(await registry.create('pods', other))).toBe(
      'Forbidden: pods "other" is forbidden: exceeded quota: q, requested: limits.cpu=3, used: limits.cpu=2, limited: limits.cpu=4',
    );
  });
});

describe('a resize of the pod as a whole', () => {
  const resize = (web: Pod, resources: Resources) =>
    registry.update<Pod>('pods', change(web, { spec: { ...web.spec, resources } }), { subresource: 'resize' });

  it('changes what it has', async () => {
    const web = stored(await create(specOf({ requests: { cpu: '1' }, limits: { cpu: '2' } })));
    const { spec, metadata } = stored(await resize(web, { requests: { cpu: '2' }, limits: { cpu: '3' } }));
    expect((spec as SizedPodSpec).resources).toEqual({ requests: { cpu: '2' }, limits: { cpu: '3' } });
    expect(metadata.generation).toBe(2);
  });

  it.each<[string, Resources, string]>([
    [
      'takes a limit away',
      { requests: { cpu: '1' } },
      'spec.resources.limits: Forbidden: resource limits cannot be removed',
    ],
    [
      'is of anything but CPU and memory',
      { requests: { cpu: '1' }, limits: { cpu: '2', 'hugepages-2Mi': '4Mi' } },
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
  ])('is refused if it %s', async (_, resources, why) => {
    const web = stored(await create(specOf({ requests: { cpu: '1' }, limits: { cpu: '2' } })));
    expect(refusal(await resize(web, resources))).toContain(why);
  });
});
