import type { SmokeTestPlan } from './planSmokeTest.ts';
import { RUN_LABEL } from './runObjects.ts';

/** Two images that do nothing; a simulated node pulls neither. */
export const SMOKE_TEST_IMAGES = ['registry.k8s.io/pause:3.9', 'registry.k8s.io/pause:3.10'] as const;

const REPLICAS = 2;

/** The name of a run's Deployment. Pure. */
export const smokeTestName = (runId: string): string => `smoke-test-${runId}`;

/** The Deployment of a run of the smoke test: two pods, of which one is replaced at a time. Pure. */
export function smokeTestDeployment(
  image: string,
  runId: string,
  { nodeNames }: Pick<SmokeTestPlan, 'nodeNames'>,
): object {
  const name = smokeTestName(runId);
  const labels = { app: name, [RUN_LABEL]: runId };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
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
