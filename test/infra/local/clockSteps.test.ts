import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { afterEach, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../infra/local/startControlPlane.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { LmdbJournal } from '../../../lambdas/adapters/embedded/LmdbJournal.ts';
import { LmdbKeyItemStorage } from '../../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOURS_MS = 2 * 3_600_000;
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function start(clock: VirtualClock, directory?: string): Promise<ControlPlane> {
  const durable = directory !== undefined && {
    journal: LmdbJournal.open(directory),
    keyItems: LmdbKeyItemStorage.open(directory),
  };
  const controlPlane = await startControlPlane({ clock, ...durable });
  endings.push(() => controlPlane.stop());
  return controlPlane;
}

async function send(controlPlane: ControlPlane, method: string, path: string, body: unknown): Promise<void> {
  const type = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
  const init = { method, headers: { 'Content-Type': type }, body: JSON.stringify(body) };
  const response = await controlPlane.fetch(new Request(controlPlane.url + path, init));
  expect(response.ok).toBe(true);
}

function create(controlPlane: ControlPlane, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const template = {
    metadata: { labels: { app: 'web' }, annotations },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
  };
  return send(controlPlane, 'POST', DEPLOYMENTS, webDeployment('nginx:1', 3, { template, minReadySeconds: 1 }));
}

function setImage(controlPlane: ControlPlane, image: string): Promise<void> {
  const containers = [{ name: 'web', image }];
  return send(controlPlane, 'PATCH', `${DEPLOYMENTS}/web`, { spec: { template: { spec: { containers } } } });
}

/** Lets time pass, and the cluster settle after each timer. */
async function pass(controlPlane: ControlPlane, clock: VirtualClock, ms: number): Promise<void> {
  const untilMs = clock.now() + ms;
  await controlPlane.whenIdle();
  for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
    clock.advanceTo(next);
    await controlPlane.whenIdle();
  }
  clock.advanceTo(untilMs);
}

async function counts(controlPlane: ControlPlane) {
  const response = await controlPlane.fetch(new Request(`${controlPlane.url}${DEPLOYMENTS}/web`));
  const { metadata, spec, status } = (await response.json()) as Deployment;
  const isSeen = status?.observedGeneration === metadata?.generation;
  return { isSeen, wanted: spec?.replicas, updated: status?.updatedReplicas, available: status?.availableReplicas };
}

const complete = (wanted: number) => ({ isSeen: true, wanted, updated: wanted, available: wanted });

test.each([-2_000, -20_000, -HOURS_MS, 2_000, 20_000, HOURS_MS])(
  'a rollout that begins just after the clock was set by %d ms is done within 20 s',
  async (stepMs) => {
    const clock = new VirtualClock(START_MS);
    const controlPlane = await start(clock);
    await create(controlPlane, { 'simulate.driftless.dev/ready-after': '2s' });
    await pass(controlPlane, clock, 10_000);
    expect(await counts(controlPlane)).toEqual(complete(3));
    clock.step(stepMs);
    await setImage(controlPlane, 'nginx:2');
    await pass(controlPlane, clock, 20_000);
    expect(await counts(controlPlane)).toEqual(complete(3));
  },
);

test.each([-20_000, -HOURS_MS, HOURS_MS])(
  'a rollout in the midst of which the clock is set by %d ms is done within a minute',
  async (stepMs) => {
    const clock = new VirtualClock(START_MS);
    const controlPlane = await start(clock);
    await create(controlPlane, { 'simulate.driftless.dev/ready-after': '2s' });
    await pass(controlPlane, clock, 10_000);
    await setImage(controlPlane, 'nginx:2');
    await pass(controlPlane, clock, 2_500);
    clock.step(stepMs);
    await pass(controlPlane, clock, 60_000);
    expect(await counts(controlPlane)).toEqual(complete(3));
  },
);

// What stood in the way: a pod that had become ready while the clock was ahead was written back to not ready, until the clock would be there again.
test.each(['before', 'after'])(
  'a Deployment is scaled within 15 s when the clock was hours ahead and is set back %s a restart',
  async (when) => {
    const directory = await mkdtemp(join(tmpdir(), 'driftless-clock-'));
    endings.push(() => rm(directory, { recursive: true }));
    const clock = new VirtualClock(START_MS);
    const first = await start(clock, directory);
    await create(first, { 'simulate.driftless.dev/ready-after': '2s' });
    await pass(first, clock, 10_000);
    clock.step(HOURS_MS);
    await send(first, 'PATCH', `${DEPLOYMENTS}/web`, { spec: { replicas: 2 } });
    await pass(first, clock, 1_000);
    await setImage(first, 'nginx:2');
    // In the midst of the rollout: pods are starting, and keys have wake-ups.
    await pass(first, clock, 1_000);
    if (when === 'before') clock.step(-HOURS_MS);
    await first.stop();
    endings.pop();
    const second = await start(clock, directory);
    if (when === 'after') clock.step(-HOURS_MS);
    await send(second, 'PATCH', `${DEPLOYMENTS}/web`, { spec: { replicas: 3 } });
    await pass(second, clock, 15_000);
    expect(await counts(second)).toEqual(complete(3));
  },
);
