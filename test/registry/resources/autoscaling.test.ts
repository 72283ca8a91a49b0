import { describe, expect, test } from 'vitest';
import { horizontalPodAutoscalers } from '../../../lambdas/registry/resources/horizontalPodAutoscalers.ts';
import { HORIZONTAL_POD_AUTOSCALER_VERSIONS } from '../../../lambdas/registry/versions/horizontalPodAutoscalerVersions.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const hpa = (spec: Members = {}): Members => ({ spec: { scaleTargetRef, maxReplicas: 5, ...spec } });
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

describe('a HorizontalPodAutoscaler', () => {
  test('gets the defaults of autoscaling/v2', () => {
    expect(objectOf(horizontalPodAutoscalers, hpa({ behavior: {} }))['spec']).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [cpu(80)],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 15 },
            { type: 'Percent', value: 100, periodSeconds: 15 },
          ],
        },
        scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    });
  });

  // The rows follow pkg/apis/autoscaling/validation.
  test.each<[string, Members, string[]]>([
    ['with the defaults (valid)', hpa(), []],
    [
      'without a target and a size',
      { spec: {} },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Required value',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      'with no pods',
      hpa({ minReplicas: 0 }),
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      'with a metric of an unknown type',
      hpa({ metrics: [{ type: 'Mood' }] }),
      Array<string>(2).fill(
        'spec.metrics[0].type: Unsupported value: "Mood": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ),
    ],
    [
      'with a metric without its source',
      hpa({ metrics: [{ type: 'Pods', resource: cpu(50).resource }] }),
      ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
    ],
    [
      'with a metric of two sources',
      hpa({ metrics: [{ ...cpu(50), pods: { metric: { name: 'rps' }, target: { type: 'AverageValue' } } }] }),
      [
        'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
        'spec.metrics[0].pods: Forbidden: must populate the given metric source only',
      ],
    ],
    [
      'with an average of nothing',
      hpa({
        metrics: [
          { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '0' } } },
        ],
      }),
      ['spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive'],
    ],
    [
      'by the resource of a container that containers do not have',
      hpa({
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: { name: 'pods', container: 'A', target: { type: 'Utilization', averageUtilization: 0 } },
          },
        ],
      }),
      [
        'spec.metrics[0].containerResource.name: Invalid value: "pods": must be a standard resource for containers',
        `spec.metrics[0].containerResource.container: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
        'spec.metrics[0].containerResource.target.averageUtilization: Invalid value: 0: must be greater than 0',
      ],
    ],
    [
      'by the resource of a container (valid)',
      hpa({
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'example.com/gpu',
              container: 'a',
              target: { type: 'AverageValue', averageValue: '2' },
            },
          },
        ],
      }),
      [],
    ],
    [
      'by the resource of a container, unnamed',
      hpa({ metrics: [{ type: 'ContainerResource', containerResource: {} }] }),
      [
        'spec.metrics[0].containerResource.name: Required value: must specify a resource name',
        'spec.metrics[0].containerResource.container: Required value: must specify a container',
        'spec.metrics[0].containerResource.target.type: Required value: must specify a metric target type',
        'spec.metrics[0].containerResource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        'spec.metrics[0].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      ],
    ],
    [
      'for a Deployment of no group',
      hpa({ scaleTargetRef: { ...scaleTargetRef, apiVersion: 'v1' } }),
      ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group'],
    ],
    [
      'for a version of too many parts',
      hpa({ scaleTargetRef: { ...scaleTargetRef, apiVersion: 'a/b/c' } }),
      ['spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'for a ReplicationController (valid)',
      hpa({ scaleTargetRef: { kind: 'ReplicationController', name: 'web', apiVersion: 'v1' } }),
      [],
    ],
    [
      'that tolerates less than nothing',
      hpa({ behavior: { scaleUp: { tolerance: '-1' } } }),
      ['spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'with two targets',
      hpa({
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5, averageValue: '1' } },
          },
        ],
      }),
      [
        'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
      ],
    ],
    [
      'with no target',
      hpa({ metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Odd' } } }] }),
      [
        'spec.metrics[0].external.target.type: Invalid value: "Odd": must be either Utilization, Value, or AverageValue',
        'spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target',
      ],
    ],
    [
      'with rules out of range',
      hpa({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 3601, policies: [{ type: 'Odd', value: 0, periodSeconds: 1801 }] },
        },
      }),
      [
        'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Odd": supported values: "Percent", "Pods"',
        'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(horizontalPodAutoscalers, members)).toEqual(messages);
  });

  test('an update tolerates what was there before', () => {
    const old = hpa({ scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 0 });
    const metrics = [{ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '1' } } }];
    expect(updateErrors(horizontalPodAutoscalers, { spec: { ...(old['spec'] as Members), metrics } }, old)).toEqual([]);
  });

  test('is printed', () => {
    const status = { currentReplicas: 2, currentMetrics: [{ resource: { current: { averageUtilization: 12 } } }] };
    const pods = { type: 'Pods', pods: { metric: { name: 'rps' }, target: { averageValue: '10' } } };
    const object = { type: 'Object', object: { target: { value: '7' } } };
    expect(rowOf(horizontalPodAutoscalers, { ...hpa({ metrics: [cpu(80), pods, object] }), status })).toEqual({
      Name: 'x',
      Reference: 'Deployment/web',
      Targets: 'cpu: 12%/80%, <unknown>/10 + 1 more...',
      MinPods: '1',
      MaxPods: '5',
      Replicas: '2',
      Age: '60s',
    });
  });
});

describe('autoscaling/v1', () => {
  const [, v1] = HORIZONTAL_POD_AUTOSCALER_VERSIONS;

  test('has the utilization of the CPU as a field', () => {
    const draft = objectOf(horizontalPodAutoscalers, {});
    draft['spec'] = { scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 60 };
    v1?.toStorage?.(draft);
    expect(draft['spec']).toEqual({ scaleTargetRef, maxReplicas: 5, metrics: [cpu(60)] });
    v1?.fromStorage?.(draft);
    expect(draft['spec']).toEqual({ scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 60 });
  });

  test('carries everything else in annotations, and loses nothing', () => {
    const metric = { name: 'queue', selector: { matchLabels: { a: 'b' } } };
    const members = {
      ...hpa({
        minReplicas: 2,
        metrics: [
          cpu(70),
          { type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '30' } } },
        ],
        behavior: {},
      }),
      status: {
        currentReplicas: 1,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9 } } }],
        conditions: [{ type: 'AbleToScale', status: 'True' }],
      },
    };
    const draft = objectOf(horizontalPodAutoscalers, members, { annotations: { own: 'kept' } });
    const before = structuredClone(draft);
    v1?.fromStorage?.(draft);
    expect(draft['status']).toEqual({ currentReplicas: 1, currentCPUUtilizationPercentage: 9 });
    expect(draft.metadata.annotations).toMatchObject({
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"External","external":{"metricName":"queue","metricSelector":{"matchLabels":{"a":"b"}},"targetAverageValue":"30"}}]',
      'autoscaling.alpha.kubernetes.io/conditions': '[{"type":"AbleToScale","status":"True"}]',
    });
    v1?.toStorage?.(draft);
    expect(draft).toEqual(before);
  });
});
