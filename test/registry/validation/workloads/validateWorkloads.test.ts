import { describe, expect, it } from 'vitest';
import { type FieldError, fieldErrorMessage } from '../../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import { applyDeploymentDefaults } from '../../../../lambdas/registry/resources/deployments.ts';
import { applyReplicationControllerDefaults } from '../../../../lambdas/registry/resources/replicationControllers.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from '../../../../lambdas/registry/validation/workloads/validateDeployment.ts';
import {
  validateReplicaSet,
  validateReplicaSetStatusUpdate,
  validateReplicaSetUpdate,
} from '../../../../lambdas/registry/validation/workloads/validateReplicaSet.ts';
import { validateReplicationController } from '../../../../lambdas/registry/validation/workloads/validateReplicationController.ts';

type Changes = Readonly<Record<string, unknown>>;

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};

function workload(spec: Changes, parts: Changes = {}): KubernetesObject {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec },
    ...parts,
  };
  return structuredClone(object) as unknown as KubernetesObject;
}

function deployment(spec: Changes, parts: Changes = {}): KubernetesObject {
  const draft = workload(spec, parts);
  applyDeploymentDefaults(draft);
  return draft;
}

const messages = (errors: readonly FieldError[]) => errors.map(fieldErrorMessage);
const fields = (errors: readonly FieldError[]) => errors.map(({ field, type, detail }) => [field, type, detail]);
const rolling = (rollingUpdate: Changes) => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });

// Rows follow ValidateDeploymentSpec, ValidateDeploymentStrategy and ValidateRollingUpdateDeployment of pkg/apis/apps/validation.
describe('validateDeployment', () => {
  it.each<[string, Changes, string[]]>([
    ['a minimal Deployment (valid)', {}, []],
    ['zero replicas (valid)', { replicas: 0 }, []],
    ['negative replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [
      'an unknown strategy type',
      { strategy: { type: 'Magic' } },
      ['spec.strategy FieldValueNotSupported supported values: "Recreate", "RollingUpdate"'],
    ],
    [
      'rollingUpdate with Recreate',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    ['Recreate alone (valid)', { strategy: { type: 'Recreate' } }, []],
    [
      'maxSurge and maxUnavailable both 0',
      rolling({ maxSurge: 0, maxUnavailable: 0 }),
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      'maxSurge and maxUnavailable both 0%',
      rolling({ maxSurge: '0%', maxUnavailable: '0%' }),
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
    ],
    [
      'more than 100% unavailable',
      rolling({ maxUnavailable: '101%' }),
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    ['a surge above 100% (valid)', rolling({ maxSurge: '250%' }), []],
    [
      'a surge that is no percentage',
      rolling({ maxSurge: 'some' }),
      [
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"some\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      'a negative surge',
      rolling({ maxSurge: -1 }),
      ['spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a progress deadline before a pod can be available',
      { minReadySeconds: 600 },
      ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
    ],
    [
      'negative seconds',
      { minReadySeconds: -1 },
      ['spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
    ],
    ['a history of none (valid)', { revisionHistoryLimit: 0 }, []],
    [
      'a negative history',
      { revisionHistoryLimit: -1 },
      ['spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a restart policy with which pods end',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      'pods with an active deadline',
      { template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } } },
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
    ],
    ['no containers', { template: { ...template, spec: {} } }, ['spec.template.spec.containers: Required value']],
  ])('gives the errors of Kubernetes for %s', (_, spec, expected) => {
    const errors = validateDeployment(deployment(spec));
    const plain = errors.map((error, index) =>
      expected[index]?.includes(': ') && !expected[index]?.includes('FieldValue')
        ? fieldErrorMessage(error)
        : `${error.field} ${error.type} ${error.detail}`,
    );
    expect(plain).toEqual(expected);
  });
});

// Rows follow ValidateLabelSelector and ValidatePodTemplateSpecForReplicaSet.
describe('the selector of a Deployment', () => {
  const mismatch = [
    'spec.template.metadata.labels',
    'FieldValueInvalid',
    '`selector` does not match template `labels`',
  ];
  it.each<[string, unknown, (readonly string[])[]]>([
    ['selects the template (valid)', { matchLabels: { app: 'web' } }, []],
    ['is missing', undefined, [['spec.selector', 'FieldValueRequired', ''], mismatch]],
    ['is empty', {}, [['spec.selector', 'FieldValueInvalid', 'empty selector is invalid for deployment']]],
    ['selects something else', { matchLabels: { app: 'db' } }, [mismatch]],
    ['is by expression (valid)', { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }, []],
    [
      'has an unknown operator',
      { matchExpressions: [{ key: 'app', operator: 'Like', values: ['w*'] }] },
      [
        ['spec.selector.matchExpressions[0].operator', 'FieldValueInvalid', 'not a valid selector operator'],
        [
          'spec.selector.matchExpressions[0].values[0]',
          'FieldValueInvalid',
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        ],
        ['spec.selector', 'FieldValueInvalid', 'invalid label selector'],
      ],
    ],
    [
      'names no values',
      { matchExpressions: [{ key: 'app', operator: 'In' }] },
      [
        [
          'spec.selector.matchExpressions[0].values',
          'FieldValueRequired',
          "must be specified when `operator` is 'In' or 'NotIn'",
        ],
        ['spec.selector', 'FieldValueInvalid', 'invalid label selector'],
      ],
    ],
    [
      'names values for an operator without values',
      { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['web'] }] },
      [
        [
          'spec.selector.matchExpressions[0].values',
          'FieldValueForbidden',
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ],
        ['spec.selector', 'FieldValueInvalid', 'invalid label selector'],
      ],
    ],
  ])('that %s gives the errors of Kubernetes', (_, selector, expected) => {
    expect(fields(validateDeployment(deployment({ selector })))).toEqual(expected);
    expect(fields(validateReplicaSet(deployment({ selector })))).toEqual(expected);
  });

  it('cannot change, neither for Deployments nor for ReplicaSets', () => {
    const labels = { app: 'web', tier: 'front' };
    const old = deployment({ template: { ...template, metadata: { labels } } });
    const changed = deployment({
      selector: { matchLabels: labels },
      template: { ...template, metadata: { labels } },
    });
    for (const validate of [validateDeploymentUpdate, validateReplicaSetUpdate]) {
      expect(fields(validate(changed, old))).toEqual([['spec.selector', 'FieldValueInvalid', 'field is immutable']]);
      expect(validate(old, old)).toEqual([]);
    }
  });
});

describe('the counts of a status', () => {
  const over = 'cannot be greater than status.replicas';
  it.each<[string, Changes, Changes, string[]]>([
    ['an empty status (valid)', {}, {}, []],
    [
      'all replicas available (valid)',
      { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
      {},
      [],
    ],
    [
      'more updated than replicas',
      { replicas: 1, updatedReplicas: 2 },
      {},
      [`status.updatedReplicas: Invalid value: 2: ${over}`],
    ],
    [
      'more available than ready',
      { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
      {},
      ['status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas'],
    ],
    [
      'a negative count',
      { unavailableReplicas: -1 },
      {},
      ['status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'a smaller collision count',
      { collisionCount: 1 },
      { collisionCount: 2 },
      ['status.collisionCount: Invalid value: 1: cannot be decremented'],
    ],
    [
      'a removed collision count',
      {},
      { collisionCount: 2 },
      ['status.collisionCount: Invalid value: 0: cannot be decremented'],
    ],
    ['a larger collision count (valid)', { collisionCount: 3 }, { collisionCount: 2 }, []],
  ])('give the errors of Kubernetes for %s', (_, status, oldStatus, expected) => {
    const errors = validateDeploymentStatusUpdate(deployment({}, { status }), deployment({}, { status: oldStatus }));
    expect(messages(errors)).toEqual(expected);
  });

  it('of a ReplicaSet include its fully labelled pods', () => {
    const status = { replicas: 1, fullyLabeledReplicas: 2 };
    const object = workload({}, { status });
    expect(messages(validateReplicaSetStatusUpdate(object, object))).toEqual([
      `status.fullyLabeledReplicas: Invalid value: 2: ${over}`,
    ]);
  });
});

// Rows follow ValidateReplicationControllerSpec.
describe('validateReplicationController', () => {
  it.each<[string, Changes, string[]]>([
    ['a template that is selected by default (valid)', { template }, []],
    ['no template', { selector: { app: 'web' } }, ['spec.template FieldValueRequired']],
    ['a template without labels', { template: { spec: template.spec } }, ['spec.selector FieldValueRequired']],
    ['another selector', { template, selector: { app: 'db' } }, ['spec.template.metadata.labels FieldValueInvalid']],
    ['negative replicas', { template, replicas: -2 }, ['spec.replicas FieldValueInvalid']],
  ])('gives the errors of Kubernetes for %s', (_, spec, expected) => {
    const draft = { ...workload({}), spec: structuredClone(spec) };
    applyReplicationControllerDefaults(draft);
    expect(validateReplicationController(draft).map(({ field, type }) => `${field} ${type}`)).toEqual(expected);
  });
});
