import {
  AppsV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { ruleFor } from '../support/webhookConfiguration.ts';
import { type Answer, patchResponse, type ReceivedReview, WebhookServer } from '../support/WebhookServer.ts';

interface Site extends KubernetesObject {
  readonly spec: { readonly image?: string; readonly size: number };
}

const SITES = { group: 'example.com', version: 'v1', plural: 'sites' };

/**
 * The code under test, as the author of an operator writes it: it makes a Deployment for each Site. It gets only a kubeconfig, and its webhooks only what an API server
 * sends them; neither depends on Driftless.
 */
async function startOperator(config: KubeConfig): Promise<() => Promise<void>> {
  const [sites, apps] = [config.makeApiClient(CustomObjectsApi), config.makeApiClient(AppsV1Api)];
  const list = async () => (await sites.listCustomObjectForAllNamespaces(SITES)) as KubernetesListObject<Site>;
  const informer = makeInformer<Site>(config, '/apis/example.com/v1/sites', list);
  const deploy = async (site: Site) => {
    const { namespace = '', name = '', uid = '' } = site.metadata ?? {};
    const labels = { site: name };
    const owner = { apiVersion: 'example.com/v1', kind: 'Site', name, uid, controller: true };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: site.spec.image ?? '' }] },
    };
    const spec = { replicas: site.spec.size, selector: { matchLabels: labels }, template };
    const body = { metadata: { name, ownerReferences: [owner] }, spec };
    await apps
      .createNamespacedDeployment({ namespace, body })
      .catch(() =>
        apps.patchNamespacedDeployment({ namespace, name, body: [{ op: 'replace', path: '/spec', value: spec }] }),
      );
  };
  const react = (site: Site) => void deploy(site).catch(() => {});
  informer.on('add', react);
  informer.on('update', react);
  await informer.start();
  return () => informer.stop();
}

/** The operator's mutating webhook: a Site without an image gets the usual one. */
function defaultSite({ request }: ReceivedReview): Answer {
  const { spec } = (request as { object: Site }).object;
  return spec.image ? { allowed: true } : patchResponse({ op: 'add', path: '/spec/image', value: 'nginx:1' });
}

/** The operator's validating webhook: a Site never gets smaller. */
function validateSite({ request }: ReceivedReview): Answer {
  const { object, oldObject } = request as { object: Site; oldObject: Site | null };
  const isSmaller = oldObject !== null && object.spec.size < oldObject.spec.size;
  return isSmaller ? { allowed: false, status: { message: 'a site may not shrink', code: 422 } } : { allowed: true };
}

function manifests(server: WebhookServer): object[] {
  const spec = {
    type: 'object',
    required: ['size'],
    properties: { image: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  };
  const configuration = (kind: string, path: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'sites' },
    webhooks: [
      {
        name: `${path}.sites.example.com`,
        clientConfig: {
          service: { namespace: 'default', name: 'site-operator', path: `/${path}` },
          caBundle: server.clientConfig('').caBundle,
        },
        rules: [ruleFor(['sites'], { operations: ['CREATE', 'UPDATE'] })],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'sites.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'sites', kind: 'Site' },
        versions: [version],
      },
    },
    configuration('MutatingWebhookConfiguration', 'default'),
    configuration('ValidatingWebhookConfiguration', 'validate'),
  ];
}

describe('an operator with its own kind and webhooks', () => {
  let server: WebhookServer;
  let cluster: Cluster;
  let stopOperator = async (): Promise<void> => {};

  beforeAll(async () => {
    server = await WebhookServer.start();
    server.on('/default', defaultSite);
    server.on('/validate', validateSite);
    cluster = await startCluster({
      clock: 'virtual',
      webhookServices: { 'default/site-operator': server.address },
    });
    await cluster.apply(manifests(server));
    await cluster.settle();
    stopOperator = await startOperator(await cluster.kubeConfig());
  });
  afterAll(async () => {
    await stopOperator();
    await cluster.stop();
    await server.stop();
  });

  const site = (size: number) => ({
    apiVersion: 'example.com/v1',
    kind: 'Site',
    metadata: { name: 'blog' },
    spec: { size },
  });

  /** Waits for the operator, however busy the machine is. */
  async function deployedWith(replicas: number): Promise<void> {
    await vi.waitFor(async () => expect((await cluster.get('deployment/blog')).spec).toMatchObject({ replicas }), {
      timeout: 10_000,
      interval: 10,
    });
  }

  test('deploys a site with the image that its webhook has filled in', async () => {
    await cluster.apply(site(2));
    await deployedWith(2);
    await cluster.advance('1m');
    const deployment = await cluster.get('deployment/blog');
    expect(deployment.spec?.template.spec?.containers[0]?.image).toBe('nginx:1');
    expect(deployment.status).toMatchObject({ availableReplicas: 2 });
  });

  test('grows a site, and its webhook keeps it from shrinking', async () => {
    await cluster.patch('sites/blog', { spec: { size: 3 } });
    await deployedWith(3);
    await cluster.advance('1m');
    expect((await cluster.get('deployment/blog')).status).toMatchObject({ availableReplicas: 3 });
    await expect(cluster.patch('sites/blog', { spec: { size: 1 } })).rejects.toThrow(
      'admission webhook "validate.sites.example.com" denied the request: a site may not shrink',
    );
    expect((await cluster.get('deployment/blog')).spec).toMatchObject({ replicas: 3 });
  });

  test('leaves nothing of a site that is deleted', async () => {
    await cluster.delete('sites/blog');
    await cluster.advance('2m');
    expect(await cluster.list('deployments')).toEqual([]);
    expect(await cluster.list('pods')).toEqual([]);
  });
});
