import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import {
  childDraft,
  type Draft,
  fillAbsent,
  fillZero,
  isDraft,
  itemDrafts,
  presentDraft,
} from '../defaulting/drafts.ts';
import type { ServedVersion } from '../ResourceEntry.ts';

const DEFAULT_UTILIZATION_PERCENT = 80;
const PERIOD_SECONDS = 15;
const SCALE_UP_POLICIES = [
  { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS },
  { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS },
];
const SCALE_DOWN_POLICIES = [{ type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS }];

/** Fills in the defaults of autoscaling/v2: 80 % of the requested CPU if there is no metric, and complete rules if there are any. */
function applyV2Defaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  fillAbsent(spec, 'minReplicas', 1);
  if (itemDrafts(spec, 'metrics').length === 0) spec['metrics'] = [cpuMetric(DEFAULT_UTILIZATION_PERCENT)];
  const behavior = presentDraft(spec, 'behavior');
  if (!behavior) return;
  const up = childDraft(behavior, 'scaleUp');
  fillAbsent(up, 'stabilizationWindowSeconds', 0);
  fillRules(up, SCALE_UP_POLICIES);
  fillRules(childDraft(behavior, 'scaleDown'), SCALE_DOWN_POLICIES);
}

function fillRules(rules: Draft, policies: readonly object[]): void {
  fillZero(rules, 'selectPolicy', 'Max');
  if (itemDrafts(rules, 'policies').length === 0) rules['policies'] = structuredClone(policies);
}

function cpuMetric(averageUtilization: unknown): Draft {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** The annotations in which autoscaling/v1 carries what it has no fields for. */
const ANNOTATIONS = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

/** Where autoscaling/v1 has the parts of a metric, by source, as `v1 name: path in v2`. */
const METRIC_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  object: {
    target: 'describedObject',
    metricName: 'metric.name',
    selector: 'metric.selector',
    targetValue: 'target.value',
    averageValue: 'target.averageValue',
    currentValue: 'current.value',
  },
  pods: {
    metricName: 'metric.name',
    selector: 'metric.selector',
    targetAverageValue: 'target.averageValue',
    currentAverageValue: 'current.averageValue',
  },
  resource: {
    name: 'name',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
  },
  containerResource: {
    name: 'name',
    container: 'container',
    targetAverageUtilization: 'target.averageUtilization',
    targetAverageValue: 'target.averageValue',
    currentAverageUtilization: 'current.averageUtilization',
    currentAverageValue: 'current.averageValue',
  },
  external: {
    metricName: 'metric.name',
    metricSelector: 'metric.selector',
    targetValue: 'target.value',
    targetAverageValue: 'target.averageValue',
    currentValue: 'current.value',
    currentAverageValue: 'current.averageValue',
  },
};

/** Rebuilds a metric: each field is read at one path and written at another. `toV2` says which of the two is v1's. */
function convertMetric(metric: Draft, toV2: boolean): Draft {
  const converted: Draft = { type: metric['type'] };
  for (const [source, names] of Object.entries(METRIC_FIELDS)) {
    const given = presentDraft(metric, source);
    if (!given) continue;
    const rebuilt = childDraft(converted, source);
    for (const [v1, v2] of Object.entries(names)) {
      const [from, to] = toV2 ? [v1, v2] : [v2, v1];
      writeAt(rebuilt, to.split('.'), readAt(given, from.split('.')));
    }
    if (toV2) nameTargetType(rebuilt);
  }
  return converted;
}

function readAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, member) => (isDraft(at) ? at[member] : undefined), value);
}

/** A field that one form lacks, such as the current values of a spec, is left out. */
function writeAt(draft: Draft, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (rest.length === 0) draft[first] = value;
  else writeAt(childDraft(draft, first), rest, value);
}

function nameTargetType(source: Draft): void {
  const target = presentDraft(source, 'target');
  if (!target) return;
  if (target['averageUtilization'] !== undefined) target['type'] = 'Utilization';
  else target['type'] = target['value'] === undefined ? 'AverageValue' : 'Value';
}

function isCpu(metric: Draft): boolean {
  const resource = presentDraft(metric, 'resource');
  return metric['type'] === 'Resource' && resource?.['name'] === 'cpu' && utilizationOf(metric) !== undefined;
}

/** The wanted or the current utilization of a metric. */
function utilizationOf(metric: Draft): unknown {
  const resource = presentDraft(metric, 'resource') ?? {};
  return readAt(resource, ['target', 'averageUtilization']) ?? readAt(resource, ['current', 'averageUtilization']);
}

/** Reads a list or an object from an annotation and removes the annotation. Returns `undefined` if its text is neither. */
function takeAnnotation(draft: KubernetesObject, name: string): unknown {
  const { annotations } = draft.metadata;
  const text = annotations?.[name];
  if (!annotations || text === undefined) return undefined;
  delete annotations[name];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function takeMetrics(draft: KubernetesObject, name: string): Draft[] {
  const list = takeAnnotation(draft, name);
  return (Array.isArray(list) ? list : []).filter(isDraft).map((metric) => convertMetric(metric, true));
}

/** Converts autoscaling/v1 to v2: the CPU utilization is the first metric, the others come from annotations. Changes the draft. */
function toV2(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  const percent = spec['targetCPUUtilizationPercentage'];
  const metrics = takeMetrics(draft, ANNOTATIONS.metrics);
  if (percent !== undefined && percent !== null) metrics.unshift(cpuMetric(percent));
  if (metrics.length > 0) spec['metrics'] = metrics;
  delete spec['targetCPUUtilizationPercentage'];
  const behavior = takeAnnotation(draft, ANNOTATIONS.behavior);
  if (behavior !== undefined) spec['behavior'] = behavior;
  statusToV2(draft);
}

function statusToV2(draft: KubernetesObject): void {
  const metrics = takeMetrics(draft, ANNOTATIONS.currentMetrics);
  const conditions = takeAnnotation(draft, ANNOTATIONS.conditions);
  const status = presentDraft(draft, 'status');
  if (!status) return;
  const averageUtilization = status['currentCPUUtilizationPercentage'];
  if (averageUtilization !== undefined)
    metrics.unshift({ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } });
  delete status['currentCPUUtilizationPercentage'];
  if (metrics.length > 0) status['currentMetrics'] = metrics;
  if (conditions !== undefined) status['conditions'] = conditions;
}

function annotate(draft: KubernetesObject, name: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
  draft.metadata.annotations = { ...draft.metadata.annotations, [name]: JSON.stringify(value) };
}

/** Converts autoscaling/v2 to v1. Changes the draft. */
function fromV2(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  moveMetrics(draft, spec, { list: 'metrics', percent: 'targetCPUUtilizationPercentage', name: ANNOTATIONS.metrics });
  annotate(draft, ANNOTATIONS.behavior, spec['behavior']);
  delete spec['behavior'];
  const status = presentDraft(draft, 'status');
  if (!status) return;
  const names = { percent: 'currentCPUUtilizationPercentage', name: ANNOTATIONS.currentMetrics };
  moveMetrics(draft, status, { list: 'currentMetrics', ...names });
  annotate(draft, ANNOTATIONS.conditions, status['conditions']);
  delete status['conditions'];
}

/** Moves the utilization of the CPU to its field, and the other metrics to an annotation. */
function moveMetrics(
  draft: KubernetesObject,
  parent: Draft,
  { list, percent, name }: { readonly list: string; readonly percent: string; readonly name: string },
): void {
  const metrics = itemDrafts(parent, list);
  const cpu = metrics.find(isCpu);
  if (cpu) parent[percent] = utilizationOf(cpu);
  delete parent[list];
  annotate(
    draft,
    name,
    metrics.filter((metric) => metric !== cpu).map((metric) => convertMetric(metric, false)),
  );
}

/** autoscaling/v2 is stored. autoscaling/v1 has only the CPU, and carries the rest in annotations. */
export const HORIZONTAL_POD_AUTOSCALER_VERSIONS: readonly ServedVersion[] = [
  { version: 'v2', applyDefaults: applyV2Defaults },
  { version: 'v1', toStorage: toV2, fromStorage: fromV2 },
];
