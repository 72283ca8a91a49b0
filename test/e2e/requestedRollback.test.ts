import { expect, test } from 'vitest';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const PATH = '/apis/apps/v1/namespaces/default/deployments/web';

async function rolledTwice() {
  const cluster = await startTestCluster({ clock: 'virtual' });
  for (const image of ['nginx:1', 'nginx:2', 'nginx:3']) {
    await cluster.apply(webDeployment(image, 2));
    await cluster.advance('1m');
  }
  const patch = async (body: object, query = '') => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const answer = await fetch(cluster.url + PATH + query, { method: 'PATCH', headers, body: JSON.stringify(body) });
    return { code: answer.status, body: (await answer.json()) as Deployment & { message?: string } };
  };
  const ask = (revision: string) =>
    patch({ metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } } });
  return { cluster, patch, ask };
}

test.each([
  { asked: '1', image: 'nginx:1' },
  { asked: '2', image: 'nginx:2' },
  { asked: '0', image: 'nginx:2' },
])('a client of apps/v1 rolls a Deployment back to revision $asked by one annotation', async ({ asked, image }) => {
  const { cluster, ask } = await rolledTwice();
  expect((await ask(asked)).code).toBe(200);
  await cluster.advance('1m');
  const web = await cluster.get('deployment/web');
  expect(web).toMatchObject({ status: { updatedReplicas: 2, availableReplicas: 2, replicas: 2 } });
  expect(web.spec?.template.spec?.containers[0]?.image).toBe(image);
  expect(web.metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '4' });
  expect(web.metadata.annotations).not.toHaveProperty(['deprecated.deployment.rollback.to']);
});

test('a negative revision is refused, and the former field is unknown, as in Kubernetes', async () => {
  const { patch, ask } = await rolledTwice();
  const refused = await ask('-1');
  expect(refused.code).toBe(422);
  expect(refused.body.message).toContain(
    'spec.rollback.version: Invalid value: -1: must be greater than or equal to 0',
  );
  const unknown = await patch({ spec: { rollbackTo: { revision: 1 } } }, '?fieldValidation=Strict');
  expect(unknown.code).toBe(422);
  expect(unknown.body.message).toContain('unknown field "spec.rollbackTo"');
});
