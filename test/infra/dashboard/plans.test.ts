import { expect, test } from 'vitest';
import type { Cluster } from '../../../infra/testCluster/startCluster.ts';
import type { ActionOutcome } from '../../../infra/dashboard/server/actOn.ts';
import { type DiffLine, diffAsYaml } from '../../../infra/dashboard/views/diffAsYaml.ts';
import { PAGE_ACTS, type PageAction } from '../../../infra/dashboard/views/planAction.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { storedObjects } from '../../support/storedObjects.ts';
import { webDeployment } from '../../support/webDeployment.ts';

interface Trial {
  readonly action: PageAction;
  /** What the Deployment is before, on top of its two revisions. */
  readonly before?: object;
  /** The part of the Deployment that the confirmed action leaves. `gone`: nothing is left of it. */
  readonly after: object | 'gone';
}

const containers = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'web', image }] } } } });

/** One line for each action that the page has; the first test fails without it. */
const TRIALS: Readonly<Record<PageAction['act'], Trial>> = {
  pause: { action: { act: 'pause' }, after: { spec: { paused: true } } },
  resume: {
    action: { act: 'resume' },
    before: { paused: true },
    after: { spec: expect.not.objectContaining({ paused: true }) as object },
  },
  restart: {
    action: { act: 'restart' },
    after: {
      spec: {
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) as string } } },
      },
    },
  },
  undo: { action: { act: 'undo', revision: 1 }, after: containers('nginx:1') },
  scale: { action: { act: 'scale', replicas: 3 }, after: { spec: { replicas: 3 } } },
  setImage: { action: { act: 'setImage', container: 'web', image: 'nginx:3' }, after: containers('nginx:3') },
  delete: { action: { act: 'delete' }, after: 'gone' },
};

test('each action of the page has a line here', () => {
  expect(Object.keys(TRIALS).sort()).toEqual([...PAGE_ACTS].sort());
  expect(Object.values(TRIALS).map(({ action }) => action.act)).toEqual(Object.keys(TRIALS));
});

test.each(Object.entries(TRIALS))('the plan of %s writes nothing', async (_, { action, before }) => {
  const { cluster, stored } = await settledWeb(before);
  const found = await stored();
  expect(found.has('/apis/apps/v1/deployments/default/web')).toBe(true);
  expect(await ask(cluster, { ...action, dryRun: true })).toMatchObject({ is: 'planned' });
  await cluster.settle();
  expect(await stored()).toEqual(found);
});

test.each(Object.entries(TRIALS))('%s, once confirmed, does what was planned', async (_, { action, before, after }) => {
  const { cluster, stored, deployment } = await settledWeb(before);
  const [old, plan] = [await deployment(), await ask(cluster, { ...action, dryRun: true })];
  if (plan.is !== 'planned') throw new Error(plan.says);
  const done = await ask(cluster, { ...action, dryRun: false, generation: plan.generation });
  expect(done).toEqual({ is: 'done', says: plan.says });
  const changed = await deployment();
  if (after === 'gone') {
    expect(changed).toBeUndefined();
    await cluster.advance('5m');
    expect([...(await stored()).keys()].filter((path) => /\/(replicasets|pods)\/default\/web-/.test(path))).toEqual([]);
  } else {
    expect(changed).toMatchObject(after);
    expect(changesIn(plan.diff)).toEqual(changesIn(diffAsYaml(specOf(old), specOf(changed))));
    expect(changesIn(plan.diff)).not.toEqual([]);
  }
});

/** A cluster that keeps still, with a Deployment of two revisions. */
async function settledWeb(spec: object = {}) {
  const cluster = await startTestCluster({ clock: 'virtual' });
  for (const image of ['nginx:1', 'nginx:2']) {
    await cluster.apply(webDeployment(image, 2));
    await cluster.advance('1m');
  }
  await cluster.patch('deployment/web', { spec });
  await cluster.settle();
  const stored = () => storedObjects((path, init) => fetch(cluster.url + path, init));
  const deployment = async () => (await stored()).get('/apis/apps/v1/deployments/default/web');
  return { cluster, stored, deployment };
}

/** Asks as the page in a browser does. */
async function ask({ url }: Cluster, body: object): Promise<ActionOutcome> {
  const headers = { 'x-driftless-dashboard': '1', 'content-type': 'application/json' };
  const address = `${url}/dashboard/api/deployments/default/web/act`;
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as ActionOutcome;
}

function specOf(deployment: Deployment | undefined): object {
  return { ...deployment?.spec };
}

/** Without the lines around the changes: what a scale shows has none. */
function changesIn(diff: readonly DiffLine[]): readonly DiffLine[] {
  return diff.filter(({ sign }) => sign !== ' ');
}
