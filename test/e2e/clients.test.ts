import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KubernetesApi } from '../bench/KubernetesApi.ts';
import { RolloutObserver } from '../bench/RolloutObserver.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { SERVER_ARGUMENTS } from './serverArguments.ts';

const MERGE = 'application/merge-patch+json';

let server: ServerProcess;
let api: KubernetesApi;
beforeAll(async () => {
  server = await ServerProcess.start(SERVER_ARGUMENTS);
  api = new KubernetesApi(server.baseUrl);
}, 120_000);
afterAll(() => server?.dispose());

async function namespace(name: string): Promise<string> {
  await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

async function request(method: string, path: string, body?: unknown, contentType = 'application/json') {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': contentType },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { code: response.status, body: (await response.json()) as Record<string, unknown> };
}

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const spec = { terminationGracePeriodSeconds: 0, containers: [{ name: 'web', image: 'nginx:1' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

describe('concurrent clients', () => {
  it('lose no increment of a counter that they update with resource versions', async () => {
    const path = `/api/v1/namespaces/${await namespace('counting')}/configmaps`;
    await api.call('POST', path, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'count' },
      data: { n: '0' },
    });
    const countUp = async () => {
      for (;;) {
        const current = await api.call<ConfigMap>('GET', `${path}/count`);
        const data = { n: String(Number(current.data?.['n']) + 1) };
        const { code } = await request('PUT', `${path}/count`, { ...current, data });
        if (code === 200) return;
        expect(code).toBe(409);
      }
    };
    const client = async () => {
      for (let step = 0; step < 25; step++) await countUp();
    };
    await Promise.all([client(), client()]);
    expect((await api.call<ConfigMap>('GET', `${path}/count`)).data).toEqual({ n: '50' });
  });

  it('patch different fields of one Deployment without losing a patch', async () => {
    const path = `/apis/apps/v1/namespaces/${await namespace('sharing')}/deployments`;
    await api.call('POST', path, deployment('web', 1));
    const scale = async () => {
      for (let replicas = 2; replicas <= 12; replicas++) {
        await api.call('PATCH', `${path}/web`, { spec: { replicas } }, MERGE);
      }
    };
    const annotate = async () => {
      for (let step = 0; step <= 10; step++) {
        await api.call('PATCH', `${path}/web`, { metadata: { annotations: { [`step-${step}`]: 'done' } } }, MERGE);
      }
    };
    await Promise.all([scale(), annotate()]);
    const { metadata, spec } = await api.call<Deployment>('GET', `${path}/web`);
    expect(spec?.replicas).toBe(12);
    expect(Object.keys(metadata?.annotations ?? {}).filter((key) => key.startsWith('step-'))).toHaveLength(11);
  });

  it('that create the same name get one 201 and otherwise 409', async () => {
    const path = `/api/v1/namespaces/${await namespace('clashing')}/configmaps`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => request('POST', path, body)));
    expect(answers.map(({ code }) => `${code}`).sort()).toEqual(['201', ...Array.from({ length: 9 }, () => '409')]);
  });
});

describe('a repeated request', () => {
  it('creates once, changes once and deletes once', async () => {
    const path = `/apis/apps/v1/namespaces/${await namespace('twice')}/deployments`;
    const created = await request('POST', path, deployment('web', 0));
    expect([created.code, (await request('POST', path, deployment('web', 0))).code]).toEqual([201, 409]);
    const patch = { spec: { minReadySeconds: 1 } };
    const generations: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const { body } = await request('PATCH', `${path}/web`, patch, MERGE);
      generations.push((body['metadata'] as { generation: number }).generation);
    }
    expect(generations).toEqual([2, 2]);
    const codes = [await request('DELETE', `${path}/web`), await request('DELETE', `${path}/web`)];
    expect(codes.map(({ code }) => code)).toEqual([200, 404]);
  });
});

describe('a thousand replicas', () => {
  it('are created, scaled down and deleted within 40 seconds each', async () => {
    const name = await namespace('thousand');
    const path = `/apis/apps/v1/namespaces/${name}/deployments`;
    const observer = new RolloutObserver(api, name);
    await api.call('POST', path, deployment('web', 1_000));
    await observer.until(
      '1,000 replicas',
      () => observer.complete(1, 'nginx:1') && observer.podCount === 1_000,
      40_000,
    );
    await api.call('PATCH', `${path}/web`, { spec: { replicas: 10 } }, MERGE);
    await observer.until('10 replicas', () => observer.podCount === 10 && observer.complete(1, 'nginx:1'), 40_000);
    await api.call('DELETE', `${path}/web`);
    await observer.until('none', () => observer.podCount === 0 && observer.deploymentCount === 0, 40_000);
    observer.stop();
  }, 130_000);
});

describe('bad input gets a Status with the reason', () => {
  const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad' } };
  const mebibyte = Buffer.alloc(1_048_576).toString('base64');
  const big = { ...configMap, binaryData: { a: mebibyte, b: 'AAAA' } };
  const strict = `${DEPLOYMENTS}?fieldValidation=Strict`;
  const cases: readonly (readonly [string, [string, string, unknown?, string?], number, string, RegExp])[] = [
    ['a malformed body', ['POST', CONFIG_MAPS, '{"metadata":'], 400, 'BadRequest', /unexpected end of JSON input/],
    [
      'an unknown field',
      ['POST', strict, { ...deployment('bad', 1), sepc: {} }],
      400,
      'BadRequest',
      /unknown field "sepc"/,
    ],
    [
      'an invalid object',
      ['POST', DEPLOYMENTS, deployment('bad', -1)],
      422,
      'Invalid',
      /spec.replicas: Invalid value: -1/,
    ],
    [
      'a wrong content type',
      ['POST', CONFIG_MAPS, configMap, 'text/csv'],
      415,
      'UnsupportedMediaType',
      /unknown format/,
    ],
    ['an unknown resource', ['GET', '/api/v1/unicorns'], 404, 'NotFound', /could not find the requested resource/],
    ['an object that does not exist', ['GET', `${CONFIG_MAPS}/none`], 404, 'NotFound', /configmaps "none" not found/],
    [
      'a method that is not allowed',
      ['POST', `${CONFIG_MAPS}/one`, configMap],
      405,
      'MethodNotAllowed',
      /does not allow this method/,
    ],
    [
      'a stale version',
      ['PUT', '/api/v1/namespaces/default', { ...staleNamespace() }],
      409,
      'Conflict',
      /the object has been modified/,
    ],
    [
      'a config map with too much data',
      ['POST', CONFIG_MAPS, big],
      422,
      'Invalid',
      /may not be more than 1048576 bytes/,
    ],
    ['a body too large to be read', ['POST', CONFIG_MAPS, 'x'.repeat(4_000_000)], 413, 'RequestEntityTooLarge', /./],
  ];

  it.each(cases)('%s', async (_, sent, code, reason, message) => {
    const answer = await request(...sent);
    expect(answer.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason });
    expect(answer.code).toBe(code);
    expect(answer.body['message']).toMatch(message);
  });

  it('an object too large to be stored, as from etcd: without a reason', async () => {
    const metadata = { name: 'bad', annotations: { text: 'x'.repeat(200_000) } };
    const { body } = await request('POST', CONFIG_MAPS, { ...configMap, metadata, binaryData: { a: mebibyte } });
    expect(body).toMatchObject({ kind: 'Status', message: 'etcdserver: request is too large', code: 500 });
    expect(body).not.toHaveProperty('reason');
  });

  it('an invalid object, with a cause for each wrong field', async () => {
    const bad = deployment('Bad_Name', -1);
    const { body } = await request('POST', DEPLOYMENTS, bad);
    const { causes } = body['details'] as { causes: { field: string; reason: string }[] };
    expect(causes.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'metadata.name FieldValueInvalid',
      'spec.replicas FieldValueInvalid',
    ]);
  });

  function staleNamespace() {
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', resourceVersion: '999999999' } };
  }
});
