import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, configMap, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const MERGE = { 'content-type': 'application/merge-patch+json' };

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

describe('a client that reads metadata alone', () => {
  test.each([PARTIAL, PARTIAL.replace('PartialObjectMetadata', 'Table')])(
    'and accepts %s can delete: the Status comes as it is',
    async (accept) => {
      await api.call('POST', CONFIG_MAPS, configMap('one'));
      const { code, body } = await api.call('DELETE', `${CONFIG_MAPS}/one`, undefined, { accept });
      expect([code, body.kind, body.status]).toEqual([200, 'Status', 'Success']);
      expect((await api.call('GET', `${CONFIG_MAPS}/one`)).code).toBe(404);
    },
  );

  test('gets the metadata of an object that waits for its finalizers', async () => {
    await api.call('POST', CONFIG_MAPS, configMap('one', { metadata: { name: 'one', finalizers: ['example.com/x'] } }));
    const { code, body } = await api.call('DELETE', `${CONFIG_MAPS}/one`, undefined, { accept: PARTIAL });
    expect([code, body.kind, body.metadata.name]).toEqual([200, 'PartialObjectMetadata', 'one']);
  });
});

test('an eviction may come in either version of the policy group', async () => {
  for (const version of ['v1', 'v1beta1']) {
    const spec = { containers: [{ name: 'a', image: 'nginx:1' }] };
    await api.call('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: version }, spec });
    const eviction = { apiVersion: `policy/${version}`, kind: 'Eviction', metadata: { name: version } };
    const { code, body } = await api.call('POST', `${PODS}/${version}/eviction`, eviction);
    expect([code, body.status]).toEqual([201, 'Success']);
  }
});

test('metadata has no empty list and no empty map, whoever takes out the last member', async () => {
  const references = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }];
  const metadata = { name: 'one', labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/x'] };
  await api.call('POST', CONFIG_MAPS, configMap('one', { metadata: { ...metadata, ownerReferences: references } }));
  const key = { resource: 'configmaps', namespace: 'default', name: 'one' };
  const stored = await api.registry.get(key);
  if (!stored) throw new Error('the object is not stored');
  const empty = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
  await api.registry.update('configmaps', { ...stored, metadata: { ...stored.metadata, ...empty } });
  const { body } = await api.call('GET', `${CONFIG_MAPS}/one`);
  expect(Object.keys(body.metadata)).toEqual(
    expect.not.arrayContaining(['labels', 'annotations', 'finalizers', 'ownerReferences']),
  );
});

describe('the owners of fields', () => {
  async function written(entry: object) {
    const { body } = await api.call('POST', CONFIG_MAPS, configMap('one', { data: { a: 'b' } }));
    const managedFields = [{ ...body.metadata.managedFields[0], ...entry }];
    return api.call('PATCH', `${CONFIG_MAPS}/one`, { metadata: { managedFields } }, MERGE);
  }

  test.each([
    [{ manager: 'x'.repeat(129) }, 'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes'],
    [
      { subresource: 'x'.repeat(257) },
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ])('that are too long are refused', async (entry, message) => {
    const { code, body } = await written(entry);
    expect([code, body.message]).toEqual([422, `ConfigMap "one" is invalid: ${message}`]);
  });

  test('without a name are shown without one', async () => {
    const { code, body } = await written({ manager: '' });
    expect([code, 'manager' in body.metadata.managedFields[0]]).toEqual([200, false]);
  });
});

test('requests for certificates are listed by their signer', async () => {
  const { code, body } = await api.call('GET', `${REQUESTS}?fieldSelector=spec.signerName%3Dexample.com%2Fa`);
  expect([code, body.items]).toEqual([200, []]);
});
