import { beforeEach, describe, expect, it } from 'vitest';
import { createNodeLeaseController } from '../../../lambdas/controllers/nodelease/createNodeLeaseController.ts';
import { decideRenewals, type Lease, nodeLease } from '../../../lambdas/controllers/nodelease/decideRenewals.ts';
import { decideNodeHealth } from '../../../lambdas/controllers/nodelifecycle/decideNodeHealth.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const LEASES = 'leases.coordination.k8s.io';
const PLACE = { namespace: 'kube-node-lease' };
const PACE_MS = 10_000;
const HOUR_MS = 3_600_000;

describe('a lease is renewed', () => {
  const nodes = ['a'].map((name) => ({ metadata: { name } })) as unknown as Node[];
  it.each<[string, number | undefined, boolean]>([
    ['if there is none', undefined, true],
    ['after the pace', 10_000, true],
    ['somewhat earlier, together with others', 5_000, true],
    ['not soon after it was', 4_999, false],
    ['not if its time is to come, as after the clock was set back', -1_000, false],
  ])('%s', (_, ageMs, isDue) => {
    const nowMs = 1_000_000;
    const leases = ageMs === undefined ? [] : [nodeLease('a', nowMs - ageMs) as unknown as Lease];
    expect(decideRenewals(nodes, leases, nowMs, PACE_MS).map(({ nodeName }) => nodeName)).toEqual(isDue ? ['a'] : []);
  });
});

describe('simulated nodes beside a node lifecycle controller of somebody else', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    bench.add(createNodeLeaseController(PACE_MS));
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: PLACE.namespace } });
    for (const name of ['one', 'two']) await bench.createNode(name);
  });

  const node = async (name: string) => {
    const found = await bench.get<Node>('nodes', '', name);
    if (!found) throw new Error(`${name} is missing`);
    return found;
  };
  const lease = (name: string) => bench.get<Lease>(LEASES, PLACE.namespace, name);
  const isAlive = async (name: string) =>
    decideNodeHealth(await node(name), await lease(name), bench.clock.now()).health;

  it('are alive at any time', async () => {
    for (let passedMs = 0; passedMs < HOUR_MS; passedMs += 5_000) {
      await bench.settle();
      expect([await isAlive('one'), await isAlive('two')]).toEqual(['alive', 'alive']);
      const renewTime = Date.parse((await lease('one'))?.spec?.renewTime ?? '');
      if (passedMs >= PACE_MS) expect(bench.clock.now() - renewTime).toBeLessThanOrEqual(1.5 * PACE_MS);
      bench.clock.advanceBy(5_000);
    }
    expect((await node('one')).metadata.generation).toBeUndefined();
  });

  it('have their leases written at the pace, and nothing else', async () => {
    bench.clock.advanceBy(PACE_MS);
    await bench.settle();
    const versions = async () => [
      (await lease('one'))?.metadata.resourceVersion,
      (await node('one')).metadata.resourceVersion,
    ];
    const [leaseVersion, nodeVersion] = await versions();
    bench.clock.advanceBy(PACE_MS - 1);
    await bench.settle();
    expect(await versions()).toEqual([leaseVersion, nodeVersion]);
    bench.clock.advanceBy(1);
    await bench.settle();
    expect(await versions()).toEqual([expect.not.stringMatching(`^${leaseVersion}$`), nodeVersion]);
  });

  const report = async (name: string, status: string, reason: string) => {
    const found = await node(name);
    const conditions = (found.status?.conditions ?? []).map((one) =>
      one.type === 'Ready' ? { ...one, status, reason } : one,
    );
    await bench.registry.update(
      'nodes',
      { ...found, status: { ...found.status, conditions } },
      { subresource: 'status' },
    );
    await bench.settle();
    return (await node(name)).status?.conditions?.find(({ type }) => type === 'Ready');
  };

  it('report again when somebody thinks that they are silent', async () => {
    expect(await report('one', 'Unknown', 'NodeStatusUnknown')).toMatchObject({
      status: 'True',
      reason: 'KubeletReady',
    });
  });

  it('keep the conditions that a user writes', async () => {
    expect(await report('one', 'False', 'Broken')).toMatchObject({ status: 'False', reason: 'Broken' });
    expect(await report('two', 'Unknown', 'Mine')).toMatchObject({ status: 'Unknown', reason: 'Mine' });
  });

  it('need nothing when there are none', async () => {
    for (const name of ['one', 'two']) await bench.registry.delete({ resource: 'nodes', namespace: '', name });
    bench.clock.advanceBy(HOUR_MS);
    await bench.settle();
    expect(await bench.names(LEASES)).toEqual([]);
  });
});
