import { describe, expect, test } from 'vitest';
import { controllerRevisions } from '../../../lambdas/registry/resources/controllerRevisions.ts';
import { daemonSets } from '../../../lambdas/registry/resources/daemonSets.ts';
import { statefulSets } from '../../../lambdas/registry/resources/statefulSets.ts';
import { createErrors, objectOf, rowOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
const workload = (spec: Members = {}): Members => ({ spec: { selector, template, ...spec } });

describe('a StatefulSet', () => {
  test('gets the defaults of apps/v1', () => {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
    expect(objectOf(statefulSets, workload({ volumeClaimTemplates: [claim] }))['spec']).toMatchObject({
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      template: { spec: { restartPolicy: 'Always' } },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          spec: { volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    });
    expect(objectOf(statefulSets, workload({ updateStrategy: { type: 'OnDelete' } }))['spec']).toMatchObject({
      updateStrategy: { type: 'OnDelete' },
    });
  });

  // The rows follow ValidateStatefulSetSpec of pkg/apis/apps/validation.
  test.each<[string, Members, string[]]>([
    ['with the defaults (valid)', workload(), []],
    [
      'with negative numbers',
      workload({ replicas: -1, ordinals: { start: -1 } }),
      [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'with an unknown policy',
      workload({ podManagementPolicy: 'Chaos' }),
      [`spec.podManagementPolicy: Invalid value: "Chaos": must be 'OrderedReady' or 'Parallel'`],
    ],
    [
      'with a rolling update on deletion',
      workload({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
      [
        `spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy 'RollingUpdate'`,
      ],
    ],
    [
      'with an unknown strategy',
      workload({ updateStrategy: { type: 'Magic' } }),
      [`spec.updateStrategy: Invalid value: {"type":"Magic"}: must be 'RollingUpdate' or 'OnDelete'`],
    ],
    ['without a selector', workload({ selector: undefined }), ['spec.selector: Required value']],
    [
      'with an empty selector',
      workload({ selector: {} }),
      ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
    ],
    [
      'with a selector of other pods',
      workload({ selector: { matchLabels: { app: 'db' } } }),
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'whose pods end',
      workload({
        template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } },
      }),
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(statefulSets, members)).toEqual(messages);
  });

  test('changes only in the fields that may change', () => {
    expect(updateErrors(statefulSets, workload({ replicas: 3, minReadySeconds: 5 }), workload())).toEqual([]);
    expect(updateErrors(statefulSets, workload({ serviceName: 'other' }), workload())).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });

  test('has a consistent status', () => {
    expect(statusErrors(statefulSets, { replicas: 1, readyReplicas: 2, availableReplicas: 1 })).toEqual([
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ]);
  });

  test('is printed and can be scaled', () => {
    const object = objectOf(statefulSets, { ...workload({ replicas: 3 }), status: { replicas: 2, readyReplicas: 1 } });
    expect(rowOf(statefulSets, object)).toEqual({
      Name: 'x',
      Ready: '1/3',
      Age: '60s',
      Containers: 'web',
      Images: 'nginx:1',
    });
    expect(statefulSets.scale?.replicas(object)).toEqual({ spec: 3, status: 2, selector: 'app=web' });
  });
});

describe('a DaemonSet', () => {
  test('gets the defaults of apps/v1', () => {
    expect(objectOf(daemonSets, workload())['spec']).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    });
  });

  test.each<[string, Members, string[]]>([
    ['with the defaults (valid)', workload(), []],
    [
      'with an empty selector',
      workload({ selector: {} }),
      ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
    ],
    [
      'with an unknown strategy',
      workload({ updateStrategy: { type: 'Magic' } }),
      ['spec.updateStrategy.type: Unsupported value: "Magic": supported values: "RollingUpdate", "OnDelete"'],
    ],
    [
      'with both bounds',
      workload({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'with no bound',
      workload({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(daemonSets, members)).toEqual(messages);
  });

  test('keeps its selector, and counts the changes of its template', () => {
    const other = { matchLabels: { app: 'web', tier: 'a' } };
    const labelled = { ...template, metadata: { labels: other.matchLabels } };
    expect(updateErrors(daemonSets, workload({ selector: other, template: labelled }), workload())).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
    ]);
    const [created, changed] = [
      objectOf(daemonSets, workload()),
      objectOf(daemonSets, workload({ template: labelled })),
    ];
    daemonSets.strategy.prepareForCreate?.(created);
    daemonSets.strategy.prepareForUpdate?.(changed, created);
    expect(changed.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '2' });
  });

  test('is printed', () => {
    expect(rowOf(daemonSets, { ...workload(), status: { desiredNumberScheduled: 3, numberReady: 2 } })).toMatchObject({
      Desired: 3,
      Current: 0,
      Ready: 2,
      'Up-to-date': 0,
      'Node Selector': '<none>',
      Selector: 'app=web',
    });
  });
});

describe('a ControllerRevision', () => {
  test('has data that never change', () => {
    expect(createErrors(controllerRevisions, { revision: 1 })).toEqual(['data: Required value: data is mandatory']);
    expect(createErrors(controllerRevisions, { data: { a: 1 }, revision: -1 })).toEqual([
      'revision: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(updateErrors(controllerRevisions, { data: { a: 2 }, revision: 1 }, { data: { a: 1 }, revision: 1 })).toEqual(
      ['data: Invalid value: {"a":2}: field is immutable'],
    );
  });

  test('is printed with its controller', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true };
    expect(rowOf(controllerRevisions, { revision: 4 }, { ownerReferences: [owner] })).toEqual({
      Name: 'x',
      Controller: 'statefulset.apps/web',
      Revision: 4,
      Age: '60s',
    });
  });
});
