import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_MAPS, configMap, WebhookBench } from '../support/WebhookBench.ts';
import { ruleFor } from '../support/webhookConfiguration.ts';
import { patchResponse } from '../support/WebhookServer.ts';
import { webDeployment } from '../support/webDeployment.ts';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterEach(() => bench.clear());
afterAll(() => bench.stop());

describe('mutating webhooks', () => {
  test('are sent an AdmissionReview, and change the object before it is stored', async () => {
    await bench.configure('Mutating', 'label');
    bench.server.on('/label', () => patchResponse({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }));
    const { code, body } = await bench.send('POST', `${CONFIG_MAPS}?fieldManager=me`, configMap());
    expect({ code, labels: body.metadata.labels }).toEqual({ code: 201, labels: { seen: 'yes' } });
    expect(bench.server.received[0]?.path).toBe('/label?timeout=10s');
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    const resource = { group: '', version: 'v1', resource: 'configmaps' };
    expect(bench.server.reviewsOf('/label')).toEqual([
      {
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        request: {
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          kind,
          resource,
          requestKind: kind,
          requestResource: resource,
          name: 'one',
          namespace: 'default',
          operation: 'CREATE',
          userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
          object: expect.objectContaining({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } }),
          oldObject: null,
          dryRun: false,
          options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
        },
      },
    ]);
  });

  test('see updates, patches and deletions', async () => {
    await bench.configure('Mutating', 'see');
    bench.server.on('/see', () => ({ allowed: true }));
    await bench.send('POST', CONFIG_MAPS, configMap());
    await bench.send('PUT', `${CONFIG_MAPS}/one`, configMap({ a: '2' }));
    await bench.send('PATCH', `${CONFIG_MAPS}/one`, { data: { a: '3' } }, 'application/merge-patch+json');
    await bench.send('DELETE', `${CONFIG_MAPS}/one`, { propagationPolicy: 'Background' });
    const seen = bench.server
      .reviewsOf('/see')
      .map(({ request }) => [
        request.operation,
        request.object?.data.a,
        request.oldObject?.data.a,
        request.options.kind,
        request.options.propagationPolicy,
      ]);
    expect(seen).toEqual([
      ['CREATE', '1', undefined, 'CreateOptions', undefined],
      ['UPDATE', '2', '1', 'UpdateOptions', undefined],
      ['UPDATE', '3', '2', 'UpdateOptions', undefined],
      ['DELETE', undefined, '3', 'DeleteOptions', 'Background'],
    ]);
  });

  test('are asked by name, each about what those before it have made, and again if they want to', async () => {
    await bench.configure('Mutating', 'a', { reinvocationPolicy: 'IfNeeded' });
    await bench.configure('Mutating', 'b');
    const append = (letter: string) => (review: { request: { object: { data: { a: string } } } }) =>
      review.request.object.data.a.endsWith(letter)
        ? { allowed: true }
        : patchResponse({ op: 'replace', path: '/data/a', value: review.request.object.data.a + letter });
    bench.server.on('/a', append('A'));
    bench.server.on('/b', append('B'));
    const { body } = await bench.send('POST', CONFIG_MAPS, configMap());
    expect(body.data).toEqual({ a: '1ABA' });
    expect(bench.server.received.map(({ path }) => path.slice(0, 2))).toEqual(['/a', '/b', '/a']);
  });

  test('can add only what the kind knows, and get its defaults', async () => {
    await bench.configure('Mutating', 'add', { rules: [ruleFor(['pods'], { operations: ['CREATE'] })] });
    const container = { name: 'sidecar', image: 'envoy:1', unknown: 1 };
    bench.server.on('/add', () => patchResponse({ op: 'add', path: '/spec/containers/-', value: container }));
    const pod = { metadata: { name: 'one' }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } };
    const { code, body } = await bench.send('POST', '/api/v1/namespaces/default/pods', pod);
    expect(code).toBe(201);
    expect(body.spec.containers[1]).toMatchObject({ name: 'sidecar', imagePullPolicy: 'IfNotPresent' });
    expect(body.spec.containers[1]).not.toHaveProperty('unknown');
  });

  test('cannot make an invalid object, nor send a patch that does not fit', async () => {
    await bench.configure('Mutating', 'break');
    bench.server.on('/break', () => patchResponse({ op: 'add', path: '/metadata/labels', value: { '/': '' } }));
    expect(await bench.send('POST', CONFIG_MAPS, configMap())).toMatchObject({
      code: 422,
      body: { reason: 'Invalid' },
    });
    bench.server.on('/break', () => patchResponse({ op: 'add', path: '/nowhere/else', value: 1 }));
    const why = 'jsonpatch add operation does not apply: doc is missing path: "/nowhere/else": missing value';
    expect((await bench.send('POST', CONFIG_MAPS, configMap())).body).toMatchObject({
      message: `Internal error occurred: ${why}`,
      reason: 'InternalError',
      details: { causes: [{ message: why }] },
      code: 500,
    });
  });

  test('change the pods that controllers create', async () => {
    await bench.configure('Mutating', 'inject', { rules: [ruleFor(['pods'], { operations: ['CREATE'] })] });
    bench.server.on('/inject', () =>
      patchResponse({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'envoy:1' } }),
    );
    await bench.cluster.apply(webDeployment('nginx:1', 3));
    await bench.cluster.advance('1m');
    const pods = await bench.cluster.list('pods');
    expect(pods.map(({ spec }) => spec?.containers.map(({ name }) => name))).toEqual(
      [1, 2, 3].map(() => ['web', 'sidecar']),
    );
    expect((await bench.cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
    expect(bench.server.reviewsOf('/inject')[0]?.request.userInfo.username).toBe('system:kube-controller-manager');
  });
});

describe('validating webhooks', () => {
  const DENIED = 'admission webhook "deny.example.com" denied the request';

  test.each([
    { response: {}, code: 400, reason: undefined, message: `${DENIED} without explanation` },
    { response: { status: { message: 'no' } }, code: 400, reason: undefined, message: `${DENIED}: no` },
    {
      response: { status: { reason: 'Forbidden', code: 403 } },
      code: 403,
      reason: 'Forbidden',
      message: `${DENIED}: Forbidden`,
    },
    { response: { status: { message: 'tea', code: 418 } }, code: 418, reason: undefined, message: `${DENIED}: tea` },
    { response: { status: { message: 'odd', code: 200 } }, code: 400, reason: undefined, message: `${DENIED}: odd` },
  ])('deny with $code and "$message"', async ({ response, code, reason, message }) => {
    await bench.configure('Validating', 'deny');
    bench.server.on('/deny', () => ({ allowed: false, ...response }));
    const answer = await bench.send('POST', CONFIG_MAPS, configMap());
    expect(answer).toMatchObject({ code, body: { kind: 'Status', status: 'Failure', message, code } });
    expect(answer.body.reason).toBe(reason);
    expect((await bench.send('GET', `${CONFIG_MAPS}/one`)).code).toBe(404);
  });

  test('see the object as it will be stored, and warn', async () => {
    await bench.configure('Mutating', 'label');
    await bench.configure('Validating', 'look');
    bench.server.on('/label', () => patchResponse({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }));
    bench.server.on('/look', () => ({
      allowed: true,
      warnings: ['think "twice"'],
      auditAnnotations: { key: 'value' },
    }));
    const { code, warnings } = await bench.send('POST', CONFIG_MAPS, configMap());
    expect({ code, warnings }).toEqual({ code: 201, warnings: ['299 - "think \\"twice\\""'] });
    expect(bench.server.reviewsOf('/look')[0]?.request.object.metadata).toMatchObject({
      labels: { seen: 'yes' },
      uid: expect.any(String),
    });
  });

  test('refuse a deletion, and each object of a collection', async () => {
    await bench.send('POST', CONFIG_MAPS, configMap());
    await bench.configure('Validating', 'deny', { rules: [ruleFor(['configmaps'], { operations: ['DELETE'] })] });
    bench.server.on('/deny', () => ({ allowed: false, status: { message: 'keep it' } }));
    expect((await bench.send('DELETE', `${CONFIG_MAPS}/one`)).body.message).toBe(`${DENIED}: keep it`);
    expect((await bench.send('DELETE', CONFIG_MAPS)).body.message).toBe(`${DENIED}: keep it`);
    expect((await bench.send('GET', `${CONFIG_MAPS}/one`)).code).toBe(200);
  });

  test('are not asked about webhook configurations', async () => {
    await bench.configure('Validating', 'deny', { rules: [ruleFor(['*'])] });
    bench.server.on('/deny', () => ({ allowed: false }));
    await bench.cluster.delete('validatingwebhookconfigurations/deny');
    expect((await bench.send('POST', CONFIG_MAPS, configMap())).code).toBe(201);
  });
});

describe('a webhook that fails', () => {
  const FAILED = 'failed calling webhook "fail.example.com": ';

  test.each([
    { answer: 'hang' as const, why: 'failed to call webhook: Post "URL?timeout=1s": context deadline exceeded' },
    { answer: 'oops', why: "failed to call webhook: couldn't get version/kind; json parse error: " },
    { answer: '{}', why: 'received invalid webhook response: webhook response was absent' },
    {
      answer: { uid: 'x', allowed: true },
      why: 'received invalid webhook response: expected response.uid="UID", got "x"',
    },
    {
      answer: { allowed: true, patch: 'e30=' },
      why: 'received invalid webhook response: validating webhook may not return response.patch',
    },
    { answer: undefined, why: 'failed to call webhook: the server could not find the requested resource' },
  ])('refuses the request: $why', async ({ answer, why }) => {
    await bench.configure('Validating', 'fail', { timeoutSeconds: 1 });
    if (answer !== undefined) bench.server.on('/fail', () => answer);
    const { code, body } = await bench.send('POST', CONFIG_MAPS, configMap());
    const [uid = ''] = bench.server.reviewsOf('/fail').map(({ request }) => request.uid as string);
    const message = why.replace('URL', `https://${bench.server.address}/fail`).replace('UID', uid);
    expect(code).toBe(500);
    expect(body.message).toContain(`Internal error occurred: ${FAILED}${message}`);
  });

  test('lets the request pass if its failure policy is Ignore', async () => {
    await bench.configure('Validating', 'fail', { timeoutSeconds: 1, failurePolicy: 'Ignore' });
    bench.server.on('/fail', () => 'hang');
    expect((await bench.send('POST', CONFIG_MAPS, configMap())).code).toBe(201);
  });

  test('harms no other request', async () => {
    await bench.configure('Validating', 'fail', { timeoutSeconds: 3 });
    bench.server.on('/fail', () => 'hang');
    const hanging = bench.send('POST', CONFIG_MAPS, configMap());
    await bench.cluster.apply(webDeployment('nginx:1', 2));
    await bench.cluster.advance('1m');
    expect((await bench.cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 2 });
    expect((await hanging).code).toBe(500);
  });
});
