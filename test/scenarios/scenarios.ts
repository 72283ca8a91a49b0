import { podTemplate, type ScenarioRun } from './ScenarioRun.ts';

const QUOTAS = '/api/v1/namespaces/default/resourcequotas';
const CONTROLLERS = '/api/v1/namespaces/default/replicationcontrollers';

/** What a client does in each scenario; those that `recordings/` holds were played to Kubernetes 1.20.2 in the same way. */
export const scenarios: Readonly<Record<string, (run: ScenarioRun) => Promise<void>>> = {
  'create-10': async (run) => {
    await run.create(10);
    await run.complete();
  },
  'roll-10-default': async (run) => {
    await run.create(10);
    await run.complete();
    await run.image('nginx:2');
    await run.complete();
  },
  // At most 4 + 1 pods and at least 4 - 0 available: one up, one down, four times over.
  'roll-4-surge-1-unavailable-0': async (run) => {
    await run.create(4, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    await run.complete();
    await run.image('nginx:2');
    await run.complete();
  },
  'recreate-3': async (run) => {
    await run.create(3, { strategy: { type: 'Recreate' } });
    await run.complete();
    await run.image('nginx:2');
    await run.complete();
  },
  // Of 10, at most 13 and at least 8: 3 new ones, 2 old ones fewer, 2 more new ones, and 8 + 5 it stays, since none of the 5 gets ready. Then 30, at most 33: of the
  // 20 to add, 8 grows to 8 x 33 / 13 = 20.3 by 12, and 5 to 5 x 33 / 13 = 12.7 by 8. With 20 of at least 28 available, it is not Available any more.
  'stuck-then-proportional-scaling': async (run) => {
    await run.create(10, { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    await run.complete();
    await run.image('nginx:404');
    await run.until('5 updated', ({ status }) => status?.updatedReplicas === 5);
    await run.pass(1_000);
    await run.set({ replicas: 30 });
    await run.pass(3_000);
  },
  'progress-deadline': async (run) => {
    await run.create(3, { progressDeadlineSeconds: 3 });
    await run.complete();
    await run.image('nginx:404');
    await run.until('deadline', ({ status }) =>
      (status?.conditions ?? []).some(({ reason }) => reason === 'ProgressDeadlineExceeded'),
    );
    await run.image('nginx:1');
    await run.complete();
  },
  'pause-change-resume': async (run) => {
    await run.create(3);
    await run.complete();
    await run.set({ paused: true });
    await run.image('nginx:2');
    await run.pass(1_000);
    await run.set({ replicas: 5 });
    await run.pass(1_500);
    await run.set({ paused: false });
    await run.complete();
  },
  // Of 8, at most 10 and at least 6: stuck at 6 old ones and 4 that never get ready. The third ReplicaSet begins with 10 - 10 = 0 pods; the 4 unhealthy ones go first,
  // since they cost no availability, and 4 new ones take their place; 6 + 4 available ones allow 4 old ones to go, then the last 2.
  'rollover-mid-roll': async (run) => {
    await run.create(8);
    await run.complete();
    await run.image('nginx:404');
    await run.until('some updated', ({ status }) => (status?.updatedReplicas ?? 0) > 0);
    await run.pass(500);
    await run.image('nginx:3');
    await run.complete();
  },
  // Of 2, at most 3 and at least 2: one up, one down, twice a roll. Two old ReplicaSets are kept, so the fourth roll takes the second one with it. It is 17 events of
  // scaling in ten minutes: the tenth and all after it are combined, counted from 1 to 8.
  'history-limit-2': async (run) => {
    await run.create(2, { revisionHistoryLimit: 2 });
    await run.complete();
    for (const version of [2, 3, 4, 5]) {
      await run.image(`nginx:${version}`);
      await run.complete();
      await run.pass(500);
    }
  },
  // Of 3, at most 4 and at least 3, as 25 % of 3 is rounded up for the one and down for the other.
  'min-ready-seconds': async (run) => {
    await run.create(3, { minReadySeconds: 2 });
    await run.complete();
    await run.image('nginx:2');
    await run.complete();
  },
  // With 0 replicas 0 are enough to be Available; of 2, one may be missing neither (25 % of 2, rounded down).
  'scale-down-up-to-zero': async (run) => {
    await run.create(5);
    await run.complete();
    await run.set({ replicas: 0 });
    await run.complete();
    await run.set({ replicas: 2 });
    await run.complete();
  },
  'quota-exceeded-and-lifted': async (run) => {
    const spec = { hard: { pods: '2' } };
    await run.call('POST', QUOTAS, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec });
    await run.pass(1_500);
    await run.create(4);
    await run.until('failure', ({ status }) =>
      (status?.conditions ?? []).some(({ type }) => type === 'ReplicaFailure'),
    );
    await run.pass(1_000);
    await run.call('DELETE', `${QUOTAS}/q`);
    await run.complete();
  },
  'rc-create-scale-delete': async (run) => {
    const spec = { replicas: 3, selector: { app: 'web' }, template: podTemplate('nginx:1') };
    const metadata = { name: 'web' };
    await run.call('POST', CONTROLLERS, { apiVersion: 'v1', kind: 'ReplicationController', metadata, spec });
    await run.pass(2_000);
    await run.merge(`${CONTROLLERS}/web`, { spec: { replicas: 1 } });
    await run.pass(2_000);
    await run.call('DELETE', `${CONTROLLERS}/web`);
    await run.pass(2_000);
  },
  // The Deployment stays until its ReplicaSet is gone, which stays until its pods are.
  'foreground-delete': async (run) => {
    await run.create(3);
    await run.complete();
    await run.delete('Foreground');
    await run.pass(3_000);
  },
};
