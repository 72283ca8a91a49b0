import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscalerSpec,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  ResourceMetricSource,
} from 'kubernetes-types/autoscaling/v2.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isPathSegmentName } from '../../../objects/nameFormats.ts';
import { parseQuantity } from '../../../objects/quantities/quantity.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  dnsLabel,
  enumOf,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
  quantity,
} from '../checks.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validateContainerResourceName } from '../resourceNames.ts';

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
  isPresent(averageValue) ? [] : [required(`${path}.averageValue`, 'must specify a positive target averageValue')],
);

/** A group and a version, or one of the core group. */
function apiVersionProblem(apiVersion: string, needsGroup: boolean): string | undefined {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 1 ? '' : parts[0];
  return needsGroup && group === '' ? 'apiVersion must specify API group' : undefined;
}

function apiVersionWith(needsGroup: boolean): Check {
  return (value, path) => {
    const problem = apiVersionProblem(textOf(value), needsGroup);
    return problem === undefined ? [] : [invalid(path, textOf(value), problem)];
  };
}

/** A reference to an object: kind and name are needed. */
function crossVersionReference(apiVersion: Check): Check {
  return fields({
    kind: nonEmptyText('', format(isPathSegmentName)),
    name: nonEmptyText('', format(isPathSegmentName)),
    apiVersion,
  });
}

const metric: Check = fields({ name: nonEmptyText('must specify a metric name', format(isPathSegmentName)) });
const resourceName = nonEmptyText('must specify a resource name');
const containerResourceName = nonEmptyText('must specify a resource name', (value, path) =>
  validateContainerResourceName(textOf(value), path),
);

const allowAll: Check = () => [];

/** The checks of each source, in the order in which Kubernetes looks for them. */
const sourcesWith = (objectVersion: Check) =>
  ({
    object: all(fields({ describedObject: crossVersionReference(objectVersion), metric, target }), valueOrAverage),
    external: all(fields({ metric, target }), oneTarget),
    pods: all(fields({ metric, target }), average),
    resource: all(fields({ name: resourceName, target }), utilizationOrAmount),
    containerResource: all(
      fields({ name: containerResourceName, container: nonEmptyText('must specify a container', dnsLabel), target }),
      utilizationOrAmount,
    ),
  }) satisfies Partial<Record<keyof MetricSpec, Check>>;

const SOURCE_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** The type of a metric names the one source that it has: `Resource` and `resource`. */
function metricSource(objectVersion: Check): Check {
  const sources = sourcesWith(objectVersion);
  return (value, path) => {
    const spec = fieldsOf<MetricSpec>(value);
    const type = textOf(spec.type);
    const expected = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
    const given = (Object.keys(sources) as (keyof typeof sources)[]).filter((source) => isPresent(spec[source]));
    const [first, ...rest] = given;
    const unknown = SOURCE_TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, SOURCE_TYPES)];
    const isMissing = unknown.length === 0 && !given.some((source) => source === expected);
    return [
      ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
      ...unknown,
      ...(first === undefined ? [] : sources[first](spec[first], `${path}.${first}`)),
      ...(isMissing ? [required(`${path}.${expected}`, 'must populate information for the given metric source')] : []),
      // Upstream looks at the type twice.
      ...unknown,
      ...(rest.length === 0 ? [] : given)
        .filter((source) => source !== expected)
        .map((source) => forbidden(`${path}.${source}`, 'must populate the given metric source only')),
    ];
  };
}

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
  tolerance: ifPresent(quantity),
});

const enoughReplicas: Check = (value, path) => {
  const { minReplicas, maxReplicas } = fieldsOf<HorizontalPodAutoscalerSpec>(value);
  if (!isPresent(minReplicas) || numberOf(maxReplicas) >= numberOf(minReplicas)) return [];
  return [invalid(`${path}.maxReplicas`, numberOf(maxReplicas), 'must be greater than or equal to `minReplicas`')];
};

const ZERO_SOURCES = ['Object', 'External'];

/** Only metrics of something else than the pods can tell that pods are needed again. */
const metricsForZero: Check = (value, path) => {
  const { minReplicas, metrics } = fieldsOf<HorizontalPodAutoscalerSpec>(value);
  if (minReplicas !== 0) return [];
  const isFine = itemsOf<MetricSpec>(metrics).some(({ type }) => ZERO_SOURCES.includes(textOf(type)));
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return isFine ? [] : [forbidden(`${path}.metrics`, detail)];
};

function specOf(object: KubernetesObject | undefined): Fields<HorizontalPodAutoscalerSpec> {
  return fieldsOf<HorizontalPodAutoscalerSpec>(object?.['spec']);
}

/** What an update leaves alone may have the version that it had. */
function targetVersion(object: KubernetesObject, old: KubernetesObject | undefined): Check {
  const [target, before] = [specOf(object), specOf(old)].map(({ scaleTargetRef }) =>
    fieldsOf<CrossVersionObjectReference>(scaleTargetRef),
  );
  const isKept = old !== undefined && target?.apiVersion === before?.apiVersion && target?.kind === before?.kind;
  return isKept ? allowAll : apiVersionWith(target?.kind !== 'ReplicationController');
}

function describedVersion(old: KubernetesObject | undefined): Check {
  const wasWrong = itemsOf<MetricSpec>(specOf(old).metrics).some(({ object }) => {
    const described = fieldsOf<CrossVersionObjectReference>(fieldsOf<ObjectMetricSource>(object).describedObject);
    return apiVersionProblem(textOf(described.apiVersion), false) !== undefined;
  });
  return wasWrong ? allowAll : apiVersionWith(false);
}

/** Returns the errors of an autoscaling/v2 HorizontalPodAutoscaler. `old` is absent for a new one. */
export function horizontalPodAutoscalerErrors(object: KubernetesObject, old?: KubernetesObject): FieldError[] {
  // Scaling to zero is alpha (HPAScaleToZero) up to Kubernetes 1.36: a server lets in 0 only where it is stored already. From 1.37 on it is on by default.
  const least = specOf(old).minReplicas === 0 ? 0 : 1;
  const spec = all(
    fields({
      minReplicas: ifPresent(atLeast(least, `must be greater than or equal to ${least}`)),
      maxReplicas: atLeast(1, 'must be greater than 0'),
    }),
    enoughReplicas,
    fields({
      scaleTargetRef: crossVersionReference(targetVersion(object, old)),
      metrics: items(metricSource(describedVersion(old))),
    }),
    metricsForZero,
    fields({ behavior: ifPresent(fields({ scaleUp: ifPresent(scalingRules), scaleDown: ifPresent(scalingRules) })) }),
  );
  return spec(object['spec'], 'spec');
}
