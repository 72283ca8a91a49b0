import type { KubernetesApi } from './KubernetesApi.ts';

/** A Deployment with one container, whose pods end without a grace period. */
export function benchDeployment(name: string, replicas: number, image: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image }] },
      },
    },
  };
}

/** Changes the image of the Deployment or StatefulSet at `path`, which starts a rollout. */
export async function patchImage(api: KubernetesApi, path: string, image: string): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } };
  await api.call('PATCH', path, body, 'application/strategic-merge-patch+json');
}
