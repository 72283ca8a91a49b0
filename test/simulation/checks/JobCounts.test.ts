import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { JobCounts } from './JobCounts.ts';
import { Plans } from './Plans.ts';

const KEY = { controller: 'job', namespace: 'a', name: 'work' } as const;
const INDEX = 'batch.kubernetes.io/job-completion-index';
const STORED = { resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const OWNER = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'job', controller: true };

function jobWith(...conditions: readonly string[]): KubernetesObject {
  const status = { conditions: conditions.map((type) => ({ type, status: 'True' })) };
  const metadata = { name: 'work', namespace: 'a', uid: 'job', ...STORED };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { completions: 2 }, status };
}

function indexedJob(): KubernetesObject {
  return { ...jobWith(), spec: { completions: 2, completionMode: 'Indexed' } };
}

/** A pod of the Job that runs. */
function podWith(members: object): KubernetesObject {
  const metadata = { name: 'work-1', namespace: 'a', uid: 'pod', ...STORED, ownerReferences: [OWNER], ...members };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } };
}

/** The check, and one write after the other. */
class CountsBench {
  readonly #world = new World();
  readonly #plans = new Plans();
  readonly #check = new JobCounts(this.#world, this.#plans);
  #trail = new SyncTrail(KEY, 0, undefined);
  #version = 0;

  /** A Job, whose sync has planned to delete the pod or not. */
  constructor(job: KubernetesObject, plansDelete: boolean) {
    this.write('jobs.batch', undefined, job, false);
    this.beginSync(job);
    const deletes = plansDelete ? [{ name: 'work-1', uid: 'pod' }] : [];
    this.#plans.onIntent(this.#trail, { id: 'i', ownerUid: 'job', count: 0, deletes });
  }

  /** The Job's sync, which has read this Job. It begins a millisecond after the last write. */
  beginSync(job: KubernetesObject): void {
    this.#version += 1;
    this.#trail = new SyncTrail(KEY, this.#version, undefined);
    this.#trail.subject = job;
  }

  /** By the Job's sync or by a client, a millisecond after what was last. Returns what the check says. */
  write(
    resource: string,
    before: KubernetesObject | undefined,
    after: KubernetesObject | undefined,
    isByJob: boolean,
  ): string | undefined {
    this.#version += 1;
    const change = { resource, version: this.#version, type: typeOf(before, after), before, after } as Change;
    this.#world.apply(change);
    const by = isByJob ? { writer: 'job', trail: this.#trail } : { writer: 'client', trail: undefined };
    return this.#check.onWrite({ ...by, change, order: this.#version }, this.#version);
  }
}

function typeOf(before: object | undefined, after: object | undefined): Change['type'] {
  if (!after) return 'DELETED';
  return before ? 'MODIFIED' : 'ADDED';
}

function heldWith(members: object): KubernetesObject {
  return podWith({ ...members, finalizers: ['batch.kubernetes.io/job-tracking'] });
}

/** The Job's sync removes the finalizer of a pod that runs. Returns what the check says. */
function judgeRelease(job: KubernetesObject, members: object, plansDelete: boolean): string | undefined {
  const bench = new CountsBench(job, plansDelete);
  bench.write('pods', undefined, heldWith(members), true);
  return bench.write('pods', heldWith(members), podWith(members), true);
}

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const TOO_MANY = 'Pod a/work-2 is one too many: 2 pods of Job a/work, with parallelism 1';
const LOST = 'Pod a/work-1 lost its finalizer while it runs, and Job a/work has not given it up';

test.each([
  ['a Job that goes on has planned to give the pod up', jobWith(), {}, true, undefined],
  ['a Job that goes on has planned nothing', jobWith(), LEAVING, false, LOST],
  // As of a pod that a user put in the place of one that had succeeded: Kubernetes' Job deletes it and lets it go, uncounted.
  ['a Job that has succeeded deletes what still runs', jobWith('SuccessCriteriaMet'), LEAVING, false, undefined],
  ['a Job that has succeeded lets go of what it has not deleted', jobWith('SuccessCriteriaMet'), {}, false, LOST],
  ['a Job that fails has to count what it deletes', jobWith('FailureTarget'), LEAVING, false, LOST],
  ['a Job has ended', jobWith('SuccessCriteriaMet', 'Complete'), {}, false, undefined],
])('a pod that runs loses its finalizer: %s', (_, job, members, plansDelete, found) => {
  expect(judgeRelease(job, members, plansDelete)).toBe(found);
});

describe('a pod that is removed with its last finalizer', () => {
  const deleted = (job: KubernetesObject) => ({ ...job, metadata: { ...job.metadata, ...LEAVING } });

  test('may be missing when its Job has ended, if that was being deleted', () => {
    const job = deleted(jobWith());
    const bench = new CountsBench(job, false);
    bench.write('pods', undefined, heldWith(LEAVING), true);
    expect(bench.write('pods', heldWith(LEAVING), undefined, true)).toBeUndefined();
    expect(bench.write('jobs.batch', job, deleted(jobWith('Failed')), true)).toBeUndefined();
  });

  test.each([
    ['has ended', jobWith('FailureTarget', 'Failed'), undefined],
    ['goes on', jobWith(), 'Pod a/work-1 lost its finalizer before Job a/work named it'],
  ])('after a user has put it in the place of another: its Job %s', (_, job, found) => {
    const bench = new CountsBench(job, false);
    const held = { ...heldWith(LEAVING), status: { phase: 'Succeeded' } };
    bench.write('pods', undefined, held, false);
    bench.beginSync(job);
    expect(bench.write('pods', held, undefined, true)).toBe(found);
  });

  test.each([
    ['has succeeded, and deletes what still runs', jobWith('SuccessCriteriaMet'), undefined],
    ['goes on', jobWith(), LOST],
  ])('and that has ended since its Job`s sync began: the Job %s', (_, job, found) => {
    const bench = new CountsBench(job, false);
    bench.write('pods', undefined, heldWith({}), false);
    bench.beginSync(job);
    const ended = { ...heldWith(LEAVING), status: { phase: 'Succeeded' } };
    bench.write('pods', heldWith({}), ended, false);
    expect(bench.write('pods', ended, undefined, true)).toBe(found);
  });

  test('may have ended since its Job`s sync began, if the sync has counted its index', () => {
    const job = indexedJob();
    const bench = new CountsBench(job, false);
    bench.write('pods', undefined, heldWith({ annotations: { [INDEX]: '0' } }), true);
    bench.beginSync(job);
    const ended = { ...heldWith({ annotations: { [INDEX]: '0' } }), status: { phase: 'Succeeded' } };
    bench.write('pods', heldWith({ annotations: { [INDEX]: '0' } }), ended, false);
    const counted = { ...job, status: { succeeded: 1, completedIndexes: '0' } };
    expect(bench.write('jobs.batch', job, counted, true)).toBeUndefined();
    expect(bench.write('pods', ended, undefined, true)).toBeUndefined();
  });

  test('is lost if its Job goes on', () => {
    const bench = new CountsBench(jobWith(), false);
    bench.write('pods', undefined, heldWith(LEAVING), true);
    expect(bench.write('pods', heldWith(LEAVING), undefined, true)).toBe(LOST);
  });
});

test.each([
  ['a user has made one since the sync began', { isByJob: false, isKnown: false }, undefined],
  ['a user had made one before', { isByJob: false, isKnown: true }, TOO_MANY],
  ['it has made one itself', { isByJob: true, isKnown: false }, TOO_MANY],
])('a Job creates a pod above its parallelism: %s', (_, { isByJob, isKnown }, found) => {
  const job = jobWith();
  const bench = new CountsBench(job, false);
  bench.write('pods', undefined, podWith({}), isByJob);
  if (isKnown) bench.beginSync(job);
  expect(bench.write('pods', undefined, podWith({ name: 'work-2', uid: 'second' }), true)).toBe(found);
});
