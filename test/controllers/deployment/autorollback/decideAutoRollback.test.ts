import { describe, expect, test } from 'vitest';
import { newestComplete } from '../../../../lambdas/controllers/deployment/autorollback/decideAutoRollback.ts';
import { permanentFailure } from '../../../../lambdas/controllers/deployment/autorollback/permanentFailure.ts';
import { givenUpOf, parseGivenUp } from '../../../../lambdas/controllers/deployment/autorollback/rollbackMemory.ts';
import { assessRollout } from '../../../../lambdas/controllers/deployment/assessRollout.ts';
import { decideDeployment } from '../../../../lambdas/controllers/deployment/decideDeployment.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../../lambdas/objects/kinds.ts';
import { podTemplateHash } from '../../../../lambdas/objects/pods/podTemplateHash.ts';
import {
  deploymentOf,
  podOf,
  progressing,
  replicaSetOf,
  rolloutOf,
  templateOf,
  worldOf,
  writesOf,
} from '../../../support/deploymentFixtures.ts';

describe('automatic rollback', () => {
  const ON = { 'driftless.dev/auto-rollback': 'true' };
  const COMPLETE = { 'driftless.dev/completed-revision': '1' };
  const timedOut = progressing('ProgressDeadlineExceeded', 'ReplicaSet "new" has timed out progressing.', 'False');
  const failing = replicaSetOf('new', { replicas: 5, revision: 3 });
  const never = replicaSetOf('b', { replicas: 0, revision: 2 });
  const good = replicaSetOf('a', { replicas: 8, available: 8, revision: 1, annotations: COMPLETE });
  /** A rollout to `new` that has made no progress since its status was stored. */
  const stuck = {
    observedGeneration: 1,
    replicas: 13,
    updatedReplicas: 5,
    readyReplicas: 8,
    availableReplicas: 8,
    unavailableReplicas: 5,
  };
  const withDeadline = (facts: Parameters<typeof deploymentOf>[0] = {}) =>
    deploymentOf({
      ...facts,
      spec: { progressDeadlineSeconds: 60, ...facts.spec },
      status: { ...stuck, ...facts.status },
    });
  const decide = (deployment: Deployment, sets = [failing, never, good], pods: readonly Pod[] = []) =>
    assessRollout(worldOf(deployment, sets, pods)).autoRollback;

  test('goes back to the newest revision that was once complete, not to the one before', () => {
    const deployment = withDeadline({ annotations: ON, status: { conditions: [timedOut] } });
    expect(decide(deployment)).toMatchObject({ action: 'rollBack', target: { name: 'a' } });
    const [planned] = decideDeployment(worldOf(deployment, [failing, never, good])).writes;
    if (planned?.write !== 'updateDeployment') throw new Error(planned?.write);
    expect(planned.to.spec?.template).toEqual(templateOf('a'));
    expect(givenUpOf(planned.to)).toEqual({
      template: podTemplateHash(templateOf('new')),
      wentBackTo: podTemplateHash(templateOf('a')),
      message: 'Rolled back from revision 3 to revision 1: ReplicaSet "new" has timed out progressing.',
    });
    expect(planned.events).toMatchObject([{ type: 'Warning', reason: 'DeploymentAutoRollback' }]);
  });

  test.each<[string, Deployment, string]>([
    ['not asked for', withDeadline({ status: { conditions: [timedOut] } }), 'none'],
    [
      'not "true"',
      withDeadline({ annotations: { 'driftless.dev/auto-rollback': 'yes' }, status: { conditions: [timedOut] } }),
      'none',
    ],
    [
      'still in time',
      withDeadline({ annotations: ON, status: { conditions: [progressing('ReplicaSetUpdated')] } }),
      'none',
    ],
    [
      "the timeout was another replica set's",
      withDeadline({
        annotations: ON,
        status: { conditions: [{ ...timedOut, message: 'ReplicaSet "b" has timed out progressing.' }] },
      }),
      'none',
    ],
    [
      'turned off since: the annotation is removed',
      withDeadline({ annotations: { 'driftless.dev/given-up': '{}' } }),
      'forget',
    ],
    [
      'another template since: the annotation is removed',
      withDeadline({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('x', 'a') } }),
      'forget',
    ],
    [
      'on what it went back to: it stays there though that fails too',
      withDeadline({
        annotations: { ...ON, 'driftless.dev/given-up': recordOf('x', 'new') },
        status: { conditions: [timedOut] },
      }),
      'wentBack',
    ],
    [
      'asked again for what it gave up on',
      withDeadline({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('new', 'a') } }),
      'hold',
    ],
    [
      'asked again, but what it went back to is gone: tried again',
      withDeadline({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('new', 'x') } }),
      'forget',
    ],
  ])('%s', (_, deployment, action) => {
    expect(decide(deployment).action).toBe(action);
  });

  test('without a complete revision the deployment keeps its template', () => {
    const counts = { replicas: 5, readyReplicas: 0, availableReplicas: 0 };
    const deployment = withDeadline({ annotations: ON, status: { ...counts, conditions: [timedOut] } });
    expect(decide(deployment, [failing, never]).action).toBe('stay');
    expect(newestComplete(rolloutOf(deployment, failing, never).oldReplicaSets)).toBeUndefined();
  });

  // An adopted ReplicaSet may have the template that the Deployment's own has.
  test('does not go back to the same template under another name', () => {
    const twin = replicaSetOf('twin', { image: 'new', replicas: 8, available: 8, revision: 2, annotations: COMPLETE });
    const deployment = withDeadline({ annotations: ON, status: { conditions: [timedOut] } });
    expect(decide(deployment, [failing, twin]).action).toBe('stay');
    expect(newestComplete(rolloutOf(deployment, failing, twin, good).oldReplicaSets)?.name).toBe('a');
  });

  test.each<[string, Partial<typeof stuck>, ReplicaSet[]]>([
    [
      'complete by now',
      { replicas: 10, updatedReplicas: 10, readyReplicas: 9, availableReplicas: 9 },
      [
        replicaSetOf('new', { replicas: 10, available: 10, revision: 3 }),
        replicaSetOf('a', { replicas: 0, revision: 1, annotations: COMPLETE }),
      ],
    ],
    ['one more pod is available', {}, [replicaSetOf('new', { replicas: 5, available: 1, revision: 3 }), good]],
    ['one more pod is updated', { updatedReplicas: 4, replicas: 12 }, [failing, good]],
    ['one old pod fewer', { replicas: 14 }, [failing, good]],
  ])('does not go back if the rollout has progressed since its timeout was stored: %s', (_, stored, sets) => {
    const deployment = withDeadline({ annotations: ON, status: { ...stored, conditions: [timedOut] } });
    expect(decide(deployment, sets).action).toBe('none');
    expect(writesOf(decideDeployment(worldOf(deployment, sets)))).not.toContain('deployment');
  });

  test.each<[string, ReplicaSet[], string | undefined]>([
    ['all of its pods are available', [replicaSetOf('a', { replicas: 8, available: 8, revision: 1 })], 'a'],
    ['not all of them are', [replicaSetOf('a', { replicas: 8, available: 7, revision: 1 })], undefined],
    ['it has none', [replicaSetOf('a', { replicas: 0, revision: 1 })], undefined],
    [
      'the few pods of an abandoned rollout prove nothing',
      [
        replicaSetOf('a', { replicas: 6, available: 6, revision: 1 }),
        replicaSetOf('b', { replicas: 2, available: 2, revision: 2 }),
      ],
      'a',
    ],
    [
      'it is newer than what was marked',
      [
        replicaSetOf('a', { replicas: 0, revision: 1, annotations: COMPLETE }),
        replicaSetOf('b', { replicas: 8, available: 8, revision: 2 }),
      ],
      'b',
    ],
  ])('an old replica set that was never marked counts as complete by what it runs now: %s', (_, old, expected) => {
    const deployment = withDeadline({ annotations: ON, status: { conditions: [timedOut] } });
    expect(newestComplete(rolloutOf(deployment, failing, ...old).oldReplicaSets)?.name).toBe(expected);
  });

  test.each([[undefined], [2_147_483_647]])('is off without a progress deadline (%s)', (progressDeadlineSeconds) => {
    const message = 'Pod "web-x-1" is invalid: spec.containers[0].image: Required value';
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
    const invalid = replicaSetOf('new', { replicas: 5, current: 0, revision: 3, conditions });
    const running = replicaSetOf('a', { replicas: 8, available: 8, revision: 1, annotations: COMPLETE });
    const { status: _, ...counts } = withDeadline({ annotations: ON });
    const status = { ...stuck, replicas: 8, updatedReplicas: 0 };
    const timed = { ...counts, status };
    expect(decide(timed, [invalid, running]).action).toBe('rollBack');
    const spec = { ...timed.spec, progressDeadlineSeconds } as NonNullable<Deployment['spec']>;
    expect(decide({ ...timed, spec }, [invalid, running]).action).toBe('none');
  });

  test.each<[string, Parameters<typeof deploymentOf>[0]]>([
    ['paused', { spec: { paused: true } }],
    ['being paused', { spec: { paused: true }, status: { conditions: [progressing('ReplicaSetUpdated')] } }],
    ['being deleted', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ])("while a template is held, its revision and the deployment's stay: %s", (_, facts) => {
    const REVISION = 'deployment.kubernetes.io/revision';
    const annotations = { ...ON, [REVISION]: '4', 'driftless.dev/given-up': recordOf('new', 'a') };
    const deployment = withDeadline({ annotations, ...facts });
    const sized = { 'deployment.kubernetes.io/desired-replicas': '10' };
    const sets = [
      replicaSetOf('new', { replicas: 0, revision: 3 }),
      replicaSetOf('a', { replicas: 10, available: 10, revision: 4, annotations: sized }),
    ];
    const { writes } = decideDeployment(worldOf(deployment, sets));
    expect(writes.filter(({ write }) => write !== 'updateStatus')).toEqual([]);
    for (const planned of writes) {
      if (planned.write === 'updateStatus') expect(planned.to.metadata.annotations?.[REVISION]).toBe('4');
    }
  });

  test.each([[false], [true]])(
    'while a template is held, scaling from 0 gives no replicas to it: paused %s',
    (paused) => {
      const annotations = { ...ON, 'driftless.dev/given-up': recordOf('new', 'a') };
      const conditions = [progressing(paused ? 'DeploymentPaused' : 'ProgressDeadlineExceeded')];
      const deployment = withDeadline({ replicas: 3, annotations, spec: { paused }, status: { conditions } });
      const sized = { 'deployment.kubernetes.io/desired-replicas': '0' };
      const sets = [
        replicaSetOf('new', { replicas: 0, revision: 3, annotations: sized }),
        replicaSetOf('a', { replicas: 0, revision: 4, annotations: sized }),
      ];
      expect(writesOf(decideDeployment(worldOf(deployment, sets)))).toEqual(['update a 0 -> 3', 'status']);
    },
  );

  test('does not wait for the deadline if a pod can never run', () => {
    const pod = {
      ...podOf('new'),
      status: {
        containerStatuses: [
          {
            name: 'main',
            image: '',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason: 'InvalidImageName' } },
          },
        ],
      },
    };
    const deployment = withDeadline({ annotations: ON });
    expect(decide(deployment, [failing, never, good], [pod]).action).toBe('rollBack');
    const older = { ...pod, metadata: podOf('b').metadata };
    expect(decide(deployment, [failing, never, good], [older]).action).toBe('none');
  });

  test.each<[string, string, string, boolean]>([
    [
      'a pod that is refused as invalid',
      'FailedCreate',
      'Pod "web-x-1" is invalid: spec.containers[0].image: Required value',
      true,
    ],
    ['a quota, which may be lifted', 'FailedCreate', 'pods "web-x-1" is forbidden: exceeded quota: q', false],
    [
      'a missing service account, which may come',
      'FailedCreate',
      'pods "web-x-1" is forbidden: error looking up service account default/x',
      false,
    ],
    ['a failed delete', 'FailedDelete', 'Pod "web-x-1" is invalid: x', false],
  ])('permanent or not: %s', (_, reason, message, permanent) => {
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason, message }];
    expect(permanentFailure(replicaSetOf('new', { replicas: 1, conditions }), []) !== undefined).toBe(permanent);
  });

  test.each([['ErrImagePull'], ['ImagePullBackOff'], ['CrashLoopBackOff'], ['CreateContainerConfigError']])(
    'a container that waits for %s may still come up',
    (reason) => {
      const pod = {
        ...podOf('new'),
        status: {
          containerStatuses: [
            { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state: { waiting: { reason } } },
          ],
        },
      };
      expect(permanentFailure(failing, [pod])).toBeUndefined();
    },
  );

  test('marks the replica set of a complete rollout with its revision, unless it has no replicas', () => {
    const status = { conditions: [progressing('ReplicaSetUpdated')] };
    const sets = [replicaSetOf('new', { replicas: 2, available: 2, revision: 4 })];
    const plan = decideDeployment(worldOf(withDeadline({ replicas: 2, annotations: ON, status }), sets));
    const [marked] = plan.writes;
    expect(marked).toMatchObject({ to: { metadata: { annotations: { 'driftless.dev/completed-revision': '4' } } } });
    const none = [replicaSetOf('new', { replicas: 0, revision: 4, annotations: ON })];
    expect(writesOf(decideDeployment(worldOf(withDeadline({ replicas: 0, annotations: ON, status }), none)))).toEqual([
      'status',
    ]);
  });

  test.each([[''], ['null'], ['[]'], ['{"template":1}'], ['{']])('an annotation of %j is ignored', (text) => {
    expect(parseGivenUp(text)).toBeUndefined();
  });

  function recordOf(template: string, instead: string): string {
    return JSON.stringify({
      template: podTemplateHash(templateOf(template)),
      instead: podTemplateHash(templateOf(instead)),
      message: 'why',
    });
  }
});
