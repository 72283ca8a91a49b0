import { SMOKE_TEST_DEPLOYMENT } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import type { SmokeTestPlan } from './planSmokeTest.ts';

/** Two images that do nothing; a simulated node pulls neither. */
export const SMOKE_TEST_IMAGES = ['registry.k8s.io/pause:3.9', 'registry.k8s.io/pause:3.10'] as const;

const LABELS = { app: SMOKE_TEST_DEPLOYMENT };
const REPLICAS = 2;

/** The Deployment of the smoke test: two pods, of which one is replaced at a time. Pure. */
export function smokeTestDeployment(image: string, { nodeNames }: Pick<SmokeTestPlan, 'nodeNames'>): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: SMOKE_TEST_DEPLOYMENT, labels: LABELS },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: LABELS },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: LABELS },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'main', image }],
          ...(nodeNames.length > 0 && { affinity: { nodeAffinity: onlyOn(nodeNames) } }),
        },
      },
    },
  };
}

function onlyOn(values: readonly string[]) {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values }];
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}
