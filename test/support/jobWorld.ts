import type { JobStatus } from 'kubernetes-types/batch/v1.js';
import { assessJob } from '../../lambdas/controllers/job/assessJob.ts';
import type { JobAssessment } from '../../lambdas/controllers/job/JobAssessment.ts';
import { COMPLETION_INDEX, INDEX_FAILURE_COUNT, JOB_TRACKING_FINALIZER } from '../../lambdas/objects/pods/jobPods.ts';
import type { Job, Pod } from '../../lambdas/objects/kinds.ts';

type Members = Readonly<Record<string, unknown>>;

export const NOW_MS = Date.parse('2026-01-01T01:00:00Z');

/** What a Job's controller decides by, in short. */
export interface JobCase {
  readonly spec?: Members;
  readonly status?: JobStatus;
  readonly metadata?: Members;
  /**
   * A word for each pod, after its index in a Job with indexes: `pending`, `running`, `ready`, `leaving` (ready, and being deleted), `succeeded`, `failed`; `failed@3` failed three seconds ago, others an hour ago.
   * `failed=42` ended with that exit code, `running+2` has restarted twice, `failed#2` is the third failure of its index.
   */
  readonly pods?: string;
}

/** Works out what the pods of such a Job come to. */
export function assess({ spec = {}, status = {}, metadata = {}, pods = '' }: JobCase): JobAssessment {
  const job: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'pi',
      namespace: 'default',
      uid: 'job',
      resourceVersion: '1',
      creationTimestamp: timeText(3_600),
      ...metadata,
    },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'perl' }] } },
      ...spec,
    },
    status: { startTime: timeText(3_600), ...status },
  };
  const all = pods.split(' ').filter(Boolean).map(podOf);
  return assessJob({ job, pods: all, vanished: undefined, nowMs: NOW_MS });
}

function timeText(secondsAgo: number): string {
  return new Date(NOW_MS - secondsAgo * 1_000).toISOString().replace('.000', '');
}

const POD = /^(?:(\d+):)?([a-z]+)(?:@(\d+))?(?:=(\d+))?(?:\+(\d+))?(?:#(\d+))?$/;

function podOf(word: string, nth: number): Pod {
  const [, index, state = '', ago = '3600', exitCode = '1', restarts = '0', failures] = POD.exec(word) ?? [];
  const finishedAt = timeText(Number(ago));
  const isOver = state === 'failed' || state === 'succeeded';
  const terminated = { exitCode: state === 'failed' ? Number(exitCode) : 0, finishedAt };
  const annotations = {
    ...(index !== undefined && { [COMPLETION_INDEX]: index }),
    ...(failures !== undefined && { [INDEX_FAILURE_COUNT]: failures }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pi-${nth}`,
      namespace: 'default',
      uid: `pod-${nth}`,
      resourceVersion: '1',
      creationTimestamp: timeText(3_600),
      finalizers: [JOB_TRACKING_FINALIZER],
      annotations,
      ...(state === 'leaving' && { deletionTimestamp: finishedAt, deletionGracePeriodSeconds: 0 }),
    },
    spec: { containers: [], ...(state !== 'pending' && { nodeName: 'node' }) },
    status: {
      phase: PHASES[state] ?? 'Running',
      conditions: [{ type: 'Ready', status: state === 'ready' || state === 'leaving' ? 'True' : 'False' }],
      containerStatuses: [
        {
          name: 'main',
          image: 'perl',
          imageID: '',
          ready: state === 'ready',
          restartCount: Number(restarts),
          state: isOver ? { terminated } : {},
        },
      ],
    },
  };
}

const PHASES: Readonly<Record<string, string>> = { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' };
