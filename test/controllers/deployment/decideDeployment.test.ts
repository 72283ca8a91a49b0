import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../lambdas/controllers/deployment/Plan.ts';
import { assessRollout, getRollbackTo } from '../../../lambdas/controllers/deployment/assessRollout.ts';
import { decideDeployment } from '../../../lambdas/controllers/deployment/decideDeployment.ts';
import { decideRollback } from '../../../lambdas/controllers/deployment/rollback.ts';
import { rolloutRecreate } from '../../../lambdas/controllers/deployment/rolloutRecreate.ts';
import { reasonInWords } from '../../../lambdas/controllers/deployment/deploymentReasons.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { podTemplateHash } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import {
  deploymentOf,
  podOf,
  progressing,
  replicaSetOf,
  rolloutOf,
  sizesOf,
  templateOf,
  worldOf,
  writesOf,
} from '../../support/deploymentFixtures.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const EARLIER = '2026-01-01T00:00:00Z';

function statusOf({ writes }: Plan): NonNullable<Deployment['status']> {
  const write = writes.find((planned) => planned.write === 'updateStatus');
  return write?.write === 'updateStatus' ? (write.to.status ?? {}) : {};
}

describe('the order of the steps of syncDeployment', () => {
  const next = replicaSetOf('new', { replicas: 5, available: 5, revision: 2 });
  const old = replicaSetOf('old', { replicas: 10, available: 10, revision: 1, annotations: { [DESIRED]: '7' } });

  test('an empty selector causes a warning, and the generation is recorded as observed once', () => {
    const plan = decideDeployment(worldOf(deploymentOf({ spec: { selector: {} } })));
    expect(plan.events).toEqual([
      {
        type: 'Warning',
        reason: 'SelectingAll',
        message: 'This deployment is selecting all pods. A non-empty selector is required.',
      },
    ]);
    expect(statusOf(plan)).toEqual({ observedGeneration: 1 });
    const again = decideDeployment(
      worldOf(deploymentOf({ spec: { selector: {} }, status: { observedGeneration: 1 } })),
    );
    expect(again.writes).toEqual([]);
  });

  test.each<[string, Parameters<typeof deploymentOf>[0], readonly ReplicaSet[], string[]]>([
    [
      'being deleted: status only, even if it was scaled',
      { metadata: { deletionTimestamp: EARLIER } },
      [next, old],
      ['status'],
    ],
    [
      'paused just now: the condition first',
      { spec: { paused: true, progressDeadlineSeconds: 600 } },
      [next, old],
      ['status'],
    ],
    ['paused: scaled, not rolled out', { spec: { paused: true } }, [old], ['update old 10 -> 10', 'status']],
    [
      'paused: rolled back only when resumed',
      { spec: { paused: true }, annotations: { 'deprecated.deployment.rollback.to': '1' } },
      [],
      ['status'],
    ],
    [
      'a rollback goes before scaling',
      { annotations: { 'deprecated.deployment.rollback.to': '1' } },
      [next, old],
      ['deployment'],
    ],
    [
      'scaling goes before rolling',
      { replicas: 11 },
      [next, old],
      ['update old 10 -> 9', 'update new 5 -> 5', 'status'],
    ],
    [
      'a new template creates a replica set',
      { image: 'newer' },
      [replicaSetOf('old', { replicas: 10 })],
      ['create with 3', 'status'],
    ],
  ])('%s', (_, facts, replicaSets, expected) => {
    const plan = decideDeployment(worldOf(deploymentOf(facts), replicaSets));
    expect(writesOf(plan)).toEqual(expected);
  });

  test.each([[undefined], ['Canary']])('a strategy of type %s is an error', (type) => {
    const deployment = deploymentOf({ strategy: { ...(type && { type }) } });
    expect(() => decideDeployment(worldOf(deployment))).toThrow(`unexpected deployment strategy type: ${type ?? ''}`);
  });

  test('one write takes unhealthy replicas and then available ones, with an event for each as in Kubernetes', () => {
    const sized = { [DESIRED]: '10' };
    const sets = [
      replicaSetOf('old', { replicas: 10, available: 9, revision: 1, annotations: sized }),
      replicaSetOf('new', { replicas: 3, available: 3, revision: 2, annotations: sized }),
    ];
    const [scaled] = decideDeployment(worldOf(deploymentOf(), sets)).writes;
    expect(scaled).toMatchObject({
      write: 'updateReplicaSet',
      to: { spec: { replicas: 5 } },
      events: [
        { reason: 'ScalingReplicaSet', message: 'Scaled down replica set old from 10 to 9' },
        { reason: 'ScalingReplicaSet', message: 'Scaled down replica set old from 9 to 5' },
      ],
    });
  });

  test('creating the replica set starts the clock, shows the revision, and records an event with the size', () => {
    const plan = decideDeployment(worldOf(deploymentOf({ spec: { progressDeadlineSeconds: 600 } })));
    const [create, status] = plan.writes;
    const name = `web-${podTemplateHash(templateOf('new'))}`;
    expect(create).toMatchObject({
      events: [{ type: 'Normal', reason: 'ScalingReplicaSet', message: `Scaled up replica set ${name} from 0 to 10` }],
    });
    expect(status).toMatchObject({ to: { metadata: { annotations: { [REVISION]: '1' } } } });
    expect(statusOf(plan)).toMatchObject({ unavailableReplicas: 10 });
    expect(statusOf(plan).conditions?.[0]).toMatchObject({
      reason: 'NewReplicaSetCreated',
      message: `Created new replica set "${name}"`,
    });
  });

  test('creating the replica set right after a resumption does not restart the clock, as recorded from Kubernetes', () => {
    const status = { conditions: [progressing('DeploymentResumed', 'Deployment is resumed', 'Unknown')] };
    const plan = decideDeployment(worldOf(deploymentOf({ spec: { progressDeadlineSeconds: 600 }, status })));
    expect(statusOf(plan).conditions?.[0]).toMatchObject({ reason: 'DeploymentResumed' });
  });

  // `rollback` calls `getAllReplicaSetsAndSyncRevision`, which creates it as any other.
  test.each([
    ['RollingUpdate', 'create with 3'],
    ['Recreate', 'create with 0'],
  ])('a rollback requested before the new replica set exists creates that one first: %s', (type, creation) => {
    const annotations = { 'deprecated.deployment.rollback.to': '0' };
    const strategy = type === 'Recreate' ? { spec: { strategy: { type } } } : {};
    const deployment = deploymentOf({ annotations, ...strategy });
    const plan = decideDeployment(worldOf(deployment, [replicaSetOf('old', { replicas: 10, revision: 1 })]));
    expect(writesOf(plan)).toEqual([creation, 'status']);
  });

  // With none it would delete the pods that it adopts, and with any the ceiling could be exceeded.
  test.each([
    ['the template is new', {}],
    ['a rollback is requested', { 'deprecated.deployment.rollback.to': '0' }],
  ])('no new replica set is created while another one has not observed its size: %s', (_, annotations) => {
    const old = replicaSetOf('old', { replicas: 3, current: 8, generation: 2, observed: 1 });
    const plan = decideDeployment(worldOf(deploymentOf({ annotations }), [old]));
    expect(writesOf(plan)).toEqual(['status']);
    expect(plan.waitsFor.map(reasonInWords)).toEqual([
      'waits until replica set old has observed its generation 2 (so far 1)',
    ]);
    const observed = replicaSetOf('old', { replicas: 3, current: 3, generation: 2 });
    expect(writesOf(decideDeployment(worldOf(deploymentOf({ annotations }), [observed])))).toEqual([
      'create with 10',
      'status',
    ]);
  });

  test('a plan without writes says when the progress deadline passes', () => {
    const facts = { spec: { progressDeadlineSeconds: 1200 } };
    const sets = [replicaSetOf('new', { replicas: 10, available: 5, revision: 1 })];
    const conditions = [progressing('ReplicaSetUpdated')];
    const first = decideDeployment(worldOf(deploymentOf({ ...facts, status: { conditions } }), sets));
    const deployment = deploymentOf({ ...facts, annotations: { [REVISION]: '1' }, status: statusOf(first) });
    const stored = { ...deployment, status: { ...deployment.status, conditions: statusOf(first).conditions ?? [] } };
    const plan = decideDeployment(worldOf(stored, sets));
    expect(writesOf(plan)).toEqual([]);
    expect(plan.requeueAfterMs).toBe(1_200_001);
    expect(plan.waitsFor.map(reasonInWords)).toContain('times out in 1201 s unless it progresses');
  });

  test('old replica sets are cleaned up only once the stored status says that the rollout is complete', () => {
    const sets = [
      replicaSetOf('new', { replicas: 1, available: 1, revision: 2 }),
      replicaSetOf('old', { replicas: 0, revision: 1 }),
    ];
    const facts = { replicas: 1, annotations: { [REVISION]: '2' }, spec: { revisionHistoryLimit: 0 } };
    const first = decideDeployment(worldOf(deploymentOf(facts), sets));
    expect(writesOf(first)).toEqual(['status']);
    expect(writesOf(decideDeployment(worldOf(deploymentOf({ ...facts, status: statusOf(first) }), sets)))).toEqual([
      'delete old',
    ]);
  });
});

describe('Recreate (rolloutRecreate)', () => {
  const deployment = deploymentOf({ replicas: 3, strategy: { type: 'Recreate' } });
  const gone = replicaSetOf('old', { replicas: 0 });

  test('all old replica sets are scaled to 0 at once', () => {
    const sets = [replicaSetOf('a', { replicas: 2 }), replicaSetOf('b', { replicas: 1 })];
    expect(sizesOf(rolloutRecreate(rolloutOf(deployment, undefined, ...sets)))).toEqual({ a: 0, b: 0 });
  });

  test.each<[string, ReplicaSet, readonly Pod[], boolean]>([
    ['none left', gone, [], true],
    ['the status still counts one', replicaSetOf('old', { replicas: 0, current: 1 }), [], false],
    [
      'the status is of an earlier spec: it may be creating one',
      replicaSetOf('old', { replicas: 0, generation: 2, observed: 1 }),
      [],
      false,
    ],
    ['one is being deleted', gone, [podOf('old', 'Running', { deletionTimestamp: EARLIER })], false],
    ['one is of unknown phase', gone, [podOf('old', 'Unknown')], false],
    ['one has failed', gone, [podOf('old', 'Failed')], true],
    ['one has succeeded', gone, [podOf('old', 'Succeeded')], true],
  ])('old pods: %s', (_, old, pods, goesOn) => {
    const step = rolloutRecreate(assessRollout(worldOf(deployment, [old], pods)));
    expect(step.create).toBe(goesOn ? 3 : undefined);
    expect(step.waitsFor.length > 0).toBe(!goesOn);
  });

  test('pods of the new replica set do not count as old', () => {
    const sets = [replicaSetOf('new', { replicas: 1 }), gone];
    expect(sizesOf(rolloutRecreate(assessRollout(worldOf(deployment, sets, [podOf('new')]))))).toEqual({ new: 3 });
  });
});

describe('rollback on request', () => {
  const sets = [
    replicaSetOf('new', { replicas: 1, revision: 3 }),
    replicaSetOf('b', { replicas: 0, revision: 2, annotations: { 'kubernetes.io/change-cause': 'second' } }),
    replicaSetOf('a', { replicas: 0, revision: 1 }),
  ];
  const asked = (to: string) => deploymentOf({ annotations: { 'deprecated.deployment.rollback.to': to, kept: 'no' } });
  const decide = (to: string) =>
    decideRollback(assessRollout(worldOf(asked(to), sets)), getRollbackTo(asked(to)) ?? -1n);

  test.each([
    ['0', 'b', 'Rolled back deployment "web" to revision 2'],
    ['1', 'a', 'Rolled back deployment "web" to revision 1'],
  ])('to %s', (to, image, message) => {
    const { deployment, event } = decide(to);
    expect(deployment.spec?.template).toEqual(templateOf(image));
    expect(event).toEqual({ type: 'Normal', reason: 'DeploymentRollback', message });
    expect(deployment.metadata.annotations).toEqual(image === 'b' ? { 'kubernetes.io/change-cause': 'second' } : {});
  });

  test.each([
    ['9', 'DeploymentRollbackRevisionNotFound'],
    ['3', 'DeploymentRollbackTemplateUnchanged'],
  ])('a request for %s that cannot be met is cleared, and nothing else changes', (to, reason) => {
    const { deployment, event } = decide(to);
    expect(event).toMatchObject({ type: 'Warning', reason });
    expect(deployment).toEqual(deploymentOf({ annotations: { kept: 'no' } }));
  });

  test.each([['x'], [''], ['1.5']])('a request of %j is ignored', (to) => {
    expect(getRollbackTo(asked(to))).toBeUndefined();
  });
});
