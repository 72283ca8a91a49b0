type Members = Readonly<Record<string, unknown>>;

/** A Deployment `web` whose pods request 100m of CPU and 100Mi of memory each. `simulated` are annotations of the Deployment, `ofPods` of its pods; both without their prefix. */
export function loadedDeployment(replicas: number, simulated: Members = {}, ofPods: Members = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', annotations: prefixed(simulated) },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: prefixed(ofPods) },
        spec: {
          containers: [{ name: 'main', image: 'nginx:1', resources: { requests: { cpu: '100m', memory: '100Mi' } } }],
        },
      },
    },
  };
}

export function prefixed(annotations: Members): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`simulate.driftless.dev/${name}`, String(value)]),
  );
}

/** The metric of a resource with a target in percent of what is requested. */
export function utilization(averageUtilization: number, name = 'cpu') {
  return { type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization } } };
}

/** An autoscaler `web` of the Deployment `web`, from 1 to 10 replicas, whose pods should use half of the CPU that they request. `spec` adds to or replaces fields of its spec. */
export function autoscalerManifest(spec: Members = {}, metadata: Members = {}) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [utilization(50)],
      ...spec,
    },
  };
}
