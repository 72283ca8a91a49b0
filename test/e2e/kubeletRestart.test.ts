import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, expect, it } from 'vitest';
import { KubeletClient } from '../support/kubelet/KubeletClient.ts';
import { TestKubelet } from '../support/kubelet/TestKubelet.ts';
import { ServerProcess } from '../support/ServerProcess.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';
const REPLICAS = 6;

let server: ServerProcess;
let kubelet: TestKubelet;
afterEach(async () => {
  await kubelet?.stop();
  await server?.dispose();
});

function deployment() {
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'web', image: 'busybox:1' }] };
  const template = { metadata: { labels }, spec };
  return {
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: REPLICAS, selector: { matchLabels: labels }, template },
  };
}

/** Resolves when the Deployment passes the test. */
async function until(client: KubeletClient, test: (found: Deployment) => boolean): Promise<void> {
  const ended = new AbortController();
  await client.watch(`${DEPLOYMENTS}?watch=true`, ended.signal, ({ object }) => {
    if (test(object as Deployment)) ended.abort();
  });
}

function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
  return status.observedGeneration === metadata?.generation && counts.every((count) => count === spec?.replicas);
}

it('a kill -9 of the server in the middle of a roll loses no pod of a kubelet, and makes none twice', async () => {
  server = await ServerProcess.start(['--nodes', '0']);
  const client = new KubeletClient({ server: server.baseUrl });
  kubelet = await TestKubelet.start({ nodeName: 'worker', api: { server: server.baseUrl } });
  expect((await client.send('POST', DEPLOYMENTS, deployment())).code).toBe(201);
  await until(client, isComplete);

  const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'busybox:2' }] } } } };
  await client.send('PATCH', `${DEPLOYMENTS}/web`, image, 'application/strategic-merge-patch+json');
  await until(client, ({ status }) => status?.observedGeneration === 2 && (status.updatedReplicas ?? 0) > 0);
  await server.end('SIGKILL');
  server = await ServerProcess.start(['--nodes', '0', '--port', new URL(server.baseUrl).port], server.dataDir);
  await until(client, isComplete);

  const { body } = await client.send('GET', PODS);
  const left = (body.items as Pod[]).filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  expect(left.map(({ spec, status }) => [spec?.nodeName, spec?.containers[0]?.image, status?.phase])).toEqual(
    Array.from({ length: REPLICAS }, () => ['worker', 'busybox:2', 'Running']),
  );
  const started = [...kubelet.pods.started.values()];
  expect(started.map((uids) => uids.length)).toEqual(Array.from({ length: 2 * REPLICAS }, () => 1));
  expect(kubelet.refusals).toEqual([]);
}, 180_000);
