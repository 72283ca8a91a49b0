import { podTemplate, type ScenarioRun } from './ScenarioRun.ts';

const QUOTAS = '/api/v1/namespaces/default/resourcequotas';
const CONTROLLERS = '/api/v1/namespaces/default/replicationcontrollers';

/** A client's actions in each scenario. The recordings in `recordings/` were made with the same actions on Kubernetes 1.20.2. */
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
  // At most 4 + 1 pods, at least 4 - 0 available: one up and one down, four times.
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
  // 10 replicas: at most 13 pods, at least 8 available. 3 new pods, 2 old pods fewer, 2 more new pods; it stays at 8 + 5, since none of the 5 gets ready. Then 30
  // replicas: at most 33 pods. Of the 20 to add, 12 go to the 8 (8 x 33 / 13 = 20.3) and 8 to the 5 (5 x 33 / 13 = 12.7). With 20 of at least 28 pods available, it
  // is no longer Available.
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
  // 8 replicas: at most 10 pods, at least 6 available. It is stuck at 6 old pods and 4 that never get ready. The third ReplicaSet begins with 10 - 10 = 0 pods. The
  // 4 unhealthy pods go first, since they cost no availability, and 4 new pods replace them. With 6 + 4 available, 4 old pods can go, then the last 2.
  'rollover-mid-roll': async (run) => {
    await run.create(8);
    await run.complete();
    await run.image('nginx:404');
    await run.until('some updated', ({ status }) => (status?.updatedReplicas ?? 0) > 0);
    await run.pass(500);
    await run.image('nginx:3');
    await run.complete();
  },
  // 2 replicas: at most 3 pods, at least 2 available. Each rollout goes one up and one down, twice. Two old ReplicaSets are kept, so the fourth rollout deletes the
  // second ReplicaSet. There are 17 scaling events in ten minutes: from the tenth on they are combined, counted from 1 to 8.
  'history-limit-2': async (run) => {
    await run.create(2, { revisionHistoryLimit: 2 });
    await run.complete();
    for (const version of [2, 3, 4, 5]) {
      await run.image(`nginx:${version}`);
      await run.complete();
      await run.pass(500);
    }
  },
  // 3 replicas: at most 4 pods, at least 3 available, since 25 % of 3 is rounded up for the surge and down for the unavailable pods.
  'min-ready-seconds': async (run) => {
    await run.create(3, { minReadySeconds: 2 });
    await run.complete();
    await run.image('nginx:2');
    await run.complete();
  },
  // With 0 replicas, 0 pods are enough to be Available. With 2 replicas both are needed, since 25 % of 2 is rounded down to 0.
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
  // The Deployment stays until its ReplicaSet is gone, and the ReplicaSet until its pods are.
  'foreground-delete': async (run) => {
    await run.create(3);
    await run.complete();
    await run.delete('Foreground');
    await run.pass(3_000);
  },
};
