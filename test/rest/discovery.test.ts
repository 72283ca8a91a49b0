import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from './startApi.ts';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const PLAIN_NEXT = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

describe('discovery', () => {
  test('/api/v1 lists resources with their names, verbs and subresources', async () => {
    const { body } = await api.call('GET', '/api/v1');
    expect([body.kind, body.groupVersion]).toEqual(['APIResourceList', 'v1']);
    const pods = body.resources.find((one: { name: string }) => one.name === 'pods');
    expect(pods).toMatchObject({ singularName: 'pod', namespaced: true, kind: 'Pod', shortNames: ['po'] });
    expect(pods.verbs).toEqual(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);
    const names = body.resources.map((one: { name: string }) => one.name);
    expect(names).toEqual(expect.arrayContaining(['pods/status', 'pods/eviction', 'namespaces/finalize']));
  });

  test('a scale subresource names the group and version of its kind', async () => {
    const { body } = await api.call('GET', '/apis/apps/v1');
    const scale = body.resources.find((one: { name: string }) => one.name === 'deployments/scale');
    expect(scale).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  test('/apis lists groups with their preferred version first', async () => {
    const { body } = await api.call('GET', '/apis');
    const apps = body.groups.find((one: { name: string }) => one.name === 'apps');
    expect(apps.preferredVersion).toEqual({ groupVersion: 'apps/v1', version: 'v1' });
    expect((await api.call('GET', '/apis/apps')).body).toMatchObject({ kind: 'APIGroup', name: 'apps' });
  });

  test.each([
    ['v2', AGGREGATED],
    ['v2beta1', PLAIN_NEXT],
  ])('the aggregated document %s has its own content type', async (version, accept) => {
    const { body, headers } = await api.call('GET', '/apis', undefined, { accept });
    expect(headers.get('content-type')).toBe(
      `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    );
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}` });
    const apps = body.items.find((one: { metadata: { name: string } }) => one.metadata.name === 'apps');
    expect(apps.versions[0]).toMatchObject({ version: 'v1', freshness: 'Current' });
    expect(apps.versions[0].resources[0]).toMatchObject({ scope: 'Namespaced', responseKind: { group: 'apps' } });
  });

  test('a client that prefers the plain form gets it', async () => {
    const { body } = await api.call('GET', '/apis', undefined, { accept: `application/json,${AGGREGATED};q=0.5` });
    expect(body.kind).toBe('APIGroupList');
  });

  test('an aggregated document that the client already has is not sent again', async () => {
    const first = await api.call('GET', '/api', undefined, { accept: AGGREGATED });
    const headers = { accept: AGGREGATED, 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await api.call('GET', '/api', undefined, headers)).code).toBe(304);
  });

  test.each(['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'])(
    '%s, which no supported Kubernetes has, is neither announced nor served',
    async (groupVersion) => {
      const { body } = await api.call('GET', '/apis');
      expect(JSON.stringify(body)).not.toContain(`"${groupVersion}"`);
      expect((await api.call('GET', `/apis/${groupVersion}`)).code).toBe(404);
      const collection = `/apis/${groupVersion}/namespaces/default/deployments`;
      expect((await api.call('GET', collection)).code).toBe(404);
      expect((await api.call('POST', `${collection}/web/rollback`, { name: 'web' })).code).toBe(404);
    },
  );

  test('every announced resource can be listed, unless it only supports create', async () => {
    const groups = (await api.call('GET', '/apis')).body.groups as { versions: { groupVersion: string }[] }[];
    const roots = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((one) => `/apis/${one.groupVersion}`))];
    for (const root of roots) {
      const { resources } = (await api.call('GET', root)).body as { resources: { name: string; verbs: string[] }[] };
      for (const { name, verbs } of resources.filter((one) => !one.name.includes('/'))) {
        expect([root, name, (await api.call('GET', `${root}/${name}`)).code]).toEqual([
          root,
          name,
          verbs.includes('list') ? 200 : 405,
        ]);
      }
    }
  });
});

describe('paths outside the API', () => {
  test('/version names the Kubernetes release whose API is served', async () => {
    const { body } = await api.call('GET', '/version');
    expect(body).toMatchObject({ major: '1', minor: '36' });
    expect(body.gitVersion).toMatch(/^v1\.36\.\d+\+driftless$/);
  });

  test.each(['/healthz', '/livez', '/readyz', '/readyz/storage'])('%s is ok', async (path) => {
    const { code, body } = await api.call('GET', path);
    expect([code, body]).toEqual([200, 'ok']);
  });

  test('a server that cannot reach its store is live but not ready', async () => {
    const registry = { ...api.registry, list: () => Promise.reject(new Error('gone')) };
    const broken = await startApi({ registry });
    expect((await broken.call('GET', '/livez')).code).toBe(200);
    const { code, body } = await broken.call('GET', '/readyz?verbose');
    expect(code).toBe(500);
    expect(body).toContain('[-]storage failed');
  });

  test('/metrics counts requests under kube-apiserver\u2019s names', async () => {
    await api.call('GET', '/api/v1/namespaces/default/pods/none');
    const { body } = await api.call('GET', '/metrics');
    expect(body).toContain(
      'apiserver_request_total{verb="GET",dry_run="",group="",version="v1",resource="pods",subresource="",scope="resource",component="apiserver",code="404"} 1',
    );
    expect(body).toContain('apiserver_request_duration_seconds_bucket');
  });

  test.each(['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1'])(
    '%s is served with an ETag, and not sent again to a client that has it',
    async (path) => {
      const { code, headers } = await api.call('GET', path);
      expect(code).toBe(200);
      const etag = headers.get('etag') ?? '';
      expect((await api.call('GET', path, undefined, { 'if-none-match': etag })).code).toBe(304);
    },
  );

  test('the address of an older OpenAPI document redirects to the current one', async () => {
    const { code, headers } = await api.call('GET', '/openapi/v3/api/v1?hash=OLD');
    expect(code).toBe(301);
    expect((await api.call('GET', headers.get('location') ?? '')).headers.get('cache-control')).toContain('immutable');
  });
});

describe('forms of an answer', () => {
  const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

  test('a table has columns, and each row its cells and the metadata of its object', async () => {
    const { body } = await api.call('GET', '/api/v1/namespaces', undefined, { accept: TABLE });
    expect([body.kind, body.apiVersion]).toEqual(['Table', 'meta.k8s.io/v1']);
    expect(body.columnDefinitions.map((one: { name: string }) => one.name)).toEqual(['Name', 'Status', 'Age']);
    expect(body.rows[0].cells).toEqual(['default', 'Active', '0s']);
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'default' } });
  });

  test.each([
    ['None', null],
    ['Object', expect.objectContaining({ kind: 'Namespace' })],
  ])('includeObject=%s decides which object the rows carry', async (include, object) => {
    const { body } = await api.call('GET', `/api/v1/namespaces?includeObject=${include}`, undefined, { accept: TABLE });
    expect(body.rows[0].object).toEqual(object);
  });

  test('an object and a list are served as metadata only', async () => {
    const one = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const many = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { body } = await api.call('GET', '/api/v1/namespaces/default', undefined, { accept: one });
    expect(Object.keys(body).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    const list = await api.call('GET', '/api/v1/namespaces', undefined, { accept: many });
    expect(list.body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata' }, {}],
    });
  });

  test('a client that prefers protobuf but accepts anything is answered in JSON', async () => {
    const accept = 'application/vnd.kubernetes.protobuf, */*';
    const { headers } = await api.call('GET', '/api/v1/namespaces', undefined, { accept });
    expect(headers.get('content-type')).toBe('application/json');
  });
});
