/**
 * What pods the bench creates. `full`: as users write them, about 2.5 kB each, with two containers, requests and limits, probes, values of a ConfigMap, a token of their service account, and a constraint that spreads them, so that the
 * scheduler looks at all pods. `requests`: one container that asks for a processor and memory. `bare`: one container that asks for nothing.
 */
export const POD_SHAPES = ['full', 'requests', 'bare'] as const;
export type PodShape = (typeof POD_SHAPES)[number];

/** The name of the ConfigMap and of the service account that full pods need in their namespace. */
const COMPANION = 'web';

/** The template of pods that end without a grace period. The first container, `web`, runs `image`. */
export function benchTemplate(app: string, image: string, shape: PodShape) {
  return {
    metadata: { labels: labelsOf(app, shape), ...(shape === 'full' && { annotations: ANNOTATIONS }) },
    spec: {
      terminationGracePeriodSeconds: 0,
      ...(shape === 'full' && fullSpec(app)),
      containers: containersOf(image, shape),
    },
  };
}

/** The objects that full pods need in their namespace, by the resource's path. */
export function companions(namespace: string) {
  const metadata = { name: COMPANION, namespace };
  return {
    configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'log.level': 'info', 'database.host': 'db' } },
    serviceaccounts: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  };
}

const ANNOTATIONS = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9102', 'prometheus.io/path': '/metrics' };

function labelsOf(app: string, shape: PodShape) {
  if (shape !== 'full') return { app };
  return {
    app,
    'app.kubernetes.io/name': app,
    'app.kubernetes.io/part-of': 'shop',
    'app.kubernetes.io/managed-by': 'Helm',
  };
}

function fullSpec(app: string) {
  return {
    serviceAccountName: COMPANION,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { app } },
      },
    ],
  };
}

function containersOf(image: string, shape: PodShape) {
  const web = { name: 'web', image };
  if (shape === 'bare') return [web];
  if (shape === 'requests') return [{ ...web, resources: { requests: { cpu: '10m', memory: '16Mi' } } }];
  return [
    {
      ...web,
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'LOG_LEVEL', valueFrom: { configMapKeyRef: { name: COMPANION, key: 'log.level' } } },
        { name: 'DATABASE_HOST', valueFrom: { configMapKeyRef: { name: COMPANION, key: 'database.host' } } },
      ],
      resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '500m', memory: '128Mi' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 10 },
    },
    {
      name: 'metrics',
      image: 'metrics:1',
      ports: [{ name: 'metrics', containerPort: 9102 }],
      resources: { requests: { cpu: '1m', memory: '8Mi' }, limits: { cpu: '50m', memory: '32Mi' } },
      readinessProbe: { httpGet: { path: '/metrics', port: 'metrics' } },
    },
  ];
}
