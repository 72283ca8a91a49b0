import * as fc from './seededFastCheck.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';

/** Random workloads as clients send them: always valid in structure, and mostly valid in meaning. */

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const labels = fc.dictionary(name, name, { minKeys: 1, maxKeys: 3 });
const percentOrNumber = fc.oneof(
  fc.nat(5),
  fc.nat(120).map((percent) => `${percent}%`),
);
const quantity = fc.constantFrom('1', '100m', '0.5', '128Mi', '1024Mi', '2e3', '1.5Gi', '1k');
const resourceList = fc.dictionary(fc.constantFrom('cpu', 'memory', 'example.com/gpu'), quantity, { maxKeys: 3 });

const handler = fc.oneof(
  fc.record({ httpGet: fc.record({ port: fc.nat(70_000), path: name }, { requiredKeys: ['port'] }) }),
  fc.record({ exec: fc.record({ command: fc.array(name, { maxLength: 2 }) }) }),
  fc.record({ tcpSocket: fc.record({ port: name }) }),
);
const probe = fc
  .tuple(handler, fc.record({ periodSeconds: fc.nat(20), failureThreshold: fc.nat(5) }, { requiredKeys: [] }))
  .map(([action, numbers]) => ({ ...action, ...numbers }));
const variable = fc.oneof(
  fc.record({ name, value: name }),
  fc.record({ name, valueFrom: fc.record({ fieldRef: fc.record({ fieldPath: fc.constant('metadata.name') }) }) }),
);
const container = fc.record(
  {
    name,
    image: fc.constantFrom('nginx', 'nginx:1.27', 'registry.example/web:latest', 'nginx@sha256:abc'),
    ports: fc.array(fc.record({ containerPort: fc.integer({ min: 1, max: 65_535 }) }), { maxLength: 2 }),
    env: fc.array(variable, { maxLength: 2 }),
    resources: fc.record({ limits: resourceList, requests: resourceList }, { requiredKeys: [] }),
    livenessProbe: probe,
    readinessProbe: probe,
    stdin: fc.boolean(),
    command: fc.array(name, { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'image'] },
);
const volume = fc
  .tuple(name, fc.constantFrom({}, { emptyDir: {} }, { configMap: { name: 'web' } }, { secret: { secretName: 'web' } }))
  .map(([volumeName, source]) => ({ name: volumeName, ...source }));

const podSpecs = fc.record(
  {
    containers: fc.uniqueArray(container, { minLength: 1, maxLength: 3, selector: (each) => each.name }),
    volumes: fc.uniqueArray(volume, { maxLength: 2, selector: (each) => each.name }),
    hostNetwork: fc.boolean(),
    terminationGracePeriodSeconds: fc.nat(60),
    serviceAccountName: name,
    nodeSelector: labels,
  },
  { requiredKeys: ['containers'] },
);

const metadata = fc.record(
  { name, namespace: name, labels, annotations: labels },
  { requiredKeys: ['name', 'namespace'] },
);

function templateFor(wanted: Record<string, string>) {
  return podSpecs.map((spec) => ({ metadata: { labels: wanted }, spec }));
}

const strategies = fc.oneof(
  fc.constant({ type: 'Recreate' }),
  fc.record({
    type: fc.constant('RollingUpdate'),
    rollingUpdate: fc.record({ maxSurge: percentOrNumber, maxUnavailable: percentOrNumber }, { requiredKeys: [] }),
  }),
);
const deploymentStatus = fc.record(
  { observedGeneration: fc.nat(9), replicas: fc.nat(9), readyReplicas: fc.nat(9), collisionCount: fc.nat(3) },
  { requiredKeys: [] },
);

/** Deployments of this apiVersion. */
export function deployments(apiVersion: string): fc.Arbitrary<KubernetesObject> {
  return labels.chain((wanted) =>
    workloads(apiVersion, 'Deployment', {
      spec: fc.record(
        {
          selector: fc.constant({ matchLabels: wanted }),
          template: templateFor(wanted),
          replicas: fc.nat(9),
          strategy: strategies,
          minReadySeconds: fc.nat(30),
          paused: fc.boolean(),
          revisionHistoryLimit: fc.nat(20),
          progressDeadlineSeconds: fc.integer({ min: 31, max: 900 }),
        },
        { requiredKeys: ['selector', 'template'] },
      ),
      status: deploymentStatus,
    }),
  );
}

/** ReplicaSets of this apiVersion. */
export function replicaSets(apiVersion: string): fc.Arbitrary<KubernetesObject> {
  return labels.chain((wanted) =>
    workloads(apiVersion, 'ReplicaSet', {
      spec: fc.record(
        {
          selector: fc.constant({ matchLabels: wanted }),
          template: templateFor(wanted),
          replicas: fc.nat(9),
          minReadySeconds: fc.nat(30),
        },
        { requiredKeys: ['selector', 'template'] },
      ),
      status: fc.record({ replicas: fc.nat(9), observedGeneration: fc.nat(9) }, { requiredKeys: ['replicas'] }),
    }),
  );
}

function workloads(
  apiVersion: string,
  kind: string,
  parts: { readonly spec: fc.Arbitrary<object>; readonly status: fc.Arbitrary<object> },
): fc.Arbitrary<KubernetesObject> {
  const shape = { apiVersion: fc.constant(apiVersion), kind: fc.constant(kind), metadata, ...parts };
  return fc.record(shape, {
    requiredKeys: ['apiVersion', 'kind', 'metadata', 'spec'],
  }) as unknown as fc.Arbitrary<KubernetesObject>;
}

/** A path in a JSON value. */
type Place = { readonly parent: Record<string, unknown>; readonly field: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((field) => [{ parent, field }, ...placesIn(parent[field])]);
}

/** The same objects with random values in one to three places below `spec`, `status` and `metadata`, as a hostile client sends them. */
export function spoiled(objects: fc.Arbitrary<KubernetesObject>): fc.Arbitrary<KubernetesObject> {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, {}, [], [null], '', '__proto__', Number.NaN, -1, 2 ** 60, { __proto__: null }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const spoils = fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 3 });
  return fc.tuple(objects, spoils).map(([object, changes]) => {
    const copy = structuredClone(object);
    for (const [at, value] of changes) {
      const places = placesIn({ spec: copy['spec'], status: copy['status'] });
      const place = places[at % Math.max(places.length, 1)];
      if (place !== undefined) place.parent[place.field] = structuredClone(value);
    }
    return copy;
  });
}
