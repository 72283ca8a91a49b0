import type { Page } from 'playwright-core';
import { startChromium } from '../support/chromium.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { benchDeployment, patchImage } from './benchDeployment.ts';
import type { PodShape } from './benchPods.ts';
import { createCompanions } from './createCompanions.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { percentile } from './percentile.ts';
import { RolloutObserver } from './RolloutObserver.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const WAIT_MS = 600_000;
/** A text, so that nothing that compiles this file touches it. */
const COUNT_FRAMES =
  'window.frames = []; (function next(ms) { window.frames.push(ms); requestAnimationFrame(next); })(performance.now());';

/** Measures how smoothly the dashboard draws a rollout of so many pods, in a browser on the same machine. */
export async function dashboardBench(pods: number, shape: PodShape): Promise<void> {
  const server = await ServerProcess.start(['--ephemeral']);
  const browser = await startChromium();
  try {
    const api = new KubernetesApi(server.baseUrl);
    await createCompanions(api, 'default');
    await api.call('POST', DEPLOYMENTS, benchDeployment('web', pods, 'nginx:1', shape));
    const observer = new RolloutObserver(api, 'default');
    await observer.until('all pods', () => observer.complete(1, 'nginx:1'), WAIT_MS);
    observer.stop();
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(WAIT_MS);
    for (const visit of ['first', 'second', 'third'])
      console.log(`${visit} visit: ${await visitOf(page, server.baseUrl)}`);
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

/** Opens the overview, and says when something was painted, and when the Deployment was shown. */
async function visitOf(page: Page, baseUrl: string): Promise<string> {
  await page.goto('about:blank');
  const begunMs = performance.now();
  await page.goto(`${baseUrl}/dashboard`);
  await page.getByRole('link', { name: 'default/web' }).waitFor();
  const shownMs = performance.now() - begunMs;
  const paintedMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
  );
  return `painted after ${Math.round(paintedMs)} ms, all workloads shown after ${Math.round(shownMs)} ms`;
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
