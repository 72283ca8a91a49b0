export type Json = Record<string, unknown>;

const SELECTOR = { matchLabels: { app: 'a' } };
const CONTAINER = {
  name: 'c',
  image: 'nginx:1',
  ports: [{ containerPort: 80 }],
  readinessProbe: { httpGet: { port: 80 } },
  livenessProbe: { tcpSocket: { port: 80 } },
  startupProbe: { grpc: { port: 80 } },
};

function templateOf(): Json {
  return { metadata: { labels: { app: 'a' } }, spec: { containers: [CONTAINER] } };
}

/** Pods of a Job would end after a second, and be replaced until the end of the test. */
const JOB_TEMPLATE = {
  metadata: { annotations: { 'simulate.driftless.dev/complete-after': '50s' } },
  spec: { containers: [CONTAINER], restartPolicy: 'Never' },
};

/** Returns a valid object of the kind, without its name, with the structs around the fields whose numbers matter most. A kind that is not here has nothing but metadata, and is refused if it needs more. */
export function baseOf(groupResource: string): Json {
  return structuredClone(BASES[groupResource] ?? {});
}

const JOB: Json = {
  completions: 3,
  parallelism: 2,
  completionMode: 'Indexed',
  backoffLimitPerIndex: 1,
  podFailurePolicy: {
    rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }],
  },
  successPolicy: { rules: [{ succeededCount: 1 }] },
  template: JOB_TEMPLATE,
};

const BASES: Readonly<Record<string, Json>> = {
  pods: {
    spec: {
      containers: [CONTAINER],
      initContainers: [{ name: 'i', image: 'a' }],
      tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: SELECTOR,
        },
      ],
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['2147483647'] }] } },
          ],
        },
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: SELECTOR } },
          ],
        },
      },
    },
  },
  services: { spec: { type: 'NodePort', selector: { app: 'a' }, ports: [{ port: 80 }] } },
  replicationcontrollers: { spec: { replicas: 1, selector: { app: 'a' }, template: templateOf() } },
  resourcequotas: { spec: { hard: { pods: '5' } } },
  limitranges: { spec: { limits: [{ type: 'Container' }] } },
  nodes: { status: { capacity: { pods: '110', cpu: '4', memory: '8Gi' } } },
  persistentvolumeclaims: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  persistentvolumes: {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
  },
  'deployments.apps': {
    spec: { replicas: 2, strategy: { type: 'RollingUpdate' }, selector: SELECTOR, template: templateOf() },
  },
  'replicasets.apps': { spec: { replicas: 1, selector: SELECTOR, template: templateOf() } },
  'statefulsets.apps': {
    spec: {
      replicas: 2,
      serviceName: 'a',
      podManagementPolicy: 'Parallel',
      selector: SELECTOR,
      template: templateOf(),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  },
  'daemonsets.apps': {
    spec: { selector: SELECTOR, updateStrategy: { type: 'RollingUpdate' }, template: templateOf() },
  },
  'controllerrevisions.apps': { revision: 1, data: {} },
  'jobs.batch': { spec: JOB },
  'cronjobs.batch': { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: JOB } } },
  'horizontalpodautoscalers.autoscaling': {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'target' },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
      behavior: { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } },
    },
  },
  'poddisruptionbudgets.policy': { spec: { selector: SELECTOR, minAvailable: 1 } },
  'leases.coordination.k8s.io': { spec: { holderIdentity: 'a' } },
  'priorityclasses.scheduling.k8s.io': { value: 1 },
  events: {
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    reason: 'A',
    type: 'Normal',
  },
};
