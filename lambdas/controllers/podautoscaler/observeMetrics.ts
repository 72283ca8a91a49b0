import type { MetricSpec } from 'kubernetes-types/autoscaling/v2.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { MetricsClient, PodUsages } from '../../ports/MetricsClient.ts';
import { goSelectorText } from '../../objects/go/goSelectorText.ts';
import { getContainerMetrics, getPodMetrics, milliValue, type PodMetrics } from './PodMetrics.ts';

/** What was measured for one metric of an autoscaler: the values of the pods, or one value in thousandths; or why that is not known, in Kubernetes' words. */
export type MetricReading =
  | { readonly of: 'pods'; readonly metrics: PodMetrics }
  | { readonly of: 'value'; readonly valueMilli: number }
  | { readonly of: 'nothing'; readonly message: string };

/** Reads the metrics of an autoscaler, in the order of its spec. What the pods use is asked for once. */
export async function observeMetrics(
  client: MetricsClient,
  specs: readonly MetricSpec[],
  { namespace, pods, nowMs }: { readonly namespace: string; readonly pods: readonly Pod[]; readonly nowMs: number },
): Promise<readonly MetricReading[]> {
  let usages: Promise<PodUsages> | undefined;
  const readUsages = () => {
    usages ??= client.podUsages(pods, nowMs);
    return usages;
  };
  return await Promise.all(
    specs.map(async (spec): Promise<MetricReading> => {
      if (spec.resource) return resourceReading(await readUsages(), spec.resource.name);
      if (spec.containerResource) {
        const { name, container } = spec.containerResource;
        return resourceReading(await readUsages(), name, container);
      }
      return await readCustom(client, spec, { namespace, pods, nowMs });
    }),
  );
}

function nothing(message: string): MetricReading {
  return { of: 'nothing', message };
}

function resourceReading({ usages, problems }: PodUsages, resource: string, container?: string): MetricReading {
  const prefix = `unable to get metrics for resource ${resource}`;
  if (problems.length > 0)
    return nothing(`${prefix}: unable to fetch metrics from resource metrics API: ${problems.join('; ')}`);
  if (usages.length === 0) return nothing(`${prefix}: no metrics returned from resource metrics API`);
  if (container === undefined) return { of: 'pods', metrics: getPodMetrics(usages, resource) };
  const metrics = getContainerMetrics(usages, resource, container);
  if (typeof metrics !== 'string') return { of: 'pods', metrics };
  return nothing(`${prefix}: failed to get container metrics: ${metrics}`);
}

interface Asked {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

const CUSTOM = 'unable to fetch metrics from custom metrics API';

async function readCustom(client: MetricsClient, spec: MetricSpec, asked: Asked): Promise<MetricReading> {
  if (spec.pods) return await readPodsMetric(client, spec.pods, asked);
  if (spec.object) return await readObjectMetric(client, spec.object, asked);
  if (spec.external) return await readExternalMetric(client, spec.external, asked);
  return nothing(`unknown metric source type ${JSON.stringify(spec.type)}`);
}

/** An absent selector selects all series. */
function selects(selector: LabelSelector | undefined) {
  return compileLabelSelector(selector ?? {});
}

async function readPodsMetric(
  client: MetricsClient,
  { metric: { name, selector } }: NonNullable<MetricSpec['pods']>,
  { pods, nowMs }: Asked,
): Promise<MetricReading> {
  const read = await client.podMetric(name, pods, selects(selector), nowMs);
  if (read.status === 'unavailable') return nothing(`unable to get metric ${name}: ${CUSTOM}: ${read.message}`);
  const metrics = read.value.map(
    ({ objectName, value, ...when }) => [objectName, { valueMilli: milliValue(value), ...when }] as const,
  );
  return { of: 'pods', metrics: new Map(metrics) };
}

async function readObjectMetric(
  client: MetricsClient,
  { metric: { name, selector }, describedObject }: NonNullable<MetricSpec['object']>,
  { namespace, nowMs }: Asked,
): Promise<MetricReading> {
  const read = await client.objectMetric(name, namespace, describedObject, selects(selector), nowMs);
  if (read.status === 'measured') return { of: 'value', valueMilli: milliValue(read.value.value) };
  const described = `${describedObject.kind} ${namespace}/${describedObject.name}`;
  return nothing(`unable to get metric ${name}: ${CUSTOM}: ${read.message} on ${described}`);
}

async function readExternalMetric(
  client: MetricsClient,
  { metric: { name, selector } }: NonNullable<MetricSpec['external']>,
  { namespace, nowMs }: Asked,
): Promise<MetricReading> {
  const prefix = `unable to get external metric ${namespace}/${name}/${goSelectorText(selector)}`;
  const read = await client.externalMetric(name, namespace, selects(selector), nowMs);
  if (read.status === 'unavailable')
    return nothing(`${prefix}: unable to fetch metrics from external metrics API: ${read.message}`);
  if (read.value.length === 0) return nothing(`${prefix}: no metrics returned from external metrics API`);
  return { of: 'value', valueMilli: read.value.reduce((sum, { value }) => sum + milliValue(value), 0) };
}
