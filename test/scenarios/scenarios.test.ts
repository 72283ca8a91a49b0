import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { modernize } from './modernize.ts';
import { ScenarioRun } from './ScenarioRun.ts';
import { scenarios } from './scenarios.ts';
import { describeTimeline } from './describeTimeline.ts';
import type { Seen } from './Timeline.ts';

/** Recordings of Kubernetes 1.20.2: etcd, API server and controller manager, with pods that are ready at once. */
const RECORDINGS = join(import.meta.dirname, 'recordings');
/** Our own timelines of scenarios without a recording, checked against Kubernetes' arithmetic (see scenarios.ts). `UPDATE_GOLDEN=1` rewrites them, for review. */
const GOLDEN = join(import.meta.dirname, 'golden');

const UPDATES_GOLDEN = process.env['UPDATE_GOLDEN'] === '1';
/** The time after the last step of a scenario that is still recorded. */
const AFTERMATH_MS = 1_500;

let run: ScenarioRun;
afterEach(() => run.stop());

async function play(name: string): Promise<readonly Seen[]> {
  run = await ScenarioRun.start();
  await scenarios[name]?.(run);
  await run.pass(AFTERMATH_MS);
  return run.states;
}

const names = Object.keys(scenarios);
const isRecorded = (name: string) => existsSync(join(RECORDINGS, `${name}.jsonl`));

describe('a scenario has the timeline recorded from Kubernetes', () => {
  test.each(names.filter(isRecorded))('%s', async (name) => {
    const lines = readFileSync(join(RECORDINGS, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    const recorded = modernize(lines.map((line) => JSON.parse(line) as Seen));
    expect(describeTimeline(await play(name))).toBe(describeTimeline(recorded));
  });
});

describe('a scenario has the timeline that Kubernetes` arithmetic gives', () => {
  test.each(names.filter((name) => !isRecorded(name)))('%s', async (name) => {
    const file = join(GOLDEN, `${name}.txt`);
    const timeline = describeTimeline(await play(name));
    if (UPDATES_GOLDEN) writeFileSync(file, timeline);
    expect(timeline).toBe(readFileSync(file, 'utf8'));
  });
});

describe('the timing of a scenario', () => {
  test('with minReadySeconds 2 leaves two seconds between the steps of a rollout', async () => {
    const steps = stepsOf(await play('min-ready-seconds'), 'rs-1').slice(1);
    for (const [at, stepMs] of steps.entries()) expect(stepMs - (steps[at - 1] ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  test('with a progress deadline of three seconds exceeds it after three to five seconds', async () => {
    const states = await play('progress-deadline');
    const begun = states.find(({ on, spec }) => on === 'Deployment' && spec?.image === 'nginx:404');
    const passed = states.find(({ status }) =>
      status?.conditions?.some((one) => one.includes('ProgressDeadlineExceeded')),
    );
    const waitedMs = (passed?.at ?? 0) - (begun?.at ?? 0);
    expect(waitedMs).toBeGreaterThan(3_000);
    expect(waitedMs).toBeLessThanOrEqual(5_000);
  });
});

/** The times at which a ReplicaSet got each of its sizes. */
function stepsOf(states: readonly Seen[], name: string): number[] {
  const own = states.filter((seen) => seen.on === 'ReplicaSet' && seen.name === name);
  return own.filter(({ replicas }, at) => replicas !== own[at - 1]?.replicas).map(({ at }) => at);
}
