import type { FlowSchema, PriorityLevelConfiguration } from 'kubernetes-types/flowcontrol/v1.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { ensureFlowControl } from '../../../lambdas/rest/flowcontrol/ensureFlowControl.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const FLOWS = 'flowschemas.flowcontrol.apiserver.k8s.io';
const LEVELS = 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io';
const SERVED = [FLOWS, LEVELS] as const;
const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

let bench: ControllerBench;
beforeEach(() => {
  bench = new ControllerBench();
});

const flows = async () => (await bench.registry.list<Stored<FlowSchema>>(FLOWS)).items;
const levels = async () => (await bench.registry.list<Stored<PriorityLevelConfiguration>>(LEVELS)).items;

async function change(name: string, shares: number, annotations: Record<string, string>): Promise<void> {
  const stored = (await levels()).find(({ metadata }) => metadata.name === name) as Stored<PriorityLevelConfiguration>;
  const spec = { ...stored.spec, limited: { ...stored.spec?.limited, nominalConcurrencyShares: shares } };
  const metadata = { ...stored.metadata, annotations };
  const changed = { ...stored, metadata, spec } as Stored<PriorityLevelConfiguration>;
  await bench.registry.update(LEVELS, changed, { from: stored, request: 'admitted' });
}

const sharesOf = async (name: string) =>
  (await levels()).find(({ metadata }) => metadata.name === name)?.spec?.limited?.nominalConcurrencyShares;

describe('the schemas and levels of every cluster', () => {
  // The precedences, levels and shares of apiserver's package bootstrap-v134.
  test('are those of Kubernetes', async () => {
    await ensureFlowControl(bench.registry, SERVED);
    const rows = (await flows()).map(
      ({ metadata, spec }) =>
        `${spec?.matchingPrecedence} ${metadata.name} ${spec?.priorityLevelConfiguration.name} ${spec?.distinguisherMethod?.type}`,
    );
    expect(rows.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))).toEqual([
      '1 exempt exempt undefined',
      '2 probes exempt undefined',
      '100 system-leader-election leader-election ByUser',
      '150 endpoint-controller workload-high ByUser',
      '200 workload-leader-election leader-election ByUser',
      '400 system-node-high node-high ByUser',
      '450 events event ByUser',
      '500 system-nodes system ByUser',
      '800 kube-controller-manager workload-high ByNamespace',
      '800 kube-scheduler workload-high ByNamespace',
      '900 kube-system-service-accounts workload-high ByNamespace',
      '9000 service-accounts workload-low ByUser',
      '9900 global-default global-default ByUser',
      '10000 catch-all catch-all ByUser',
    ]);
    const shares = (await levels()).map(({ metadata, spec }) => [
      metadata.name,
      spec?.limited?.nominalConcurrencyShares ?? spec?.type,
    ]);
    expect(Object.fromEntries(shares)).toEqual({
      exempt: 'Exempt',
      system: 40,
      'node-high': 60,
      'leader-election': 50,
      'workload-high': 40,
      'workload-low': 40,
      'global-default': 10,
      event: 5,
      'catch-all': 5,
    });
  });

  test('stay as they are when they are there', async () => {
    await ensureFlowControl(bench.registry, SERVED);
    const versions = async () => [...(await flows()), ...(await levels())].map((one) => one.metadata.resourceVersion);
    const before = await versions();
    await ensureFlowControl(bench.registry, SERVED);
    expect(await versions()).toEqual(before);
  });

  test('are made again when somebody has deleted them', async () => {
    await ensureFlowControl(bench.registry, SERVED);
    await bench.registry.delete({ resource: FLOWS, namespace: '', name: 'global-default' });
    await ensureFlowControl(bench.registry, SERVED);
    expect((await flows()).map(({ metadata }) => metadata.name)).toContain('global-default');
  });

  test.each([
    ['get their spec again', { [AUTO_UPDATE]: 'true' }, 10],
    ['keep the spec of a user who says so', { [AUTO_UPDATE]: 'false' }, 70],
    ['keep the spec of a user who has taken the annotation away', {}, 70],
  ])('%s', async (_, annotations, shares) => {
    await ensureFlowControl(bench.registry, SERVED);
    await change('global-default', 70, annotations);
    await ensureFlowControl(bench.registry, SERVED);
    expect(await sharesOf('global-default')).toBe(shares);
  });

  test('are left out where they are not served', async () => {
    await ensureFlowControl(bench.registry, [LEVELS]);
    expect([...(await flows()), ...(await levels())]).toEqual([]);
  });

  test('are made once by two servers that start at the same time', async () => {
    await Promise.all([ensureFlowControl(bench.registry, SERVED), ensureFlowControl(bench.registry, SERVED)]);
    expect(await flows()).toHaveLength(14);
  });
});
