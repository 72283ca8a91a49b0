import { ApiError } from '../../objects/ApiError.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { LabelPredicate } from '../../objects/selectors/labelSelector.ts';
import { matchesRequirements } from '../../objects/selectors/labelRequirement.ts';
import { parseLabelSelector } from '../../objects/selectors/parseLabelSelector.ts';
import { formatQuantity } from '../../objects/quantities/quantity.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Measured, ObjectMetricValue } from '../../ports/MetricsClient.ts';
import { groupVersionOf } from '../../registry/versions/convertVersion.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import type { ApiDependencies } from '../request/ResourceRequest.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';
import { respondValue } from '../response/respond.ts';
import type { ServedResource } from '../ServedGroup.ts';
import { EXTERNAL_METRICS } from './metricsGroups.ts';
import { metricsOf } from './metricsOf.ts';

/** A request for the values of a metric. */
interface MetricRequest {
  readonly raw: Request;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly dependencies: ApiDependencies;
}

/**
 * Answers a get of `custom.metrics.k8s.io` (`…/namespaces/NS/pods/*` and a metric's name, `…/namespaces/NS/services/NAME/METRIC`, `…/namespaces/NS/metrics/METRIC`, `…/nodes/NAME/METRIC`) and of `external.metrics.k8s.io` (`…/namespaces/NS/METRIC`), as a
 * metrics adapter does.
 */
export async function serveMetricValues(request: MetricRequest): Promise<Response> {
  const { raw, info } = request;
  if (raw.method !== 'GET' && raw.method !== 'HEAD') throw methodNotAllowed();
  const isExternal = info.group === EXTERNAL_METRICS;
  const items = isExternal ? await externalValues(request) : await customValues(request);
  const kind = isExternal ? 'ExternalMetricValueList' : 'MetricValueList';
  return respondValue(raw, { kind, apiVersion: groupVersionOf(info.group, info.version), metadata: {}, items });
}

async function externalValues({ info, query, dependencies }: MetricRequest): Promise<readonly object[]> {
  const { resource: metric, namespace, name } = info;
  if (metric === '' || name !== '') throw unknownResource();
  const nowMs = dependencies.clock.now();
  const selects = predicateOf(query, 'labelSelector');
  const read = await metricsOf({ dependencies }).externalMetric(metric, namespace, selects, nowMs);
  return valueOf(read).map(({ metricLabels, timestampMs, value }) => ({
    metricName: metric,
    metricLabels,
    timestamp: formatTime(timestampMs),
    value: formatQuantity(value),
  }));
}

/** `/namespaces/NS/metrics/METRIC` is about the namespace itself. */
async function customValues(request: MetricRequest): Promise<readonly object[]> {
  const { namespace, resource, name, subresource: metric, rest } = request.info;
  if (resource === 'metrics' && namespace !== '' && name !== '' && metric === '')
    return await valuesOfObject(request, { apiVersion: 'v1', kind: 'Namespace', name: namespace }, name);
  if (metric === '' || rest.length > 0) throw unknownResource();
  const served = await findResource(request);
  if (!served || (served.entry.namespaced && namespace === '')) throw unknownResource();
  if (served.entry.groupResource === 'pods') return await valuesOfPods(request, metric);
  const { apiVersion, entry } = served;
  const names = name === '*' ? await selectedNames(request, served) : [name];
  const found = await Promise.all(
    names.map((one) =>
      valuesOfObject(request, { apiVersion, kind: entry.kind, name: one }, metric).catch((error: unknown) => {
        if (name === '*' && error instanceof ApiError && error.reason === 'NotFound') return [];
        throw error;
      }),
    ),
  );
  return found.flat();
}

async function valuesOfPods({ info, query, dependencies }: MetricRequest, metric: string): Promise<readonly object[]> {
  const { registry, clock } = dependencies;
  const { items: pods } = await registry.list<Pod>('pods', { namespace: info.namespace });
  const selects = predicateOf(query, 'metricLabelSelector');
  const read = await metricsOf({ dependencies }).podMetric(metric, pods, selects, clock.now());
  const byName = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  const isSelected = predicateOf(query, 'labelSelector');
  const values = valueOf(read).filter(({ objectName }) =>
    info.name === '*' ? isSelected(byName.get(objectName)?.metadata.labels) : objectName === info.name,
  );
  if (values.length === 0 && info.name !== '*')
    throw new ApiError('NotFound', `the server could not find the metric ${metric} for pods ${info.name}`);
  return values.map((value) => itemOf({ apiVersion: 'v1', kind: 'Pod', name: '' }, info.namespace, metric, value));
}

interface Described {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

async function valuesOfObject(
  { info: { namespace }, query, dependencies }: MetricRequest,
  described: Described,
  metric: string,
): Promise<readonly object[]> {
  const client = metricsOf({ dependencies });
  const selects = predicateOf(query, 'metricLabelSelector');
  const read = await client.objectMetric(metric, namespace, described, selects, dependencies.clock.now());
  return [itemOf(described, described.kind === 'Namespace' ? '' : namespace, metric, valueOf(read))];
}

function itemOf({ apiVersion, kind }: Described, namespace: string, metric: string, value: ObjectMetricValue) {
  return {
    describedObject: { kind, ...(namespace !== '' && { namespace }), name: value.objectName, apiVersion },
    metric: { name: metric, selector: null },
    timestamp: formatTime(value.timestampMs),
    windowSeconds: value.windowMs / 1_000,
    value: formatQuantity(value.value),
  };
}

/** Finds what `deployments.apps` or `services` in the path names, in the version that clients prefer. */
async function findResource({ info, dependencies }: MetricRequest): Promise<ServedResource | undefined> {
  const [plural = '', ...group] = info.resource.split('.');
  const groups = await dependencies.served.groups();
  const found = groups.find((one) => one.group === group.join('.'));
  const resources = found?.versions.flatMap((version) => version.resources) ?? [];
  return resources.find(({ entry }) => entry.plural === plural && entry.virtual !== true);
}

async function selectedNames(
  { info: { namespace }, query, dependencies }: MetricRequest,
  { entry }: ServedResource,
): Promise<readonly string[]> {
  const options = entry.namespaced ? { namespace } : {};
  const { items } = await dependencies.registry.list(entry.groupResource, options);
  const isSelected = predicateOf(query, 'labelSelector');
  return items.filter(({ metadata }) => isSelected(metadata.labels)).map(({ metadata }) => metadata.name);
}

function predicateOf(query: URLSearchParams, name: string): LabelPredicate {
  const requirements = parseLabelSelector(query.get(name) ?? '');
  return (labels) => matchesRequirements(requirements, labels);
}

function valueOf<T>(measured: Measured<T>): T {
  if (measured.status === 'measured') return measured.value;
  throw new ApiError('NotFound', measured.message);
}
