import { AppsV1Api, type KubeConfig, makeInformer, type V1Deployment } from '@kubernetes/client-node';
import { afterEach, describe, expect, test } from 'vitest';
import { startInformer } from '../support/startInformer.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

/**
 * The code under test, as the author of an operator writes it: it scales a Deployment that has exceeded its progress deadline to zero. It gets only a kubeconfig
 * and does not depend on Driftless.
 */
async function startStopper(config: KubeConfig): Promise<() => Promise<void>> {
  const api = config.makeApiClient(AppsV1Api);
  const informer = makeInformer(config, '/apis/apps/v1/deployments', () => api.listDeploymentForAllNamespaces());
  const stop = async ({ metadata, status, spec }: V1Deployment) => {
    const hasFailed = status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded');
    if (!hasFailed || spec?.replicas === 0) return;
    const place = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
    await api.patchNamespacedDeployment({ ...place, body: [{ op: 'replace', path: '/spec/replicas', value: 0 }] });
  };
  return startInformer(informer, stop);
}

let stopOperator = async (): Promise<void> => {};
afterEach(async () => await stopOperator());

describe('an operator under test', () => {
  test('reacts to a Deployment that exceeds its progress deadline of ten minutes', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      pods: [{ image: 'nginx:bad', behave: { failPull: true } }],
    });
    stopOperator = await startStopper(await cluster.kubeConfig());
    await cluster.apply(webDeployment('nginx:bad', 3));
    await cluster.advance('9m');
    expect((await cluster.get('deployment/web')).spec).toMatchObject({ replicas: 3 });
    await cluster.advance('2m');
    expect((await cluster.get('deployment/web')).spec).toMatchObject({ replicas: 0 });
    expect(await cluster.list('pods')).toEqual([]);
  });

  test('does not change a rollout that succeeds', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    stopOperator = await startStopper(await cluster.kubeConfig());
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.advance('1h');
    expect((await cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
  });

  test('meets the faults that its author adds', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { neverReady: true } }] });
    const fault = cluster.faults.add({ verb: 'patch', resource: 'deployments', respond: { code: 500 } });
    stopOperator = await startStopper(await cluster.kubeConfig());
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.advance('11m');
    expect(fault.met).toBeGreaterThan(0);
    expect((await cluster.get('deployment/web')).spec).toMatchObject({ replicas: 3 });
  });
});
