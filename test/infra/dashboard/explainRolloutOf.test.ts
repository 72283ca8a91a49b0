import { expect, onTestFinished, test, vi } from 'vitest';
import { ClusterMirror } from '../../../infra/dashboard/server/ClusterMirror.ts';
import { explainRolloutOf } from '../../../infra/dashboard/server/explainRolloutOf.ts';
import type { SendRequest } from '../../../infra/host/SendRequest.ts';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { webDeployment } from '../../support/webDeployment.ts';

/** A stuck rollout, and the mirror of a page that shows it. `asked` counts what the server was asked to explain. */
async function startStuck(answer: (path: string) => Response | undefined) {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(webDeployment('nginx:1', 4));
  await cluster.advance('1m');
  await cluster.apply(webDeployment('nginx:404', 4));
  await cluster.advance('2m');
  const asked: string[] = [];
  const send: SendRequest = async (path, init) => {
    if (path.startsWith('/debug/')) asked.push(path);
    return answer(path) ?? (await cluster.request(path, init));
  };
  const mirror = new ClusterMirror(send, () => Date.parse('2026-01-01T00:03:00Z'));
  onTestFinished(() => mirror.stop());
  const watches = [mirror.deployments, mirror.replicaSets, mirror.pods];
  for (const watch of watches) watch.follow(() => {});
  await vi.waitFor(() => expect(watches.every(({ isKnown }) => isKnown)).toBe(true));
  return { mirror, asked, explain: () => explainRolloutOf(mirror, 'default', 'web') };
}

const isDebug = (path: string) => path.startsWith('/debug/');

test.each([
  [
    'knows no such path',
    (path: string) => (isDebug(path) ? new Response('404 page not found\n', { status: 404 }) : undefined),
  ],
  ['answers something else', (path: string) => (isDebug(path) ? new Response('<!doctype html>') : undefined)],
  ['refuses', (path: string) => (isDebug(path) ? Response.json({}, { status: 403 }) : undefined)],
])('says what a server that %s would say if it were Driftless', async (_, answer) => {
  const own = await (await startStuck(() => undefined)).explain();
  const computed = await (await startStuck(answer)).explain();
  expect([own?.isOwn, computed?.isOwn]).toEqual([true, false]);
  expect(computed?.nowMs).toBe(own?.nowMs);
  const named = (text: unknown) => JSON.stringify(text).replaceAll(/web-[\w-]+/g, 'web-<Hash>');
  const { summary, why, wouldWrite, waitsFor } = own?.rollout ?? {};
  expect(why).not.toEqual([]);
  expect(named(computed?.rollout)).toContain(named({ summary }).slice(1, -1));
  expect(named(computed?.rollout)).toContain(named({ why, wouldWrite, waitsFor }).slice(1, -1));
  expect(computed?.stuckPods.map(({ reason }) => reason)).toEqual(own?.stuckPods.map(({ reason }) => reason));
});

test('asks a server that knows no such path only once', async () => {
  const { explain, asked } = await startStuck((path) =>
    isDebug(path) ? new Response('', { status: 404 }) : undefined,
  );
  for (let time = 0; time < 3; time += 1) expect((await explain())?.isOwn).toBe(false);
  expect(asked).toHaveLength(1);
});

test('asks Driftless again after a Deployment was not known', async () => {
  const { mirror, explain } = await startStuck(() => undefined);
  expect(await explainRolloutOf(mirror, 'default', 'other')).toBeUndefined();
  expect((await explain())?.isOwn).toBe(true);
});

test('asks a server in the cloud, where each request costs, once in half a minute, and computes the rest', async () => {
  const waits = {
    traceId: 'a',
    writtenAtMs: 0,
    via: 'stream',
    noticeMs: 2_100,
    heldMs: 0,
    queueMs: 0,
    lockMs: 0,
    syncMs: 5,
  };
  const { explain, asked } = await startStuck((path) =>
    isDebug(path)
      ? Response.json({ nowMs: 1, rollout: {}, stuckPods: [], lastChange: { waits, clocksDifferMs: 2_000 } })
      : undefined,
  );
  for (let time = 0; time < 3; time += 1) {
    const why = await explain();
    expect(why?.waited).toContain('waited 2.1 s for the stream');
    expect(why?.rollout?.why).not.toEqual([]);
  }
  expect(asked).toHaveLength(1);
});
