import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, deployment, startApi } from './startApi.ts';

/** The owners of so many variables have more values than the variables, and with them more than an object may hold beside its owners. */
const VARIABLES = 8_000;
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const env = Array.from({ length: VARIABLES }, (_, at) => ({ name: `N${at}`, value: `${at}` }));
const wide = (name: string) => {
  const one = deployment(name) as { spec: { template: { spec: { containers: object[] } } } };
  one.spec.template.spec.containers = [{ name: 'web', image: 'nginx', env }];
  return one;
};

let api: Api;
beforeAll(async () => {
  api = await startApi();
  expect(await api.call('POST', DEPLOYMENTS, wide('wide'))).toMatchObject({ code: 201 });
});

const patches: Readonly<Record<string, unknown>> = {
  'application/strategic-merge-patch+json': { spec: { replicas: 2 } },
  'application/merge-patch+json': { spec: { replicas: 3 } },
  'application/json-patch+json': [{ op: 'replace', path: '/spec/replicas', value: 4 }],
};

describe('the values of managedFields, which the server makes, do not count as those of the object', () => {
  test('an object whose owners have more values than itself is written back as it was read', async () => {
    const { body } = await api.call('GET', `${DEPLOYMENTS}/wide`);
    expect(valuesOf(body)).toBeGreaterThan(25_000);
    body.spec.replicas = 5;
    const written = await api.call('PUT', `${DEPLOYMENTS}/wide`, body);
    expect(written).toMatchObject({ code: 200, body: { spec: { replicas: 5 } } });
    expect(written.body.metadata.managedFields).not.toEqual([]);
  });

  test.each(Object.entries(patches))('it is patched by %s', async (type, patch) => {
    const headers = { 'content-type': type };
    expect(await api.call('PATCH', `${DEPLOYMENTS}/wide`, patch, headers)).toMatchObject({ code: 200 });
  });

  test('it is applied, again and again, and patched then', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const path = `${DEPLOYMENTS}/applied`;
    const config = { apiVersion: 'apps/v1', kind: 'Deployment', ...wide('applied') };
    for (const code of [201, 200])
      expect(await api.call('PATCH', `${path}?fieldManager=a`, config, headers)).toMatchObject({ code });
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect(await api.call('PATCH', path, { spec: { replicas: 2 } }, merge)).toMatchObject({ code: 200 });
  });

  test('what the owners themselves may hold has a limit', async () => {
    const fieldsV1 = { 'f:data': Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`f:${at}`, {}])) };
    const owner = { manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
    const metadata = { name: 'owned', managedFields: [owner] };
    const message = 'Request entity too large: limit is 75000 values of managedFields';
    expect(await api.call('POST', '/api/v1/namespaces/default/configmaps', { metadata })).toMatchObject({
      code: 413,
      body: { message },
    });
  });

  test('an apply that would pass that limit is refused, and an update that would is stored without owners; both are written back', async () => {
    const path = `${DEPLOYMENTS}/owners`;
    const config = { apiVersion: 'apps/v1', kind: 'Deployment', ...wide('owners') };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    for (const [manager, code] of Object.entries({ a: 201, b: 200, c: 413 }))
      expect(await api.call('PATCH', `${path}?fieldManager=${manager}`, config, headers)).toMatchObject({ code });
    const { body } = await api.call('GET', path);
    expect(await api.call('PUT', path, body)).toMatchObject({ code: 200 });
    for (const [at, one] of body.spec.template.spec.containers[0].env.entries()) one.value = `other ${at}`;
    expect(await api.call('PUT', `${path}?fieldManager=d`, body)).toMatchObject({ code: 200 });
  });
});

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1);
}
