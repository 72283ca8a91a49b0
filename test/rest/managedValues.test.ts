import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, configMap, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const membersOf = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, '1']));

/** Fits an object, but not together with its owner, who has as many fields. */
const wide = (name: string) =>
  configMap(name, { metadata: { name, annotations: membersOf('a', 4_000) }, data: membersOf('d', 10_000) });

/** Somebody who owns so many fields. */
const ownerOf = (count: number) => {
  const fieldsV1 = { 'f:data': Object.fromEntries(Array.from({ length: count }, (_, at) => [`f:${at}`, {}])) };
  return { manager: 'given', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
};

let api: Api;
beforeAll(async () => {
  api = await startApi();
  expect(await api.call('POST', CONFIG_MAPS, wide('wide'))).toMatchObject({ code: 201 });
});

const patches: Readonly<Record<string, unknown>> = {
  'application/strategic-merge-patch+json': { data: { d0: '2' } },
  'application/merge-patch+json': { data: { d0: '3' } },
  'application/json-patch+json': [{ op: 'replace', path: '/data/d0', value: '4' }],
};

const MESSAGE = 'Request entity too large: limit is 50000 values of managedFields';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

// A busy machine needs many times as long for so many values.
describe('the values of managedFields, which the server makes, do not count as those of the object', {
  timeout: 240_000,
}, () => {
  test('an object that has too many only with its owners is written back as it was read', async () => {
    const { body } = await api.call('GET', `${CONFIG_MAPS}/wide`);
    expect(valuesOf(body)).toBeGreaterThan(25_000);
    const written = await api.call('PUT', `${CONFIG_MAPS}/wide`, { ...body, data: { ...body.data, d0: '5' } });
    expect(written).toMatchObject({ code: 200, body: { data: { d0: '5' } } });
    expect(written.body.metadata.managedFields).not.toEqual([]);
  });

  test.each(Object.entries(patches))('it is patched by %s', async (type, patch) => {
    const headers = { 'content-type': type };
    expect(await api.call('PATCH', `${CONFIG_MAPS}/wide`, patch, headers)).toMatchObject({ code: 200 });
  });

  test('it is applied again', async () => {
    for (const code of [201, 200])
      expect(
        await api.call('PATCH', `${CONFIG_MAPS}/applied?fieldManager=a`, { ...wide('applied') }, APPLY),
      ).toMatchObject({ code });
  });

  test('what the owners themselves may hold has a limit', async () => {
    const metadata = { name: 'owned', managedFields: [ownerOf(60_000)] };
    expect(await api.call('POST', CONFIG_MAPS, { metadata })).toMatchObject({ code: 413, body: { message: MESSAGE } });
  });

  test('an apply that would pass that limit is refused, and an update that would leaves the object without owners', async () => {
    const path = `${CONFIG_MAPS}/limit`;
    const metadata = { name: 'limit', managedFields: [ownerOf(45_000)] };
    expect(await api.call('POST', CONFIG_MAPS, { metadata })).toMatchObject({ code: 201 });
    const applied = await api.call('PATCH', `${path}?fieldManager=a`, wide('limit'), APPLY);
    expect(applied).toMatchObject({ code: 413, body: { message: MESSAGE } });
    const { body } = await api.call('GET', path);
    const updated = await api.call('PUT', path, { ...body, data: membersOf('d', 10_000) });
    expect(updated).toMatchObject({ code: 200, body: { data: { d0: '1' } } });
    expect(updated.body.metadata.managedFields).toBeUndefined();
  });
});

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1);
}
