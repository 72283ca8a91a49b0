import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import { benchTemplate, type PodShape } from './benchPods.ts';
import type { KubernetesApi } from './KubernetesApi.ts';

/** A StatefulSet that starts and replaces its pods one after the other, as is the default. They end without a grace period. */
export function benchStatefulSet(name: string, replicas: number, image: string, shape: PodShape) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: benchTemplate(name, image, shape),
    },
  };
}

/** Resolves when the StatefulSet at `path` runs all its pods, ready and of its newest revision. Rejects after `limitMs`. */
export async function untilStatefulSetRuns(
  api: KubernetesApi,
  path: string,
  name: string,
  limitMs = 600_000,
): Promise<void> {
  const stop = AbortSignal.timeout(limitMs);
  for await (const { object } of api.watch<StatefulSet>(path, stop)) {
    if (object.metadata?.name === name && runs(object)) return;
  }
  throw new Error(`the StatefulSet ${name} did not get all its pods`);
}

/** As `kubectl rollout status` judges it. */
function runs({ metadata, spec, status }: StatefulSet): boolean {
  if (!status || (status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return false;
  const isWhole = status.readyReplicas === spec?.replicas && status.updatedReplicas === spec?.replicas;
  return isWhole && status.currentRevision === status.updateRevision;
}
