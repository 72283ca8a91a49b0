import type { Page } from 'playwright-core';
import { startChromium } from '../support/chromium.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { benchDeployment, patchImage } from './benchDeployment.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { percentile } from './percentile.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const WAIT_MS = 600_000;
/** A text, so that nothing that compiles this file touches it. */
const COUNT_FRAMES =
  'window.frames = []; (function next(ms) { window.frames.push(ms); requestAnimationFrame(next); })(performance.now());';

/** Measures how smoothly the dashboard draws a rollout of so many pods, in a browser on the same machine. */
export async function dashboardBench(pods: number): Promise<void> {
  const server = await ServerProcess.start(['--ephemeral']);
  const browser = await startChromium();
  try {
    const api = new KubernetesApi(server.baseUrl);
    await api.call('POST', DEPLOYMENTS, benchDeployment('web', pods, 'nginx:1'));
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(WAIT_MS);
    // The first page of a browser also starts its processes.
    await page.goto('about:blank');
    const openedMs = performance.now();
    await page.goto(`${server.baseUrl}/dashboard`);
    await page.getByRole('link', { name: 'default/web' }).waitFor();
    console.log(`first view after ${Math.round(performance.now() - openedMs)} ms`);
    await page.getByRole('link', { name: 'default/web' }).click();
    const complete = page.locator('.lane.new').getByText(`${pods} available`);
    await complete.waitFor();
    await page.evaluate(COUNT_FRAMES);
    const begunMs = performance.now();
    await patchImage(api, `${DEPLOYMENTS}/web`, 'nginx:2');
    await page.getByText('New revision 2').waitFor();
    await complete.waitFor();
    console.log(`${pods} pods rolled in ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
    console.log(describeFrames(await framesOf(page)));
    console.log(await page.getByText('moments that this page has seen').textContent());
  } finally {
    await browser.close();
    await server.dispose();
  }
}

async function framesOf(page: Page): Promise<readonly number[]> {
  return await page.evaluate<readonly number[]>('window.frames');
}

/** Times of frames in milliseconds, as frames a second and the gaps between them. Pure. */
function describeFrames(frames: readonly number[]): string {
  const gaps = frames.slice(1).map((ms, index) => ms - (frames[index] ?? ms));
  const seconds = gaps.reduce((sum, ms) => sum + ms, 0) / 1000;
  const at = (share: number) => Math.round(percentile(gaps, share));
  return `${(gaps.length / seconds).toFixed(1)} frames a second; a gap of ${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms (longest)`;
}
