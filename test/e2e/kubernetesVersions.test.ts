import { afterEach, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { kindSchema } from '../../lambdas/rest/schema/kindSchema.ts';
import { pruneFields } from '../../lambdas/rest/schema/pruneFields.ts';
import type { Schema } from '../../lambdas/rest/schema/schemaOf.ts';
import { KUBERNETES_RELEASES, type KubernetesRelease } from '../../lambdas/objects/KubernetesRelease.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are looked into, not typed.
type Json = Record<string, any>;

let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function start(version?: KubernetesRelease): Promise<Cluster> {
  cluster = await startCluster({ clock: 'virtual', nodes: 1, ...(version && { version }) });
  return cluster;
}

async function call(
  path: string,
  method = 'GET',
  body?: object,
): Promise<{ status: number; body: Json; warnings: string }> {
  const response = await fetch(`${cluster?.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json,
    warnings: response.headers.get('warning') ?? '',
  };
}

/** The kinds of built-in groups that a release was the first to serve by default. */
const FIRST_KINDS: readonly [path: string, since: KubernetesRelease][] = [
  ['/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', '1.29'],
  ['/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', '1.30'],
  ['/apis/networking.k8s.io/v1/servicecidrs', '1.33'],
  ['/apis/networking.k8s.io/v1/ipaddresses', '1.33'],
  ['/apis/storage.k8s.io/v1/volumeattributesclasses', '1.34'],
  ['/apis/resource.k8s.io/v1/deviceclasses', '1.34'],
];

const SCHEMAS = ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/autoscaling/v2'].map((path) => `/openapi/v3/${path}`);

/** A field of each release, by the type that has it in the documents. */
const FIRST_FIELDS: readonly [type: string, field: string, since: KubernetesRelease][] = [
  ['io.k8s.api.core.v1.LifecycleHandler', 'sleep', '1.30'],
  ['io.k8s.api.core.v1.PodSecurityContext', 'appArmorProfile', '1.30'],
  ['io.k8s.api.batch.v1.JobSpec', 'successPolicy', '1.31'],
  ['io.k8s.api.core.v1.VolumeMount', 'recursiveReadOnly', '1.31'],
  ['io.k8s.api.batch.v1.JobSpec', 'managedBy', '1.32'],
  ['io.k8s.api.core.v1.Container', 'resizePolicy', '1.33'],
  ['io.k8s.api.core.v1.PodSpec', 'hostUsers', '1.33'],
  ['io.k8s.api.core.v1.PodSpec', 'resources', '1.34'],
  ['io.k8s.api.apps.v1.ReplicaSetStatus', 'terminatingReplicas', '1.35'],
  ['io.k8s.api.autoscaling.v2.HPAScalingRules', 'tolerance', '1.35'],
  ['io.k8s.api.core.v1.NodeStatus', 'declaredFeatures', '1.36'],
  ['io.k8s.api.core.v1.PodStatus', 'allocatedResources', '1.36'],
];

function isThere(version: KubernetesRelease, since: KubernetesRelease): boolean {
  return KUBERNETES_RELEASES.indexOf(version) >= KUBERNETES_RELEASES.indexOf(since);
}

describe.each(KUBERNETES_RELEASES.map((version) => [version] as const))('a cluster of %s', (version) => {
  test('says so, and serves the kinds and fields that this release served by default', async () => {
    await start(version);
    const said = await call('/version');
    expect([said.body['minor'], said.body['gitVersion']]).toEqual([
      version.slice(2),
      expect.stringMatching(new RegExp(`^v${version}\\.\\d+\\+driftless$`)),
    ]);
    const node = (await call('/api/v1/nodes')).body['items'][0];
    expect(node.status.nodeInfo.kubeletVersion).toBe(said.body['gitVersion']);

    for (const [path, since] of FIRST_KINDS)
      expect([path, (await call(path)).status]).toEqual([path, isThere(version, since) ? 200 : 404]);
    const groups = (await call('/apis')).body['groups'].map(({ name }: { name: string }) => name);
    expect(groups.includes('resource.k8s.io')).toBe(isThere(version, '1.34'));

    const documents = await Promise.all(SCHEMAS.map((path) => call(path)));
    const types = Object.assign({}, ...documents.map(({ body }) => body['components'].schemas)) as Json;
    for (const [type, field, since] of FIRST_FIELDS)
      expect([type, field, field in types[type].properties]).toEqual([type, field, isThere(version, since)]);

    const resources = (await call('/api/v1')).body['resources'].map(({ name }: { name: string }) => name);
    expect(resources.includes('pods/resize')).toBe(isThere(version, '1.33'));
  });
});

const web = (spec: object = {}, podSpec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }], ...podSpec },
    },
    ...spec,
  },
});
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const LISTS = [
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/batch/v1/jobs',
  '/api/v1/events',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/services',
];

test.each(KUBERNETES_RELEASES.map((version) => [version] as const))(
  'what controllers and simulated kubelets of %s write has no field that its types do not know',
  async (version) => {
    const started = await start(version);
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox:1.37' }] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'work' }, spec: { template } };
    await started.apply([web(), job]);
    await started.advance('10s');
    for (const path of LISTS) {
      const { kind, apiVersion, items } = (await call(path)).body;
      expect([path, items.length]).not.toEqual([path, 0]);
      const schema = kindSchema(apiVersion, kind.slice(0, -'List'.length), version) as Schema;
      for (const item of items) expect([path, pruneFields(item, schema)]).toEqual([path, { unknown: [] }]);
    }
  },
);

describe('a field that came later', () => {
  const later = web({}, { hostUsers: false });

  test('is refused by strict validation, as any unknown field', async () => {
    await start('1.32');
    const { status, body } = await call(`${DEPLOYMENTS}?fieldValidation=Strict`, 'POST', later);
    expect([status, body['message']]).toEqual([
      400,
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.hostUsers"',
    ]);
  });

  test('is dropped with a warning otherwise', async () => {
    await start('1.32');
    const { status, body, warnings } = await call(DEPLOYMENTS, 'POST', later);
    expect([status, body['spec'].template.spec.hostUsers]).toEqual([201, undefined]);
    expect(warnings).toContain('unknown field \\"spec.template.spec.hostUsers\\"');
  });

  test('is kept by the release that knows it', async () => {
    await start('1.33');
    const { body } = await call(`${DEPLOYMENTS}?fieldValidation=Strict`, 'POST', later);
    expect(body['spec'].template.spec.hostUsers).toBe(false);
  });
});

describe('a rollout', () => {
  async function rollOut(version?: KubernetesRelease) {
    const started = await start(version);
    await call(DEPLOYMENTS, 'POST', web());
    await started.advance('10s');
    await call(`${DEPLOYMENTS}/web/scale`, 'PUT', {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 3 },
    });
    await started.advance('10s');
    const deployment = (await call(`${DEPLOYMENTS}/web`)).body;
    const events = (await call('/api/v1/namespaces/default/events')).body['items'] as Json[];
    const texts = events
      .filter(({ reason }) => ['ScalingReplicaSet', 'Created', 'Started', 'Pulled'].includes(reason))
      .map(({ message }) => String(message).replaceAll(/web-[0-9a-z]{6,10}\b/g, 'web-1'));
    return { status: deployment['status'] as Json, texts: [...new Set(texts)].sort() };
  }

  test('at 1.29 has none of the fields and texts of later releases', async () => {
    const { status, texts } = await rollOut('1.29');
    expect([status['availableReplicas'], 'terminatingReplicas' in status]).toEqual([3, false]);
    expect(texts).toEqual([
      'Created container web',
      'Scaled up replica set web-1 to 2',
      'Scaled up replica set web-1 to 3 from 2',
      'Started container web',
      'Successfully pulled image "nginx:1.27" in 0s (0s including waiting)',
    ]);
  });

  test('at 1.32 has those of 1.32', async () => {
    const { status, texts } = await rollOut('1.32');
    expect('terminatingReplicas' in status).toBe(false);
    expect(texts).toEqual([
      'Created container: web',
      'Scaled up replica set web-1 from 0 to 2',
      'Scaled up replica set web-1 from 2 to 3',
      'Started container web',
      'Successfully pulled image "nginx:1.27" in 0s (0s including waiting). Image size: 0 bytes.',
    ]);
  });

  test('without a version has those of the newest', async () => {
    const { status, texts } = await rollOut();
    expect(status['terminatingReplicas']).toBe(0);
    expect(texts).toEqual([
      'Container created',
      'Container started',
      'Scaled up replica set web-1 from 0 to 2',
      'Scaled up replica set web-1 from 2 to 3',
      'Successfully pulled image "nginx:1.27" in 0s (0s including waiting). Image size: 0 bytes.',
    ]);
  });
});

test('a version that is not served is refused', async () => {
  await expect(startCluster({ version: '1.28' as KubernetesRelease })).rejects.toThrow(
    `startCluster: version must be one of ${KUBERNETES_RELEASES.join(', ')}, not "1.28"`,
  );
});
