import { describe, expect, test } from 'vitest';
import { compileLabelSelector } from '../../lambdas/objects/selectors/labelSelector.ts';
import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import { formatQuantity } from '../../lambdas/objects/quantities/quantity.ts';
import type { MetricsClient } from '../../lambdas/ports/MetricsClient.ts';

/** What an adapter is tested with: in the namespace `default` the running pods `a` and `b`, which use 200m of CPU each and have the values 3 and 5 of the metric `rps`, and the running pod `dark`, of which nothing is known; the Service `web` with the value 7 of the metric `hits`;
 * and an external metric `queue` whose series `{name=orders}` is 30 and `{name=mail}` is 5. */
export interface MetricsWorld {
  readonly client: MetricsClient;
  /** The node of `a` and `b`, which uses 400m of CPU, and the one of `dark`, of which nothing is known. */
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

const ALL = compileLabelSelector({});
const SERVICE = { apiVersion: 'v1', kind: 'Service', name: 'web' };

/** The promises of the port MetricsClient. */
export function metricsClientContract(name: string, open: () => Promise<MetricsWorld>): void {
  describe(name, () => {
    test('says what pods use, in their order, and leaves out those of which nothing is known', async () => {
      const { client, pods, nowMs } = await open();
      const { usages, problems } = await client.podUsages(pods, nowMs);
      const shown = usages.map(({ pod, containers }) => [pod.metadata.name, containers.map(({ usage }) => usage.cpu)]);
      expect([shown, problems]).toEqual([
        [
          ['a', ['200m']],
          ['b', ['200m']],
        ],
        [],
      ]);
      for (const { timestampMs, windowMs } of usages) {
        expect(timestampMs).toBeLessThanOrEqual(nowMs);
        expect(windowMs).toBeGreaterThan(0);
      }
    });

    test('says what nodes use, and leaves out those of which nothing is known', async () => {
      const { client, nodes, pods, nowMs } = await open();
      const { usages, problems } = await client.nodeUsages(nodes, pods, nowMs);
      expect(usages.map(({ node, usage }) => [node.metadata.name, usage.cpu])).toEqual([
        [nodes[0]?.metadata.name, '400m'],
      ]);
      expect(problems).toEqual([]);
      for (const { timestampMs, windowMs } of usages) {
        expect(timestampMs).toBeLessThanOrEqual(nowMs);
        expect(windowMs).toBeGreaterThan(0);
      }
      expect(await client.nodeUsages([], pods, nowMs)).toEqual({ usages: [], problems: [] });
    });

    test('says nothing of no pods', async () => {
      const { client, nowMs } = await open();
      expect(await client.podUsages([], nowMs)).toEqual({ usages: [], problems: [] });
    });

    test('has the values of a metric of pods', async () => {
      const { client, pods, nowMs } = await open();
      const read = await client.podMetric('rps', pods, ALL, nowMs);
      const shown = read.status === 'measured' && read.value.map((one) => [one.objectName, formatQuantity(one.value)]);
      expect(shown).toEqual([
        ['a', '3'],
        ['b', '5'],
      ]);
      expect(await client.podMetric('other', pods, ALL, nowMs)).toMatchObject({ status: 'unavailable' });
    });

    test('has the value of a metric of one object', async () => {
      const { client, nowMs } = await open();
      const read = await client.objectMetric('hits', 'default', SERVICE, ALL, nowMs);
      expect(read.status === 'measured' && formatQuantity(read.value.value)).toBe('7');
      const absent = [
        await client.objectMetric('other', 'default', SERVICE, ALL, nowMs),
        await client.objectMetric('hits', 'elsewhere', SERVICE, ALL, nowMs),
        await client.objectMetric('hits', 'default', { ...SERVICE, kind: 'Unheard' }, ALL, nowMs),
      ];
      expect(absent.map(({ status }) => status)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    });

    test('has the selected series of an external metric, sorted by their labels', async () => {
      const { client, nowMs } = await open();
      const valuesOf = async (metric: string, matchLabels: Record<string, string>) => {
        const read = await client.externalMetric(metric, 'default', compileLabelSelector({ matchLabels }), nowMs);
        return read.status === 'measured' && read.value.map(({ value }) => formatQuantity(value));
      };
      expect(await valuesOf('queue', {})).toEqual(['5', '30']);
      expect(await valuesOf('queue', { name: 'orders' })).toEqual(['30']);
      expect(await valuesOf('queue', { name: 'none' })).toEqual([]);
      expect(await valuesOf('other', {})).toEqual([]);
    });
  });
}
