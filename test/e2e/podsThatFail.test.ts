import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';

const MAIN = { name: 'main', image: 'nginx:1.27' };
const INIT = { name: 'first', image: 'busybox:1' };
const SECOND = { name: 'second', image: 'busybox:1' };
const SIDECAR = { name: 'side', image: 'proxy:1', restartPolicy: 'Always' };
const VARIABLE = [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'absent', key: 'k' } } }];
const VOLUME = { volumes: [{ name: 'v', secret: { secretName: 'absent' } }] };

interface Row {
  readonly spec?: Partial<PodSpec>;
  /** Under `simulate.driftless.dev/`. */
  readonly annotations?: Record<string, string>;
  /** The columns READY and STATUS of `kubectl get pods` after ten minutes. */
  readonly columns: readonly [ready: string, status: string];
  readonly phase: string;
  /** The reason of a condition, or the pod's own. */
  readonly because?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  'the first init container fails again and again, so that the second never starts': {
    spec: { initContainers: [INIT, SECOND] },
    annotations: { 'fail-init': 'true' },
    columns: ['0/1', 'Init:CrashLoopBackOff'],
    phase: 'Pending',
    because: 'Initialized: containers with incomplete status: [first second]',
  },
  'an init container fails, and nothing is started again': {
    spec: { initContainers: [INIT, SECOND], restartPolicy: 'Never' },
    annotations: { 'fail-init': 'true' },
    columns: ['0/1', 'Init:Error'],
    phase: 'Failed',
  },
  'an init container lacks a variable': {
    spec: { initContainers: [{ ...INIT, env: VARIABLE }] },
    columns: ['0/1', 'Init:CreateContainerConfigError'],
    phase: 'Pending',
  },
  'a sidecar lacks a variable, so that the others never start': {
    spec: { initContainers: [{ ...SIDECAR, env: VARIABLE }] },
    columns: ['0/2', 'Init:CreateContainerConfigError'],
    phase: 'Pending',
  },
  'a container lacks a variable, while its sidecar runs': {
    spec: { initContainers: [SIDECAR], containers: [{ ...MAIN, env: VARIABLE }] },
    columns: ['1/2', 'CreateContainerConfigError'],
    phase: 'Pending',
    because: 'ContainersReady: containers with unready status: [main]',
  },
  'a volume cannot be mounted': { spec: VOLUME, columns: ['0/1', 'ContainerCreating'], phase: 'Pending' },
  'a volume cannot be mounted before init containers start': {
    spec: { ...VOLUME, initContainers: [INIT] },
    columns: ['0/1', 'Init:0/1'],
    phase: 'Pending',
  },
  'it is active for longer than it may be': {
    spec: { activeDeadlineSeconds: 300 },
    columns: ['0/1', 'Error'],
    phase: 'Failed',
    because: 'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
  },
  'it waits for a volume for longer than it may be active': {
    spec: { ...VOLUME, activeDeadlineSeconds: 300 },
    columns: ['0/1', 'ContainerStatusUnknown'],
    phase: 'Failed',
    because: 'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
  },
  'its readiness gate is closed': {
    spec: { readinessGates: [{ conditionType: 'example.com/open' }] },
    columns: ['1/1', 'Running'],
    phase: 'Running',
    because: 'Ready: corresponding condition of pod readiness gate "example.com/open" does not exist.',
  },
  'its containers end well, and are started again': {
    annotations: { 'complete-after': '1m' },
    columns: ['0/1', 'CrashLoopBackOff'],
    phase: 'Running',
  },
  'its containers end well, and only failures are started again': {
    spec: { restartPolicy: 'OnFailure', initContainers: [SIDECAR] },
    annotations: { 'complete-after': '1m' },
    columns: ['0/2', 'Completed'],
    phase: 'Succeeded',
  },
  'its containers fail, and nothing is started again': {
    spec: { restartPolicy: 'Never', initContainers: [SIDECAR] },
    annotations: { 'crash-after': '1m' },
    columns: ['0/2', 'Error'],
    phase: 'Failed',
  },
};

const REFUSED: Readonly<Record<string, readonly [spec: object, message: string]>> = {
  'a service account that does not exist': [
    { serviceAccountName: 'robot' },
    'error looking up service account default/robot: serviceaccount "robot" not found',
  ],
  'a runtime class that does not exist': [
    { runtimeClassName: 'gvisor' },
    'pod rejected: RuntimeClass "gvisor" not found',
  ],
};

describe('kubectl shows a pod as in a real cluster', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ clock: 'virtual' });
    for (const [index, { spec, annotations = {} }] of Object.values(ROWS).entries()) {
      const named = Object.entries(annotations).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]);
      const metadata = { name: `p${index}`, annotations: Object.fromEntries(named) as Record<string, string> };
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [MAIN], ...spec } };
      await cluster.apply(pod);
    }
    await cluster.advance('10m');
  });
  afterAll(() => cluster.stop());

  async function columnsOf(name: string): Promise<readonly unknown[]> {
    const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const answer = await cluster.request(`/api/v1/namespaces/default/pods/${name}`, { headers });
    const { rows } = (await answer.json()) as { rows: { cells: unknown[] }[] };
    return rows[0]?.cells.slice(1, 3) ?? [];
  }

  test.each(Object.entries(ROWS))('if %s', async (title, { columns, phase, because }) => {
    const name = `p${Object.keys(ROWS).indexOf(title)}`;
    expect(await columnsOf(name)).toEqual(columns);
    const { status = {} } = await cluster.get(`pod/${name}`);
    expect(status.phase).toBe(phase);
    const reasons = (status.conditions ?? []).map(({ type, message }) => `${type}: ${message}`);
    if (because !== undefined) expect([...reasons, `${status.reason}: ${status.message}`]).toContain(because);
  });

  test.each(Object.entries(REFUSED))('if it names %s: it is refused', async (_title, [spec, message]) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'refused' }, spec: { containers: [MAIN], ...spec } };
    await expect(cluster.apply(pod)).rejects.toMatchObject({
      status: { message: `pods "refused" is forbidden: ${message}` },
    });
  });

  test.each(Object.entries(REFUSED))(
    'if a Deployment gives it %s: there are no pods, and events say why',
    async (_title, [spec, message]) => {
      const labels = { app: 'refused' };
      const template = { metadata: { labels }, spec: { containers: [MAIN], ...spec } };
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'refused' },
        spec: { selector: { matchLabels: labels }, template },
      };
      await cluster.apply(deployment);
      await cluster.advance('1m');
      expect(await cluster.list('pods', { labelSelector: 'app=refused' })).toEqual([]);
      const events = await cluster.list('events', { fieldSelector: 'reason=FailedCreate' });
      expect(events.map((event) => event.message)).toContainEqual(expect.stringContaining(`is forbidden: ${message}`));
      await cluster.delete('deployment/refused');
      await cluster.settle();
    },
  );
});
