import { describe, expect, test } from 'vitest';
import { browserPages } from '../support/browserPages.ts';
import { hasChromium } from '../support/chromium.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const CALL = { 'x-driftless-dashboard': '1' };

describe.skipIf(!hasChromium)('the dashboard in a browser', { timeout: 120_000 }, () => {
  const { openPage } = browserPages();

  test('shows a rollout from its start to its end', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 10, { minReadySeconds: 10 }));
    await cluster.advance('1m');
    const page = await openPage(cluster.dashboardUrl);
    await page.getByRole('link', { name: 'default/web' }).click();
    await page.getByText('All 10 are available.').waitFor();
    await cluster.apply(webDeployment('nginx:2', 10, { minReadySeconds: 10 }));
    await cluster.settle();
    await page.getByText('pods have the newest template.').waitFor();
    await page.getByText('New revision 2').waitFor();
    await cluster.advance('5m');
    await page.getByText('All 10 are available.').waitFor();
    await page.locator('.lane.new > div', { hasText: 'wants 10: 10 available' }).waitFor();
    await page.locator('.lane:not(.new)').waitFor({ state: 'detached' });
    expect(await page.locator('.lane rect.pod.available').count()).toBe(10);
  });
});

describe('the dashboard`s server', () => {
  test('sends its page with a strict policy, and little of it', async () => {
    const cluster = await startTestCluster();
    const page = await fetch(cluster.dashboardUrl);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(html).not.toMatch(/<script>|style=|onload=/);
    const assets = [...html.matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const sizes = await Promise.all(
      assets.map(async (path) => (await (await fetch(cluster.url + path)).text()).length),
    );
    expect(sizes).toHaveLength(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });

  test.each([
    ['another host name', '/dashboard', { host: 'evil.example' }],
    ['a page of another origin', '/dashboard/api/costs', { ...CALL, origin: 'http://evil.example' }],
    ['a page of another site', '/dashboard/api/costs', { ...CALL, 'sec-fetch-site': 'cross-site' }],
    ['a call without the header of the page', '/dashboard/api/costs', {}],
    ['a call under another spelling of its path', '/dashboard/%61pi/costs', {}],
  ])('refuses %s', async (_, path, headers: Record<string, string>) => {
    const cluster = await startTestCluster();
    const { request } = await import('node:http');
    const code = await new Promise((resolve, reject) => {
      const { port } = new URL(cluster.url);
      request({ host: '127.0.0.1', port, path, headers }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(code).toBe(403);
  });

  test('of a cluster that checks permissions shows nothing without its key', async () => {
    const cluster = await startTestCluster({ rbac: true });
    expect((await fetch(`${cluster.url}/dashboard`)).status).toBe(403);
    expect((await fetch(`${cluster.url}/dashboard?key=wrong`)).status).toBe(403);
    expect((await fetch(`${cluster.url}/dashboard/api/costs`, { headers: CALL })).status).toBe(403);
    const entered = await fetch(cluster.dashboardUrl, { redirect: 'manual' });
    expect(entered.status).toBe(303);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const headers = { ...CALL, cookie: cookie.split(';')[0] ?? '' };
    expect((await fetch(`${cluster.url}/dashboard/api/server`, { headers })).status).toBe(200);
  });
});
