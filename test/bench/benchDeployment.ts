import { benchTemplate, type PodShape } from './benchPods.ts';
import type { KubernetesApi } from './KubernetesApi.ts';

/** A Deployment of pods of that shape, which end without a grace period. */
export function benchDeployment(name: string, replicas: number, image: string, shape: PodShape) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: benchTemplate(name, image, shape) },
  };
}

/** Changes the image of the Deployment or StatefulSet at `path`, which starts a rollout. */
export async function patchImage(api: KubernetesApi, path: string, image: string): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } };
  await api.call('PATCH', path, body, 'application/strategic-merge-patch+json');
}
