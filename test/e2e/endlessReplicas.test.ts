import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployment } from '../rest/startApi.ts';
import { ServerProcess } from '../support/ServerProcess.ts';

const MAX_INT32 = 2 ** 31 - 1;

const labels = { app: 'endless' };
/** The pods find no node, so that those of others do. */
const template = {
  metadata: { labels },
  spec: { nodeSelector: { is: 'nowhere' }, containers: [{ name: 'c', image: 'a:1' }] },
};
const spec = { replicas: MAX_INT32, selector: { matchLabels: labels }, template };

/** Nothing limits how many pods there may be: they are created in bursts for as long as the server runs, as in Kubernetes. */
describe.each([
  ['a StatefulSet in order', 'statefulsets', { ...spec, serviceName: 'a' }],
  ['a parallel StatefulSet', 'statefulsets', { ...spec, serviceName: 'a', podManagementPolicy: 'Parallel' }],
  ['a ReplicaSet', 'replicasets', spec],
])('%s that asks for 2,147,483,647 pods', (_, resource, wanted) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(async () => await server.dispose());

  test('holds up nobody, and neither does a start with it', async () => {
    await create(server, resource, { metadata: { name: 'endless' }, spec: wanted });
    await expectToBecomeAvailable(server, 'beside-it');
    expect(await podCount(server)).toBeGreaterThan(0);
    expect(await server.end('SIGKILL')).toBe(null);
    server = await ServerProcess.start([], server.dataDir);
    await expectToBecomeAvailable(server, 'after-restart');
    const gone = await fetch(`${server.baseUrl}/apis/apps/v1/namespaces/default/${resource}/endless`, {
      method: 'DELETE',
    });
    expect(gone.status).toBe(200);
  });
});

async function create(server: ServerProcess, resource: string, object: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}/apis/apps/v1/namespaces/default/${resource}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  expect(response.status, await response.text()).toBe(201);
}

/** Creates a Deployment and follows it until its pod is available. */
async function expectToBecomeAvailable(server: ServerProcess, name: string): Promise<void> {
  await create(server, 'deployments', deployment(name));
  const selector = new URLSearchParams({ watch: '1', fieldSelector: `metadata.name=${name}` }).toString();
  const watch = await fetch(`${server.baseUrl}/apis/apps/v1/namespaces/default/deployments?${selector}`);
  let seen = '';
  for await (const chunk of watch.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += chunk;
    if (seen.includes('"availableReplicas":1')) return;
  }
  throw new Error(`the watch of ${name} ended: ${seen.slice(-1_000)}`);
}

async function podCount(server: ServerProcess): Promise<number> {
  const answer = await fetch(`${server.baseUrl}/api/v1/namespaces/default/pods?labelSelector=app%3Dendless&limit=2`);
  return ((await answer.json()) as { items: unknown[] }).items.length;
}
