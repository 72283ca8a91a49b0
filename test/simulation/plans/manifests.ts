import type { NewObject } from '../../../lambdas/objects/KubernetesObject.ts';

type Members = Readonly<Record<string, unknown>>;

const LABELS = { app: 'web' };

/** A pod template with this image; `simulated` are annotations without their prefix. */
function template(image: string, simulated: Readonly<Record<string, string>> = {}, spec: Members = {}) {
  const annotations = Object.fromEntries(
    Object.entries(simulated).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]),
  );
  return { metadata: { labels: LABELS, annotations }, spec: { containers: [{ name: 'main', image }], ...spec } };
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
};

/** A workload `web` whose pods have the label `app=web`. */
export function workload(kind: string, spec: Members = {}, image = 'nginx:1'): NewObject {
  const selector = kind === 'ReplicationController' ? LABELS : { matchLabels: LABELS };
  return named(kind, 'web', { spec: { selector, template: template(image), ...spec } });
}

/** An object `default/NAME`. */
export function named(
  kind: string,
  name: string,
  members: Members,
  apiVersion = API_VERSIONS[kind] ?? 'v1',
): NewObject {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, ...members };
}

/** A change of the image of a workload's pods. */
export function withImage(image: string) {
  return ({ spec }: { readonly spec: Members }) => ({ spec: { ...spec, template: template(image) } });
}

/** A change of these fields of the spec. */
export function withSpec(change: Members) {
  return ({ spec }: { readonly spec: Members }) => ({ spec: { ...spec, ...change } });
}

/** A Job whose pods succeed after five seconds. */
export function job(name: string, spec: Members = {}, simulated: Readonly<Record<string, string>> = {}): NewObject {
  return named('Job', name, { spec: { ...jobSpec(simulated), ...spec } }, 'batch/v1');
}

/** The spec of such a Job. */
export function jobSpec(simulated: Readonly<Record<string, string>> = {}) {
  return { template: template('perl:5', { 'complete-after': '5s', ...simulated }, { restartPolicy: 'Never' }) };
}

/** A pod that is ready two seconds after its start. */
export function pod(name: string, spec: Members = {}): NewObject {
  return named('Pod', name, {
    metadata: {
      name,
      namespace: 'default',
      labels: LABELS,
      annotations: { 'simulate.driftless.dev/ready-after': '2s' },
    },
    spec: { containers: [{ name: 'main', image: 'nginx:1' }], ...spec },
  });
}

/** A service `web`, which selects the pods of the workload unless it is told otherwise. */
export function service(spec: Members = { selector: LABELS }): NewObject {
  return named('Service', 'web', { spec: { ports: [{ port: 80 }], ...spec } });
}

export const CLAIM_SPEC = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
