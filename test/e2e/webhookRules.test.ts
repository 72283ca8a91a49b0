import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_MAPS, configMap, WebhookBench } from '../support/WebhookBench.ts';
import { ruleFor } from '../support/webhookConfiguration.ts';
import { webDeployment } from '../support/webDeployment.ts';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterEach(() => bench.clear());
afterAll(() => bench.stop());

describe('which requests a webhook is asked about', () => {
  test.each([
    { title: 'another resource', more: { rules: [ruleFor(['secrets'])] }, expected: 0 },
    { title: 'another operation', more: { rules: [ruleFor(['configmaps'], { operations: ['DELETE'] })] }, expected: 0 },
    { title: 'another scope', more: { rules: [ruleFor(['configmaps'], { scope: 'Cluster' })] }, expected: 0 },
    { title: 'labels of the object', more: { objectSelector: { matchLabels: { app: 'web' } } }, expected: 1 },
    { title: 'other labels of the object', more: { objectSelector: { matchLabels: { app: 'db' } } }, expected: 0 },
    {
      title: 'labels of the namespace',
      more: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      expected: 1,
    },
    {
      title: 'other labels of the namespace',
      more: { namespaceSelector: { matchLabels: { team: 'a' } } },
      expected: 0,
    },
    {
      title: 'a condition that holds',
      more: { matchConditions: [{ name: 'c', expression: "object.data.a == '1' && request.operation == 'CREATE'" }] },
      expected: 1,
    },
    {
      title: 'a condition that does not',
      more: { matchConditions: [{ name: 'c', expression: 'has(object.spec)' }] },
      expected: 0,
    },
  ])('$title: $expected', async ({ more, expected }) => {
    await bench.configure('Validating', 'look', more);
    bench.server.on('/look', () => ({ allowed: true }));
    expect((await bench.send('POST', CONFIG_MAPS, configMap({ a: '1' }, { app: 'web' }))).code).toBe(201);
    expect(bench.server.received).toHaveLength(expected);
  });

  test('a condition that fails refuses the request', async () => {
    await bench.configure('Validating', 'look', {
      matchConditions: [{ name: 'c', expression: "object.spec.x == 'y'" }],
    });
    const { code, body } = await bench.send('POST', CONFIG_MAPS, configMap());
    expect(code).toBe(403);
    expect(body.message).toMatch(/^configmaps "one" is forbidden: .*no such key: spec/);
  });

  test('a request in another version is converted to that of the rule', async () => {
    const resources = ['horizontalpodautoscalers'];
    const rule = { apiGroups: ['autoscaling'], apiVersions: ['v2'], operations: ['CREATE'], resources };
    await bench.configure('Validating', 'look', { rules: [rule] });
    await bench.configure('Validating', 'exact', { rules: [rule], matchPolicy: 'Exact' });
    bench.server.on('/look', () => ({ allowed: true }));
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const { code } = await bench.send('POST', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'web' },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    });
    expect(code).toBe(201);
    expect(bench.server.reviewsOf('/exact')).toEqual([]);
    expect(bench.server.reviewsOf('/look')[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      requestKind: { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    });
  });

  test('a dry run is told', async () => {
    await bench.configure('Validating', 'look');
    bench.server.on('/look', () => ({ allowed: true }));
    expect((await bench.send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap())).code).toBe(201);
    expect(bench.server.reviewsOf('/look')[0]?.request).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  test.each([
    {
      subresource: 'deployments/scale',
      request: ['PATCH', '/apis/apps/v1/namespaces/default/deployments/web/scale', { spec: { replicas: 2 } }],
      kind: 'Scale',
      seen: { operation: 'UPDATE', object: { spec: { replicas: 2 } }, oldObject: { kind: 'Scale' } },
    },
    {
      subresource: 'deployments/status',
      request: ['PATCH', '/apis/apps/v1/namespaces/default/deployments/web/status', { status: { replicas: 7 } }],
      kind: 'Deployment',
      seen: { operation: 'UPDATE', object: { status: { replicas: 7 } } },
    },
    {
      subresource: 'pods/eviction',
      request: ['POST', '/api/v1/namespaces/default/pods/one/eviction', { metadata: { name: 'one' } }],
      kind: 'Eviction',
      seen: { operation: 'CREATE', object: { kind: 'Eviction', apiVersion: 'policy/v1' }, oldObject: null },
    },
    {
      subresource: 'pods/exec',
      request: ['POST', '/api/v1/namespaces/default/pods/one/exec?command=ls&command=-l&stdout=true', undefined],
      kind: 'PodExecOptions',
      seen: { operation: 'CONNECT', object: { command: ['ls', '-l'], stdout: true }, options: null },
    },
  ] as const)('$subresource is a resource of its own, with a $kind', async ({ subresource, request, kind, seen }) => {
    const pod = { metadata: { name: 'one' }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } };
    await bench.send('POST', '/api/v1/namespaces/default/pods', pod);
    await bench.cluster.apply(webDeployment('nginx:1', 1));
    await bench.cluster.advance('1m');
    const whole = subresource.split('/')[0] ?? '';
    await bench.configure('Validating', 'deny', { rules: [ruleFor([subresource])] });
    await bench.configure('Validating', 'whole', { rules: [ruleFor([whole])] });
    bench.server.on('/deny', () => ({ allowed: false }));
    const [method, path, body] = request;
    const { code } = await bench.send(
      method,
      path,
      body,
      method === 'PATCH' ? 'application/merge-patch+json' : undefined,
    );
    expect(code).toBe(400);
    expect(bench.server.reviewsOf('/whole')).toEqual([]);
    expect(bench.server.reviewsOf('/deny')[0]?.request).toMatchObject({
      subResource: subresource.split('/')[1],
      kind: { kind },
      ...seen,
    });
  });

  test('a service is found at the address of an option', async () => {
    const { caBundle } = bench.server.clientConfig('');
    const clientConfig = { service: { namespace: 'hooks', name: 'hook', path: '/look' }, caBundle };
    await bench.configure('Validating', 'look', { clientConfig });
    bench.server.on('/look', () => ({ allowed: true }));
    expect((await bench.send('POST', CONFIG_MAPS, configMap())).code).toBe(201);
    await bench.configure('Validating', 'look', {
      clientConfig: { service: { namespace: 'hooks', name: 'other', path: '/look' } },
    });
    expect((await bench.send('PUT', `${CONFIG_MAPS}/one`, configMap({ b: '2' }))).body.message).toBe(
      'Internal error occurred: failed calling webhook "look.example.com": failed to call webhook: Post "https://other.hooks.svc:443/look?timeout=10s": no endpoints available for service "other"',
    );
  });
});
