import { describe, expect, test } from 'vitest';
import {
  decideAutoRollback,
  newestComplete,
} from '../../../../lambdas/controllers/deployment/autorollback/decideAutoRollback.ts';
import { permanentFailure } from '../../../../lambdas/controllers/deployment/autorollback/permanentFailure.ts';
import { givenUpOf, parseGivenUp } from '../../../../lambdas/controllers/deployment/autorollback/rollbackMemory.ts';
import { findRollout } from '../../../../lambdas/controllers/deployment/Rollout.ts';
import { decideDeployment } from '../../../../lambdas/controllers/deployment/syncDeployment.ts';
import type { Deployment, Pod } from '../../../../lambdas/objects/kinds.ts';
import { podTemplateHash } from '../../../../lambdas/objects/podTemplateHash.ts';
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
  const good = replicaSetOf('a', { replicas: 8, revision: 1, annotations: COMPLETE });
  const decide = (deployment: Deployment, sets = [failing, never, good], pods: readonly Pod[] = []) =>
    decideAutoRollback(findRollout(deployment, sets), worldOf(deployment, sets, pods));

  test('goes back to the newest revision that was once complete, not to the one before', () => {
    const decision = decide(deploymentOf({ annotations: ON, status: { conditions: [timedOut] } }));
    if (decision.action !== 'rollBack') throw new Error(decision.action);
    expect(decision.deployment.spec?.template).toEqual(templateOf('a'));
    expect(givenUpOf(decision.deployment)).toEqual({
      template: podTemplateHash(templateOf('new')),
      wentBackTo: podTemplateHash(templateOf('a')),
      message: 'Rolled back from revision 3 to revision 1: ReplicaSet "new" has timed out progressing.',
    });
    expect(decision.event).toMatchObject({ type: 'Warning', reason: 'DeploymentAutoRollback' });
  });

  test.each<[string, Deployment, string]>([
    ['not asked for', deploymentOf({ status: { conditions: [timedOut] } }), 'none'],
    [
      'not "true"',
      deploymentOf({ annotations: { 'driftless.dev/auto-rollback': 'yes' }, status: { conditions: [timedOut] } }),
      'none',
    ],
    [
      'still in time',
      deploymentOf({ annotations: ON, status: { conditions: [progressing('ReplicaSetUpdated')] } }),
      'none',
    ],
    [
      "the timeout was another replica set's",
      deploymentOf({
        annotations: ON,
        status: { conditions: [{ ...timedOut, message: 'ReplicaSet "b" has timed out progressing.' }] },
      }),
      'none',
    ],
    [
      'turned off since: the annotation is removed',
      deploymentOf({ annotations: { 'driftless.dev/given-up': '{}' } }),
      'forget',
    ],
    [
      'another template since: the annotation is removed',
      deploymentOf({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('x', 'a') } }),
      'forget',
    ],
    [
      'on what it went back to: it stays there though that fails too',
      deploymentOf({
        annotations: { ...ON, 'driftless.dev/given-up': recordOf('x', 'new') },
        status: { conditions: [timedOut] },
      }),
      'wentBack',
    ],
    [
      'asked again for what it gave up on',
      deploymentOf({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('new', 'a') } }),
      'hold',
    ],
    [
      'asked again, but what it went back to is gone: tried again',
      deploymentOf({ annotations: { ...ON, 'driftless.dev/given-up': recordOf('new', 'x') } }),
      'forget',
    ],
  ])('%s', (_, deployment, action) => {
    expect(decide(deployment).action).toBe(action);
  });

  test('without a complete revision the deployment keeps its template', () => {
    const deployment = deploymentOf({ annotations: ON, status: { conditions: [timedOut] } });
    expect(decide(deployment, [failing, never]).action).toBe('stay');
    expect(newestComplete(rolloutOf(deployment, failing, never))).toBeUndefined();
  });

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
    const deployment = deploymentOf({ annotations: ON });
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
    const sets = [replicaSetOf('new', { replicas: 2, available: 2, revision: 4 })];
    const plan = decideDeployment(worldOf(deploymentOf({ replicas: 2, annotations: ON }), sets));
    const [marked] = plan.writes;
    expect(marked).toMatchObject({ to: { metadata: { annotations: { 'driftless.dev/completed-revision': '4' } } } });
    const none = [replicaSetOf('new', { replicas: 0, revision: 4, annotations: ON })];
    expect(writesOf(decideDeployment(worldOf(deploymentOf({ replicas: 0, annotations: ON }), none)))).toEqual([
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
