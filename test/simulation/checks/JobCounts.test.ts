import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { JobCounts } from './JobCounts.ts';
import { Plans } from './Plans.ts';

const KEY = { controller: 'job', namespace: 'a', name: 'work' } as const;
const STORED = { resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const OWNER = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'job', controller: true };

function jobWith(...conditions: readonly string[]): KubernetesObject {
  const status = { conditions: conditions.map((type) => ({ type, status: 'True' })) };
  const metadata = { name: 'work', namespace: 'a', uid: 'job', ...STORED };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { completions: 2 }, status };
}

/** A pod of the Job that runs. */
function podWith(members: object): KubernetesObject {
  const metadata = { name: 'work-1', namespace: 'a', uid: 'pod', ...STORED, ownerReferences: [OWNER], ...members };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } };
}

/** The Job's sync removes the finalizer of a pod that runs. Returns what the check says. */
function judgeRelease(job: KubernetesObject, members: object, plansDelete: boolean): string | undefined {
  const world = new World();
  const plans = new Plans();
  const check = new JobCounts(world, plans);
  let version = 0;
  const write = (resource: string, after: KubernetesObject, before?: KubernetesObject, trail?: SyncTrail) => {
    version += 1;
    const place = { resource, version, after };
    const change: Change = before ? { ...place, type: 'MODIFIED', before } : { ...place, type: 'ADDED' };
    world.apply(change);
    return check.onWrite({ writer: trail ? 'job' : 'client', trail, change, order: version });
  };
  const held = podWith({ ...members, finalizers: ['batch.kubernetes.io/job-tracking'] });
  write('jobs.batch', job);
  write('pods', held);
  const trail = new SyncTrail(KEY, 0, undefined);
  const deletes = plansDelete ? [{ name: 'work-1', uid: 'pod' }] : [];
  plans.onIntent(trail, { id: 'i', ownerUid: 'job', count: 0, deletes });
  return write('pods', podWith(members), held, trail);
}

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
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
