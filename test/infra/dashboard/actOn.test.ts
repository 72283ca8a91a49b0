import { expect, test } from 'vitest';
import { actOn, planOn } from '../../../infra/dashboard/server/actOn.ts';
import { DryRunClient } from '../../../infra/dashboard/server/DryRunClient.ts';
import type { PageAction } from '../../../infra/dashboard/views/planAction.ts';
import type { SendRequest } from '../../../infra/host/SendRequest.ts';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const WEB = { namespace: 'default', name: 'web' };
const PATH = '/apis/apps/v1/namespaces/default/deployments/web';

/** A cluster whose Deployment has two revisions, in which somebody else changes the Deployment right before each of the first `times` changes that are sent. */
async function disturbedWeb(times: number, change: object) {
  const cluster = await startTestCluster({ clock: 'virtual' });
  for (const image of ['nginx:1', 'nginx:2']) {
    await cluster.apply(webDeployment(image, 2));
    await cluster.advance('1m');
  }
  const fetchFrom: SendRequest = (path, init) => fetch(cluster.url + path, init);
  let left = times;
  const send: SendRequest = async (path, init) => {
    if (init?.method === 'PATCH' && left > 0) {
      left -= 1;
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = JSON.stringify({ metadata: { labels: { left: String(left) } }, ...change });
      await (await fetchFrom(PATH, { method: 'PATCH', headers, body })).text();
    }
    return await fetchFrom(path, init);
  };
  return { cluster, send };
}

const ACTIONS: readonly PageAction[] = [
  { act: 'pause' },
  { act: 'restart' },
  { act: 'undo', revision: 1 },
  { act: 'scale', replicas: 3 },
  { act: 'setImage', container: 'web', image: 'nginx:3' },
];

test.each(ACTIONS)('$act is done although a controller writes at the same moment', async (action) => {
  const { cluster, send } = await disturbedWeb(2, {});
  const nowMs = cluster.now().getTime();
  const tried = await planOn(new DryRunClient(send), WEB, action, { nowMs });
  expect(tried.is).toBe('planned');
  const generation = tried.is === 'planned' ? tried.generation : undefined;
  expect(await actOn(send, WEB, action, { nowMs, generation })).toMatchObject({ is: 'done' });
  const changed = (await (await send(PATH)).json()) as { readonly metadata: { readonly generation: number } };
  expect(changed.metadata.generation).toBe((generation ?? 0) + 1);
});

test('an action is refused when somebody changes the spec at the same moment', async () => {
  const { cluster, send } = await disturbedWeb(1, { spec: { replicas: 7 } });
  const how = { nowMs: cluster.now().getTime() };
  const outcome = await actOn(send, WEB, { act: 'scale', replicas: 3 }, how);
  expect(outcome).toEqual({
    is: 'refused',
    says: 'Somebody has changed web since you looked. Look again, and try once more.',
  });
  expect((await cluster.get('deployment/web')).spec?.replicas).toBe(7);
});

test('an action is given up when the Deployment never keeps still', async () => {
  const { cluster, send } = await disturbedWeb(100, {});
  const how = { nowMs: cluster.now().getTime() };
  const outcome = await actOn(send, WEB, { act: 'pause' }, how);
  expect(outcome).toEqual({ is: 'refused', says: 'Something else keeps changing web. Try once more.' });
  expect((await cluster.get('deployment/web')).spec?.paused).toBeUndefined();
});

test('an action on a Deployment that is gone is refused', async () => {
  const { cluster, send } = await disturbedWeb(0, {});
  const outcome = await actOn(send, { ...WEB, name: 'api' }, { act: 'pause' }, { nowMs: 0 });
  expect([cluster.now().getTime() > 0, outcome]).toEqual([true, { is: 'refused', says: 'api is gone.' }]);
});
