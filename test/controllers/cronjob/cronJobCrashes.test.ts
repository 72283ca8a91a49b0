import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { createCronJobController } from '../../../lambdas/controllers/cronjob/createCronJobController.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { finishedCondition } from '../../../lambdas/controllers/job/jobState.ts';
import type { CronJob, Job } from '../../../lambdas/objects/kinds.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { cronJobManifest } from '../../support/cronJobFixtures.ts';
import { CrashingStore, type Fate } from '../../support/CrashingStore.ts';

const KEY = { controller: 'cronjob', namespace: 'default', name: 'nightly' } as const;
const CRON_JOB = { resource: 'cronjobs.batch', namespace: 'default', name: 'nightly' } as const;
const STEP_MS = 20_000;
const STEPS = 24;
/** Two steps after the last run began, which is time for another try. */
const SUSPENDED_AT = 17;
/** Steps of a Job until it ends; its run is one minute, three steps, before the next. */
const ENDS_AFTER = 4;

/** A write that was held up arrives so many steps after its worker's crash, when a worker that was away has started the next run. */
const LATE_STEPS = 5;
/** A worker that is away for so long is back when the next run is due. */
const AWAY_STEPS = 3;

/** A CronJob's controller whose worker crashes at one of its writes, beside Jobs that end after a while, and are then deleted at once by somebody else if `isDeletedAtEnd`. */
class CrashBench {
  readonly clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  readonly ids = new SeededIds(3);
  readonly store = openEmbeddedStore({ journal: new MemoryJournal(), clock: this.clock }).objectStore;
  readonly crashing = new CrashingStore(this.store);
  readonly #calm = this.#registryOf(this.store);
  readonly #guarded = guardWrites(createCronJobController({ record: async () => {} }), {
    registry: this.#registryOf(this.crashing),
    objectStore: this.crashing,
    clock: this.clock,
  });
  #intent: Intent | undefined;
  /** How many steps each Job has been seen to run, by UID. */
  readonly #steps = new Map<string, number>();
  /** The name of each Job that ever existed, by UID. */
  readonly seen = new Map<string, string>();
  mostActive = 0;
  #stepsSinceCrash = Number.POSITIVE_INFINITY;

  #registryOf(objectStore: CrashBench['store']) {
    const catalog = createResourceCatalog(resourceEntries);
    return createRegistry({ objectStore, clock: this.clock, ids: this.ids, catalog });
  }

  async start(spec: Readonly<Record<string, unknown>>): Promise<void> {
    const metadata = { name: 'default' };
    await this.#calm.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    const outcome = await this.#calm.create('cronjobs.batch', cronJobManifest(spec));
    if (outcome.status === 'refused') throw outcome.error;
  }

  async cronJob(): Promise<CronJob> {
    return (await this.#calm.get<CronJob>(CRON_JOB)) as CronJob;
  }

  async jobs(): Promise<readonly Job[]> {
    return (await this.store.list<Job>('jobs.batch', { namespace: 'default' })).items;
  }

  /** Syncs the CronJob every 20 seconds, then suspends it and lets all Jobs end. */
  async run(fate: (nth: number) => Fate, isDeletedAtEnd: boolean, awaySteps: number): Promise<void> {
    this.crashing.fate = fate;
    for (let step = 0; step < STEPS; step++) {
      if (step === SUSPENDED_AT) await this.#suspend();
      if (this.#stepsSinceCrash++ >= awaySteps) await this.#sync();
      await this.#look();
      await this.#endJobs(isDeletedAtEnd);
      this.clock.advanceBy(STEP_MS);
      // What was under way for long arrives after another worker has taken over.
      if (this.#stepsSinceCrash === LATE_STEPS) await this.crashing.arrive();
      await this.#look();
    }
  }

  /** Runs until a Job has started, then puts another CronJob in the place of this one, whose Job stays, and runs for two minutes more. */
  async runAnew(): Promise<void> {
    for (let step = 0; step < 4; step++) await this.#step();
    await this.#calm.delete(CRON_JOB);
    await this.#calm.create('cronjobs.batch', cronJobManifest());
    for (let step = 0; step < 6; step++) await this.#step();
  }

  async #step(): Promise<void> {
    await this.#sync();
    await this.#look();
    this.clock.advanceBy(STEP_MS);
  }

  async #suspend(): Promise<void> {
    const cronJob = await this.cronJob();
    await this.#calm.update('cronjobs.batch', { ...cronJob, spec: { ...cronJob.spec, suspend: true } });
  }

  async #look(): Promise<void> {
    const jobs = await this.jobs();
    for (const { metadata } of jobs) this.seen.set(metadata.uid, metadata.name);
    this.mostActive = Math.max(this.mostActive, jobs.filter((job) => !finishedCondition(job)).length);
  }

  async #endJobs(isDeletedAtEnd: boolean): Promise<void> {
    for (const job of await this.jobs()) {
      const { uid, name } = job.metadata;
      const steps = (this.#steps.get(uid) ?? 0) + 1;
      this.#steps.set(uid, steps);
      if (steps !== ENDS_AFTER) continue;
      if (isDeletedAtEnd) await this.#calm.delete({ resource: 'jobs.batch', namespace: 'default', name });
      else await this.#complete(job);
    }
  }

  async #complete(job: Job): Promise<void> {
    const completionTime = formatTime(this.clock.now());
    const ended = { status: 'True', lastTransitionTime: completionTime, lastProbeTime: completionTime };
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, ...ended }));
    const status = { startTime: job.metadata.creationTimestamp, completionTime, succeeded: 1, conditions };
    const outcome = await this.#calm.update('jobs.batch', { ...job, status }, { subresource: 'status' });
    if (outcome.status === 'refused') throw outcome.error;
  }

  async #sync(): Promise<void> {
    const nowMs = this.clock.now();
    const item = { failures: 0, ...(this.#intent && { intent: this.#intent }) };
    const recordIntent = async (intent: Intent | undefined) => {
      this.#intent = intent;
    };
    try {
      const start = { nowMs, deadlineMs: nowMs + 30_000, item, recordIntent };
      const { outcome } = await this.#guarded.sync(KEY, start);
      if (outcome.status === 'conflict') await this.#guarded.sync(KEY, start);
    } catch (error) {
      expect(String(error)).toContain('the store did not answer');
      this.#stepsSinceCrash = 0;
    }
  }
}

type Spec = Readonly<Record<string, unknown>>;

async function run(spec: Spec, isDeletedAtEnd: boolean, fate: (nth: number) => Fate, awaySteps = 0) {
  const bench = new CrashBench();
  await bench.start(spec);
  await bench.run(fate, isDeletedAtEnd, awaySteps);
  const names = [...bench.seen.values()];
  return {
    writes: bench.crashing.writes,
    mostActive: bench.mostActive,
    started: names.toSorted(),
    startedTwice: names.filter((name, nth) => names.indexOf(name) !== nth),
    stillActive: (await bench.cronJob()).status?.active,
    kept: (await bench.jobs()).length,
  };
}

interface Story {
  readonly name: string;
  readonly spec: Spec;
  readonly isDeletedAtEnd?: boolean;
  readonly mostActive: number;
  readonly mostKept: number;
  /** Whether each run starts, however late: with Forbid a run that is late may take the place of the next one. */
  readonly startsAll: boolean;
}

const FORBID = { concurrencyPolicy: 'Forbid' };
const REPLACE = { concurrencyPolicy: 'Replace' };

const STORIES: readonly Story[] = [
  { name: 'Allow', spec: {}, mostActive: 2, mostKept: 3, startsAll: true },
  { name: 'Forbid', spec: FORBID, mostActive: 1, mostKept: 3, startsAll: false },
  { name: 'Replace', spec: REPLACE, mostActive: 1, mostKept: 3, startsAll: true },
  {
    name: 'Allow and no history',
    spec: { successfulJobsHistoryLimit: 0 },
    mostActive: 2,
    mostKept: 0,
    startsAll: true,
  },
  {
    name: 'Forbid and Jobs that are deleted when they end',
    spec: FORBID,
    isDeletedAtEnd: true,
    mostActive: 1,
    mostKept: 0,
    startsAll: false,
  },
];

describe.each(STORIES)('a CronJob with $name', (story) => {
  const { spec, isDeletedAtEnd = false, mostActive, mostKept, startsAll } = story;

  const FATES = ['lost', 'unanswered', 'late'] as const;

  test.each(FATES.flatMap((fate) => [[fate, 0] as const, [fate, AWAY_STEPS] as const]))(
    'starts each run at most once, whichever of its writes is %s and nobody works for %i steps after it',
    async (fate, awaySteps) => {
      const calm = await run(spec, isDeletedAtEnd, () => 'arrive');
      expect(calm).toMatchObject({ mostActive, startedTwice: [], stillActive: undefined });
      expect(calm.started.length).toBeGreaterThanOrEqual(3);
      for (let crash = 0; crash < calm.writes; crash++) {
        const crashed = await run(spec, isDeletedAtEnd, (nth) => (nth === crash ? fate : 'arrive'), awaySteps);
        expect({ crash, ...crashed }).toMatchObject({ crash, startedTwice: [], stillActive: undefined });
        expect([crash, crashed.mostActive <= mostActive, crashed.kept <= mostKept]).toEqual([crash, true, true]);
        if (startsAll && awaySteps === 0) expect([crash, crashed.started]).toEqual([crash, calm.started]);
      }
    },
    120_000,
  );
});

// Found by seed 420 of the simulation.
test('a CronJob is not held up by the Job of an earlier one of its name', async () => {
  const bench = new CrashBench();
  await bench.start({});
  await bench.runAnew();
  const { active, lastScheduleTime } = (await bench.cronJob()).status ?? {};
  expect([active?.length, lastScheduleTime]).toEqual([2, '2026-01-01T00:03:00Z']);
});
