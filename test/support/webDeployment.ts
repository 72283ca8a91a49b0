import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js';

/** A Deployment `default/web` with this many pods of this image. `spec` overrides other fields. */
export function webDeployment(image = 'nginx:1', replicas = 10, spec: Partial<DeploymentSpec> = {}) {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  };
}
