import { describe, expect, test } from 'vitest';
import { controllerRevisions } from '../../../lambdas/registry/resources/controllerRevisions.ts';
import { daemonSets } from '../../../lambdas/registry/resources/daemonSets.ts';
import { statefulSets } from '../../../lambdas/registry/resources/statefulSets.ts';
import { createErrors, objectOf, rowOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
const claim = (
  name: string,
  spec: Members = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
) => ({ metadata: { name }, spec });
/** A template whose container mounts this volume. */
const mounting = (name: string, volumes: Members[] = []) => ({
  ...template,
  spec: { containers: [{ name: 'web', image: 'nginx:1', volumeMounts: [{ name, mountPath: '/x' }] }], volumes },
});
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
    [
      'without a selector',
      workload({ selector: undefined }),
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'with a selector that cannot be (the template is not looked at)',
      workload({
        selector: { matchExpressions: [{ key: 'app', operator: 'Like' }] },
        template: { ...template, spec: { containers: [] } },
      }),
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Like"}]}',
      ],
    ],
    [
      'with bounds of its rolling update that cannot be',
      workload({ updateStrategy: { rollingUpdate: { partition: -1, maxUnavailable: 0 } } }),
      [
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0',
      ],
    ],
    [
      'with an unknown retention of claims',
      workload({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Keep' } }),
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"',
      ],
    ],
    [
      'with the name of a service that cannot be',
      workload({ serviceName: 'web.default' }),
      ['spec.serviceName: Invalid value: "web.default": must not contain dots'],
    ],
    [
      'that mounts its claims (valid)',
      workload({ volumeClaimTemplates: [claim('data')], template: mounting('data') }),
      [],
    ],
    [
      'whose claim takes the place of a volume of the same name (valid)',
      workload({
        volumeClaimTemplates: [claim('data'), claim('data')],
        template: mounting('data', [{ name: 'data', emptyDir: {} }]),
      }),
      [],
    ],
    [
      'that mounts a volume that does not exist',
      workload({ volumeClaimTemplates: [claim('data')], template: mounting('cache') }),
      ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "cache"'],
    ],
    [
      'with a claim that asks for nothing',
      workload({ volumeClaimTemplates: [claim('data', {})] }),
      [
        'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
      ],
    ],
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

  test.each<[string, Members, Members, string[]]>([
    ['what can never change, and was let in', { serviceName: 'A_B', replicas: 3 }, { serviceName: 'A_B' }, []],
    [
      'its claims, and was let in',
      { volumeClaimTemplates: [claim('data', {})], replicas: 3 },
      { volumeClaimTemplates: [claim('data', {})] },
      [],
    ],
    ['a template that was let in', { template: mounting('x'), replicas: 3 }, { template: mounting('y') }, []],
    [
      'a template that becomes wrong',
      { template: mounting('x') },
      {},
      ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "x"'],
    ],
    [
      'a number of replicas, even if the template was let in',
      { template: mounting('x'), replicas: -1 },
      { template: mounting('x') },
      ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ])('when it changes, checks %s', (_, members, old, messages) => {
    expect(updateErrors(statefulSets, workload(members), workload(old))).toEqual(messages);
  });

  test('has a name that pods can be named after', () => {
    expect(statefulSets.strategy.nameErrors?.('web')).toEqual([]);
    expect(statefulSets.strategy.nameErrors?.('web.example')).toHaveLength(1);
  });

  test.each<[Members, Members, string[]]>([
    [
      { replicas: 1, readyReplicas: 2, availableReplicas: 1 },
      {},
      ['status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas'],
    ],
    [
      { replicas: 2, readyReplicas: 1, availableReplicas: 2, observedGeneration: -1 },
      {},
      [
        'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
        'status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas',
      ],
    ],
    [{}, { collisionCount: 2 }, ['status.collisionCount: Invalid value: 0: cannot be decremented']],
  ])('has a consistent status: %j after %j', (status, old, messages) => {
    expect(statusErrors(statefulSets, status, old)).toEqual(messages);
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
      ['spec.updateStrategy: Unsupported value: {"type":"Magic"}: supported values: "RollingUpdate", "OnDelete"'],
    ],
    [
      'with both bounds',
      workload({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'with bounds that are too high',
      workload({ updateStrategy: { rollingUpdate: { maxSurge: '101%', maxUnavailable: '0%' } } }),
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      'without a selector',
      workload({ selector: undefined }),
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'with no bound',
      workload({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(daemonSets, members)).toEqual(messages);
  });

  test('is validated twice when it changes, as in Kubernetes', () => {
    const message = 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0';
    expect(updateErrors(daemonSets, workload({ minReadySeconds: -1 }), workload())).toEqual([message, message]);
  });

  test('has a status without negative counts, whose collisions are never forgotten', () => {
    expect(statusErrors(daemonSets, { numberReady: -1, collisionCount: 1 }, { collisionCount: 2 })).toEqual([
      'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ]);
  });

  test.each([
    ['5', '5'],
    ['0', '1'],
    ['x', '1'],
  ])('counts the changes of its template from where its annotation says: %s', (given, kept) => {
    const annotations = { 'deprecated.daemonset.template.generation': given };
    const created = objectOf(daemonSets, workload(), { annotations });
    daemonSets.strategy.prepareForCreate?.(created);
    expect(created.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': kept });
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
    expect(createErrors(controllerRevisions, { data: [1] })).toEqual([
      'data: Required value: data must be a valid JSON object',
    ]);
    expect(createErrors(controllerRevisions, { data: { a: 1 }, revision: -1 })).toEqual([
      'revision: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(updateErrors(controllerRevisions, { data: { a: 2 }, revision: 1 }, { data: { a: 1 }, revision: 1 })).toEqual(
      ['data: Invalid value: {"a":2}: field is immutable'],
    );
    expect(updateErrors(controllerRevisions, { data: [1], revision: 2 }, { data: [1], revision: 1 })).toEqual([]);
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
