import type { Job } from 'kubernetes-types/batch/v1.js';
import { benchTemplate, type PodShape } from './benchPods.ts';
import type { KubernetesApi } from './KubernetesApi.ts';

/** A Job whose pods all run at once, and end by themselves. */
export function benchJob(name: string, pods: number, shape: PodShape) {
  const { metadata, spec } = benchTemplate(name, 'busybox', shape);
  const containers = spec.containers.map((container) => ({ ...container, command: ['true'] }));
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completions: pods,
      parallelism: pods,
      template: { metadata, spec: { ...spec, restartPolicy: 'Never', containers } },
    },
  };
}

/** Resolves when every Job at `path` is complete. Rejects if one fails, or after `limitMs`. */
export async function untilJobsComplete(api: KubernetesApi, path: string, limitMs = 600_000): Promise<void> {
  const jobs = new Map<string, Job>();
  const stop = AbortSignal.timeout(limitMs);
  for await (const { object } of api.watch<Job>(path, stop)) {
    jobs.set(object.metadata?.name ?? '', object);
    const ended = [...jobs.values()].map(({ status }) =>
      status?.conditions?.find(({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed')),
    );
    const failed = ended.find((condition) => condition?.type === 'Failed');
    if (failed) throw new Error(`a Job has failed: ${failed.reason} ${failed.message}`);
    if (ended.every(Boolean)) return;
  }
  throw new Error('the Jobs did not end');
}
