import type {
  HorizontalPodAutoscalerSpec,
  MetricSpec,
  MetricTarget,
  ResourceMetricSource,
} from 'kubernetes-types/autoscaling/v2.js';
import { isPathSegmentName } from '../../objects/nameFormats.ts';
import { parseQuantity } from '../../objects/quantity.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  enumOf,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
} from './checks.ts';
import { forbidden, invalid, notSupported, required } from './fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, numberOf, textOf } from './fieldsOf.ts';

const positiveQuantity: Check = (value, path) => {
  const quantity = parseQuantity(value);
  return quantity !== undefined && quantity.nanos > 0n ? [] : [invalid(path, value, 'must be positive')];
};

const targetType: Check = (value, path) =>
  ['Utilization', 'Value', 'AverageValue'].includes(textOf(value))
    ? []
    : [invalid(path, textOf(value), 'must be either Utilization, Value, or AverageValue')];

const target: Check = fields({
  type: all(nonEmptyText('must specify a metric target type'), targetType),
  value: ifPresent(positiveQuantity),
  averageValue: ifPresent(positiveQuantity),
  averageUtilization: ifPresent(atLeast(1, 'must be greater than 0')),
});

/** A rule about which of a target's values are set. */
function targetRule(errorsOf: (target: Fields<MetricTarget>, path: string) => ReturnType<Check>): Check {
  return (value, path) =>
    errorsOf(fieldsOf<MetricTarget>(fieldsOf<ResourceMetricSource>(value).target), `${path}.target`);
}

const utilizationOrAmount = targetRule(({ averageUtilization, averageValue }, path) => {
  if (!isPresent(averageUtilization) && !isPresent(averageValue))
    return [required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization')];
  if (!isPresent(averageUtilization) || !isPresent(averageValue)) return [];
  return [forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')];
});

const valueOrAverage = targetRule(({ value, averageValue }, path) =>
  isPresent(value) || isPresent(averageValue)
    ? []
    : [required(`${path}.averageValue`, 'must set either a target value or averageValue')],
);

const oneTarget = targetRule(({ value, averageValue }, path) => {
  if (!isPresent(value) && !isPresent(averageValue))
    return [required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target')];
  if (!isPresent(value) || !isPresent(averageValue)) return [];
  return [forbidden(`${path}.value`, 'may not set both a target value for metric and a per-pod target')];
});

const average = targetRule(({ averageValue }, path) =>
  positiveQuantity(averageValue, path).length === 0
    ? []
    : [required(`${path}.averageValue`, 'must specify a positive target averageValue')],
);

/** A reference to an object of any group: kind and name are needed. */
const crossVersionReference: Check = fields({
  kind: nonEmptyText('', format(isPathSegmentName)),
  name: nonEmptyText('', format(isPathSegmentName)),
});

const metric: Check = fields({ name: nonEmptyText('must specify a metric name', format(isPathSegmentName)) });
const resourceName = nonEmptyText('must specify a resource name');

/** The checks of each source, in the order in which Kubernetes looks for them. */
const SOURCES = {
  object: all(fields({ describedObject: crossVersionReference, metric, target }), valueOrAverage),
  external: all(fields({ metric, target }), oneTarget),
  pods: all(fields({ metric, target }), average),
  resource: all(fields({ name: resourceName, target }), utilizationOrAmount),
  containerResource: all(
    fields({ name: resourceName, container: nonEmptyText('must specify a container'), target }),
    utilizationOrAmount,
  ),
} satisfies Partial<Record<keyof MetricSpec, Check>>;

const SOURCE_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** The type of a metric names the one source that it has: `Resource` and `resource`. */
const metricSource: Check = (value, path) => {
  const spec = fieldsOf<MetricSpec>(value);
  const type = textOf(spec.type);
  const expected = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const isKnown = SOURCE_TYPES.includes(type);
  const given = (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).filter((source) => isPresent(spec[source]));
  const [first, ...rest] = given;
  const isMissing = isKnown && !given.some((source) => source === expected);
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...(isKnown ? [] : [notSupported(`${path}.type`, type, SOURCE_TYPES)]),
    ...(first === undefined ? [] : SOURCES[first](spec[first], `${path}.${first}`)),
    ...(isMissing ? [required(`${path}.${expected}`, 'must populate information for the given metric source')] : []),
    ...(rest.length === 0 && !isMissing
      ? []
      : given
          .filter((source) => source !== expected)
          .map((source) => forbidden(`${path}.${source}`, 'must populate the given metric source only'))),
  ];
};

const MAX_STABILIZATION_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const aboveZero = atLeast(1, 'must be greater than zero');

const scalingRules: Check = fields({
  stabilizationWindowSeconds: ifPresent(
    all(
      atLeast(0, 'must be greater than or equal to zero'),
      atMost(MAX_STABILIZATION_SECONDS, `must be less than or equal to ${MAX_STABILIZATION_SECONDS}`),
    ),
  ),
  selectPolicy: ifPresent(enumOf('Disabled', 'Max', 'Min')),
  policies: nonEmptyList(
    'must specify at least one Policy',
    items(
      fields({
        type: enumOf('Percent', 'Pods'),
        value: aboveZero,
        periodSeconds: all(
          aboveZero,
          atMost(MAX_PERIOD_SECONDS, `must be less than or equal to ${MAX_PERIOD_SECONDS}`),
        ),
      }),
    ),
  ),
});

const enoughReplicas: Check = (value, path) => {
  const { minReplicas, maxReplicas } = fieldsOf<HorizontalPodAutoscalerSpec>(value);
  if (!isPresent(minReplicas) || numberOf(maxReplicas) >= numberOf(minReplicas)) return [];
  return [invalid(`${path}.maxReplicas`, numberOf(maxReplicas), 'must be greater than or equal to `minReplicas`')];
};

/** Checks the spec of an autoscaling/v2 HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerSpec: Check = all(
  fields({
    minReplicas: ifPresent(atLeast(1, 'must be greater than or equal to 1')),
    maxReplicas: atLeast(1, 'must be greater than 0'),
  }),
  enoughReplicas,
  fields({
    scaleTargetRef: crossVersionReference,
    metrics: items(metricSource),
    behavior: ifPresent(fields({ scaleUp: ifPresent(scalingRules), scaleDown: ifPresent(scalingRules) })),
  }),
);
