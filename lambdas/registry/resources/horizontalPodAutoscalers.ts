import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricTarget,
  MetricValueStatus,
} from 'kubernetes-types/autoscaling/v2.js';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields, notNegative } from '../validation/checks.ts';
import { horizontalPodAutoscalerErrors } from '../validation/workloads/validateHorizontalPodAutoscaler.ts';
import { HORIZONTAL_POD_AUTOSCALER_VERSIONS } from '../versions/horizontalPodAutoscalerVersions.ts';

const UNKNOWN = '<unknown>';
/** The number of metrics that are shown; the rest are counted. */
const SHOWN = 2;

interface Source {
  readonly name?: string;
  readonly target?: MetricTarget;
  readonly current?: MetricValueStatus;
}

/** Returns the source that the type names: `containerResource` for `ContainerResource`. */
function sourceOf(metric: object | undefined, type: string): Source {
  const sources = (metric ?? {}) as Readonly<Record<string, Source | undefined>>;
  return sources[`${type.charAt(0).toLowerCase()}${type.slice(1)}`] ?? {};
}

function targetCell({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const texts = metrics.map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  const more = texts.length > SHOWN ? ` + ${texts.length - SHOWN} more...` : '';
  return `${texts.slice(0, SHOWN).join(', ')}${more}`;
}

/** Prints the current and the wanted value: `cpu: 12%/80%`, `3/10 (avg)`. */
function metricText(metric: MetricSpec, status: object | undefined): string {
  const { type } = metric;
  const { name, target } = sourceOf(metric, type);
  const { current } = sourceOf(status, type);
  const isResource = type === 'Resource' || type === 'ContainerResource';
  if (isResource) return `${name}: ${resourceText(target, current)}`;
  if (target?.averageValue === undefined) return `${current?.value ?? UNKNOWN}/${target?.value ?? UNKNOWN}`;
  const text = `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  return type === 'Pods' ? text : `${text} (avg)`;
}

function resourceText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  const percent = (value: number | undefined, absent: string) => (value === undefined ? absent : `${value}%`);
  return `${percent(current?.averageUtilization, UNKNOWN)}/${percent(target?.averageUtilization, '<auto>')}`;
}

export const horizontalPodAutoscalers = defineResource({
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  storageVersion: 'v2',
  versions: HORIZONTAL_POD_AUTOSCALER_VERSIONS,
  checkStatus: fields({ currentReplicas: notNegative, desiredReplicas: notNegative }),
  strategy: {
    validate: (object) => horizontalPodAutoscalerErrors(object),
    validateUpdate: (object, old) => horizontalPodAutoscalerErrors(object, old),
  },
  table: tableOf<HorizontalPodAutoscaler>(
    nameCell,
    cell('Reference', 'What it scales.', ({ spec }) => `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`),
    cell('Targets', 'The current and the wanted values of its metrics.', targetCell),
    cell('MinPods', 'The smallest number of pods.', ({ spec }) => String(spec?.minReplicas ?? '<unset>')),
    cell('MaxPods', 'The largest number of pods.', ({ spec }) => String(spec?.maxReplicas ?? 0)),
    cell('Replicas', 'How many pods there are.', ({ status }) => String(status?.currentReplicas ?? 0)),
    ageCell,
  ),
});
