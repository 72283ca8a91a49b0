// Slow: a browser draws thousands of pods.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { browserPages, WAIT_MS } from '../support/browserPages.ts';
import { hasChromium } from '../support/chromium.ts';
import { kubectlFor } from '../support/kubectl.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { storedObjects } from '../support/storedObjects.ts';
import { webDeployment } from '../support/webDeployment.ts';

const CALL = { 'x-driftless-dashboard': '1' };

/** How many watches run for the page. */
async function watchesOf({ url }: Cluster): Promise<number> {
  const answer = await fetch(`${url}/dashboard/api/costs`, { headers: CALL });
  return ((await answer.json()) as { readonly running: number }).running;
}

describe.skipIf(!hasChromium)('the dashboard in a browser', { timeout: 120_000 }, () => {
  const { openPage } = browserPages();

  test('explains a stuck rollout, and undoes it when that is confirmed', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment());
    await cluster.advance('1m');
    await cluster.apply(webDeployment('nginx:404'));
    await cluster.advance('11m');
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    await page.locator('p.stuck b').getByText('ImagePullBackOff').waitFor();
    await page.locator('.bar .state.stuck').waitFor();
    await page.getByRole('button', { name: 'Undo to 1' }).click();
    await page.getByText('The API has tried it and would accept it.').waitFor();
    const tried = await cluster.get('deployment/web');
    expect(tried.spec?.template?.spec?.containers?.[0]?.image).toBe('nginx:404');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    const undone = await cluster.get('deployment/web');
    expect(undone.spec?.template?.spec?.containers?.[0]?.image).toBe('nginx:1');
    await cluster.advance('2m');
    await page.getByText('All 10 are available.').waitFor();
  });

  test('deletes nothing with a click on Delete, and what was planned when that is confirmed', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 2));
    await cluster.advance('1m');
    const stored = () => storedObjects((path, init) => fetch(cluster.url + path, init));
    const before = await stored();
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The API has tried it and would accept it.').waitFor();
    await cluster.settle();
    expect(await stored()).toEqual(before);
    // The stream tells that the Deployment is gone before the server's answer arrives, as it may.
    await page.route('**/act', async (route) => {
      const response = await route.fetch();
      await page.getByText('There is no Deployment default/web.').waitFor();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    await cluster.advance('5m');
    expect(await Promise.all(['deployments', 'replicasets', 'pods'].map((kind) => cluster.list(kind)))).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('shows the time of a virtual clock, also where nothing is due', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', startTime: '2026-01-01T00:00:00Z' });
    const page = await openPage(cluster.dashboardUrl);
    await page.getByText('2026-01-01 00:00:00').waitFor();
    await cluster.advance('7s');
    await page.getByText('2026-01-01 00:00:07').waitFor();
    await page.getByLabel('Duration').fill('3 apples');
    await page.getByRole('button', { name: 'Advance' }).click();
    await page.locator('.clock .warning').getByText('3 apples').waitFor();
    expect(cluster.now().toISOString()).toBe('2026-01-01T00:00:07.000Z');
  });

  test('looks back over what it has seen', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 4));
    await cluster.advance('1m');
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    await page.getByText('All 4 are available.').waitFor();
    await cluster.advance('1m');
    await cluster.apply(webDeployment('nginx:2', 4));
    await cluster.advance('1m');
    await page.getByText('New revision 2').waitFor();
    await page.locator('.lane.new > div', { hasText: 'wants 4: 4 available' }).waitFor();
    await page.getByLabel('Look back').focus();
    await page.keyboard.press('Home');
    await page.getByText('New revision 1').waitFor();
    await page.getByText('moment 1 of').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('New revision 2').waitFor();
    // The left edge of the chart is the first moment that it shows.
    await page.locator('.chart .u-over').click({ position: { x: 1, y: 40 } });
    await page.getByText('New revision 1').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
  });

  test('adds a behaviour of pods, shows what it does to a rollout, and removes it', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 4));
    await cluster.advance('1m');
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    await page.getByText('Faults and behaviours of pods').click();
    await page.getByLabel('Image of the pods').fill('nginx:2');
    await page.getByRole('button', { name: 'Add behaviour' }).click();
    await page.getByText('Pods of nginx:2: failPull.').waitFor();
    await page.getByLabel('Set image of web').fill('nginx:2');
    await page.getByRole('button', { name: 'Set image of web' }).click();
    await page.locator('.asked .added').getByText('image: nginx:2').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    await page.getByRole('button', { name: '+ 1m' }).click();
    await page.locator('p.stuck b').getByText('ImagePullBackOff').waitFor();
    await page.getByRole('button', { name: /^Remove dashboard-/ }).click();
    await page.getByText('Pods of nginx:2: failPull.').waitFor({ state: 'detached' });
    expect(await cluster.list('podbehaviours')).toEqual([]);
    await page.getByLabel('Times').fill('none');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('spec.times').waitFor();
    expect(await cluster.list('faults')).toEqual([]);
    await page.getByRole('button', { name: '+ 10m' }).click();
    await page.getByText('All 4 are available.').waitFor();
  });

  test('goes on when its server was killed and started again', async () => {
    const first = await ServerProcess.start();
    onTestFinished(() => first.dispose());
    const { port } = new URL(first.baseUrl);
    const page = await openPage(`${first.baseUrl}/dashboard`);
    await page.getByText('There are no workloads yet.').waitFor();
    await kubectlFor(first.kubeconfig)('create deployment web --image=nginx:1 --replicas=2');
    await page.getByText('All 2 are available.').waitFor();
    await first.end('SIGKILL');
    await page.getByText('The server does not answer.').waitFor();
    const second = await ServerProcess.start(['--port', port], first.dataDir);
    onTestFinished(() => second.dispose());
    await kubectlFor(second.kubeconfig)('scale deployment web --replicas=3');
    await page.getByText('All 3 are available.').waitFor();
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
  });

  test('draws every pod of a rollout of 2,000', { timeout: 300_000 }, async () => {
    const cluster = await startTestCluster({ nodes: 20 });
    await cluster.apply(webDeployment('nginx:1', 2_000));
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    page.setDefaultTimeout(200_000);
    await page.getByText('All 2000 are available.').waitFor();
    await cluster.apply(webDeployment('nginx:2', 2_000));
    await page.getByText('New revision 2').waitFor();
    await page.locator('.lane.new > div', { hasText: 'wants 2000: 2000 available' }).waitFor();
    expect(await page.locator('.lane.new rect.pod').count()).toBe(2_000);
  });

  test('pauses a rollout, and says so', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment());
    await cluster.advance('1m');
    const page = await openPage(`${cluster.dashboardUrl}#/deployments/default/web`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await cluster.get('deployment/web')).spec?.paused).toBe(true);
  });

  test('shares one watch of each kind between two pages, and ends them with the last', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment('nginx:1', 2));
    const [first, second] = await Promise.all([openPage(cluster.dashboardUrl), openPage(cluster.dashboardUrl)]);
    for (const page of [first, second]) await page.getByRole('link', { name: 'default/web' }).waitFor();
    await vi.waitFor(async () => expect(await watchesOf(cluster)).toBe(4), { timeout: WAIT_MS });
    await first.close();
    await second.close();
    await vi.waitFor(async () => expect(await watchesOf(cluster)).toBe(0), { timeout: WAIT_MS });
  });

  test('ends its watches while it is hidden, and goes on when it is seen', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment('nginx:1', 2));
    const page = await openPage(cluster.dashboardUrl);
    await page.getByRole('link', { name: 'default/web' }).waitFor();
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await show('hidden');
    await vi.waitFor(async () => expect(await watchesOf(cluster)).toBe(0), { timeout: WAIT_MS });
    await cluster.apply({ ...webDeployment('nginx:1', 1), metadata: { name: 'later' } });
    await show('visible');
    await page.getByRole('link', { name: 'default/later' }).waitFor();
    await vi.waitFor(async () => expect(await watchesOf(cluster)).toBe(4), { timeout: WAIT_MS });
  });

  test('draws of a thousand Deployments only those in the window', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const names = Array.from({ length: 1_000 }, (_, index) => `web-${index}`);
    await cluster.apply(
      names.map((name) => ({ ...webDeployment('nginx:1', 0), metadata: { name, namespace: 'default' } })),
    );
    const page = await openPage(cluster.dashboardUrl);
    await page.getByRole('button', { name: 'all 1000' }).waitFor();
    expect(await page.locator('.rows li').count()).toBeLessThan(80);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('link', { name: 'default/web-999' }).waitFor();
    await page.getByRole('searchbox').fill('web-999');
    await vi.waitFor(async () => expect(await page.locator('.rows li').count()).toBe(1), { timeout: WAIT_MS });
    await page.getByRole('link', { name: 'default/web-999' }).waitFor();
  });

  test('neither shows anything to a page of another server nor acts for it', async () => {
    const cluster = await startTestCluster();
    await cluster.apply(webDeployment('nginx:1', 1));
    const other = createServer((_, response) => response.end('<!doctype html><title>other</title>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const page = await openPage(`http://localhost:${(other.address() as AddressInfo).port}`);
    const act = `${cluster.url}/dashboard/api/deployments/default/web/act`;
    const results = await page.evaluate(
      async ({ stream, act, headers }) => {
        const attempt = async (address: string, init: RequestInit) => {
          try {
            return await (await fetch(address, init)).text();
          } catch {
            return 'unreadable';
          }
        };
        const body = JSON.stringify({ act: 'delete', dryRun: false });
        return [
          await attempt(stream, {}),
          await attempt(stream, { headers }),
          await attempt(act, { method: 'POST', body }),
          await attempt(act, { method: 'POST', body, headers }),
          await attempt(act, { method: 'POST', body, mode: 'no-cors' }),
        ];
      },
      { stream: `${cluster.url}/dashboard/api/stream`, act, headers: CALL },
    );
    expect(results).toEqual(['unreadable', 'unreadable', 'unreadable', 'unreadable', 'unreadable']);
    expect((await cluster.get('deployment/web')).metadata.name).toBe('web');
  });
});
