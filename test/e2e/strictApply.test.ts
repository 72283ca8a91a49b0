import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
    },
  },
};

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

const widget = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec });

describe('apply validates fields as strictly as kubectl', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  test.each<[string, object, string]>([
    ['an unknown field of the spec', { ...DEPLOYMENT.spec, replicsa: 3 }, 'unknown field "spec.replicsa"'],
    [
      'an unknown field of a container',
      {
        ...DEPLOYMENT.spec,
        template: { ...DEPLOYMENT.spec.template, spec: { containers: [{ name: 'web', image: 'nginx', prots: [] }] } },
      },
      'unknown field "spec.template.spec.containers[0].prots"',
    ],
  ])('refuses %s, and creates nothing', async (_case, spec, field) => {
    await expect(cluster.apply({ ...DEPLOYMENT, spec })).rejects.toMatchObject({
      reason: 'BadRequest',
      status: {
        message: `Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${field}`,
      },
    });
    expect(await cluster.list('deployments')).toEqual([]);
  });

  test('refuses an unknown field of an object that exists, and changes nothing', async () => {
    await cluster.apply(DEPLOYMENT);
    const misspelt = { ...DEPLOYMENT, spec: { ...DEPLOYMENT.spec, replicas: 2, replicsa: 3 } };
    await expect(cluster.apply(misspelt)).rejects.toMatchObject({
      status: { message: expect.stringContaining('strict decoding error: unknown field "spec.replicsa"') },
    });
    expect((await cluster.get('deployment/web')).spec?.replicas).toBe(1);
    await cluster.delete('deployment/web');
  });

  test('refuses a field that is written twice', async () => {
    const twice = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: b\n';
    await expect(cluster.apply(twice)).rejects.toThrow('Map keys must be unique');
  });

  test('refuses an unknown field of a custom resource that is new, and of one that exists', async () => {
    await cluster.apply([DEFINITION, widget({ size: 1 })]);
    const refusal = { status: { message: expect.stringContaining('unknown field "spec.siez"') } };
    await expect(cluster.apply(widget({ siez: 2 }))).rejects.toMatchObject(refusal);
    await cluster.delete('widgets.example.com/w');
    await expect(cluster.apply(widget({ siez: 2 }))).rejects.toMatchObject(refusal);
  });
});
