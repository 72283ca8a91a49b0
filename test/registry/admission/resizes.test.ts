import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { podUsage } from '../../../lambdas/objects/quantities/quota.ts';
import { formatAmounts } from '../../../lambdas/objects/quantities/resourceAmounts.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { change, key, openTestRegistry, pod, refusal, stored } from '../../support/openTestRegistry.ts';

let registry: Registry;
let web: Pod;
beforeEach(async () => {
  ({ registry } = await openTestRegistry());
  web = stored(await registry.create<Pod>('pods', pod('web', sized({ cpu: '200m' }, { cpu: '500m' }))));
});

function sized(requests: object, limits: object): object {
  return { containers: [{ name: 'main', image: 'nginx', resources: { requests, limits } }] };
}

function resize(requests: object, limits: object, more: object = {}) {
  const spec = { ...web.spec, ...sized(requests, limits) };
  return registry.update<Pod>('pods', change(web, { spec }), { subresource: 'resize', ...more });
}

/** A quota that the quota controller has counted. */
async function quota(hard: object, used: object): Promise<void> {
  const draft = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'ns' }, spec: { hard } };
  const created = stored(await registry.create<KubernetesObject>('resourcequotas', draft));
  stored(
    await registry.update('resourcequotas', change(created, { status: { hard, used } }), { subresource: 'status' }),
  );
}

async function usedNow(): Promise<unknown> {
  const found = await registry.get(key('resourcequotas', 'q'));
  return (found?.['status'] as { used?: unknown } | undefined)?.used;
}

describe('a resize with a quota', () => {
  it('charges what the pod uses more, and nothing else', async () => {
    await quota(
      { 'requests.cpu': '1', 'limits.cpu': '2', pods: '1' },
      { 'requests.cpu': '200m', 'limits.cpu': '500m', pods: '1' },
    );
    stored(await resize({ cpu: '700m' }, { cpu: '1' }));
    expect(await usedNow()).toEqual({ 'requests.cpu': '700m', 'limits.cpu': '1', pods: '1' });
  });

  it("is refused in Kubernetes' words if the quota is exceeded, and charges nothing", async () => {
    await quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' });
    expect(refusal(await resize({ cpu: '500m' }, { cpu: '500m' }))).toBe(
      'Forbidden: pods "web" is forbidden: exceeded quota: q, requested: requests.cpu=300m, used: requests.cpu=900m, limited: requests.cpu=1',
    );
    expect(await usedNow()).toEqual({ 'requests.cpu': '900m' });
  });

  it('to less is let in, although the quota is full; a recount gives back the rest', async () => {
    await quota({ 'requests.cpu': '200m' }, { 'requests.cpu': '200m' });
    stored(await resize({ cpu: '100m' }, { cpu: '500m' }));
    expect(await usedNow()).toEqual({ 'requests.cpu': '200m' });
  });

  it('as a dry run is refused as well', async () => {
    await quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' });
    expect(refusal(await resize({ cpu: '500m' }, { cpu: '500m' }, { dryRun: true }))).toContain('exceeded quota: q');
  });

  it('as a dry run charges nothing, and other updates are not asked about', async () => {
    await quota({ 'requests.cpu': '1' }, { 'requests.cpu': '200m' });
    stored(await resize({ cpu: '300m' }, { cpu: '500m' }, { dryRun: true }));
    stored(await registry.update('pods', change(web, { metadata: { ...web.metadata, labels: { a: 'b' } } })));
    expect(await usedNow()).toEqual({ 'requests.cpu': '200m' });
  });
});

describe('a resize with a limit range', () => {
  async function limit(item: object): Promise<void> {
    const spec = { limits: [{ type: 'Container', ...item }] };
    const metadata = { name: 'l', namespace: 'ns' };
    stored(await registry.create('limitranges', { apiVersion: 'v1', kind: 'LimitRange', metadata, spec }));
  }

  it.each<[object, object, object, string]>([
    [{ max: { cpu: '1' } }, { cpu: '200m' }, { cpu: '2' }, 'maximum cpu usage per Container is 1, but limit is 2'],
    [
      { min: { cpu: '150m' } },
      { cpu: '100m' },
      { cpu: '500m' },
      'minimum cpu usage per Container is 150m, but request is 100m',
    ],
    [
      { type: 'Pod', max: { cpu: '400m' } },
      { cpu: '450m' },
      { cpu: '450m' },
      'maximum cpu usage per Pod is 400m, but limit is 450m',
    ],
  ])("is refused in Kubernetes' words out of its bounds: %j", async (item, requests, limits, why) => {
    await limit(item);
    expect(refusal(await resize(requests, limits))).toBe(`Forbidden: pods "web" is forbidden: ${why}`);
  });

  it('gets its defaults, which may not change the QoS class', async () => {
    await limit({ default: { memory: '1Gi' }, defaultRequest: { memory: '64Mi' } });
    const { spec, metadata } = stored(await resize({ cpu: '300m' }, { cpu: '500m' }));
    expect(spec?.containers[0]?.resources).toEqual({
      requests: { cpu: '300m', memory: '64Mi' },
      limits: { cpu: '500m', memory: '1Gi' },
    });
    expect(metadata.annotations).toBeUndefined();
  });

  it('that the pod violates already lets other updates in', async () => {
    await limit({ max: { cpu: '100m' } });
    stored(await registry.update('pods', change(web, { metadata: { ...web.metadata, labels: { a: 'b' } } })));
  });
});

describe('what a pod uses of a quota', () => {
  const usage = (status: object) => {
    const spec = { ...web.spec, ...sized({ cpu: '300m' }, { cpu: '800m' }) };
    const { 'requests.cpu': requests, 'limits.cpu': limits } = formatAmounts(
      podUsage({ ...web, spec, status } as Pod, 0),
    );
    return { requests, limits };
  };
  const container = (requests: object, limits: object, allocatedResources: object = requests) => ({
    containerStatuses: [{ name: 'main', resources: { requests, limits }, allocatedResources }],
  });

  it.each<[string, object, object]>([
    ['what its spec asks for, until its containers are known', {}, { requests: '300m', limits: '800m' }],
    [
      'what its containers still have, if that is more',
      container({ cpu: '500m' }, { cpu: '1' }),
      { requests: '500m', limits: '1' },
    ],
    [
      'what its spec asks for, if that is more',
      container({ cpu: '100m' }, { cpu: '200m' }),
      { requests: '300m', limits: '800m' },
    ],
    [
      'what its node has set aside, if that is the most',
      container({ cpu: '100m' }, { cpu: '200m' }, { cpu: '350m' }),
      { requests: '350m', limits: '800m' },
    ],
    [
      'not what can never be given to it',
      {
        ...container({ cpu: '100m' }, { cpu: '200m' }),
        conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
      },
      { requests: '100m', limits: '200m' },
    ],
  ])('is %s', (_, status, expected) => {
    expect(usage(status)).toEqual(expected);
  });
});
