import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { createOpenApi } from '../../../lambdas/rest/schema/openapi/createOpenApi.ts';

interface Component {
  readonly properties: Record<string, Record<string, unknown>>;
}

interface Operation {
  readonly parameters: readonly { readonly name: string }[];
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': object;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Component> };
  readonly definitions: Record<string, Component>;
}

const DEPLOYMENTS = '/apis/apps/v1/namespaces/{namespace}/deployments';
const openApi = createOpenApi(resourceEntries, 'v1.32.0');

async function apps(): Promise<Document> {
  return JSON.parse((await openApi.groupVersion('apis/apps/v1'))?.body ?? '') as Document;
}

test('the index gives each document an address that changes with the document', async () => {
  const { paths } = JSON.parse((await openApi.index()).body) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const document = await openApi.groupVersion('apis/apps/v1');
  expect(paths['apis/apps/v1']?.serverRelativeURL).toBe(`/openapi/v3/apis/apps/v1?hash=${document?.hash}`);
  expect(Object.keys(paths)).toContain('api/v1');
  expect(await openApi.groupVersion('apis/nothing/v1')).toBeUndefined();
});

test('a document is built once', async () => {
  expect(await openApi.v2()).toBe(await openApi.v2());
});

test('the document of a patch has the query parameters that kubectl looks up before it relies on server-side validation', async () => {
  const patch = (await apps()).paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.['patch'];
  expect(patch?.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['fieldValidation', 'dryRun']));
  expect(patch).toMatchObject({
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  });
});

test.each([
  ['apis/apps/v1', '/apis/apps/v1/deployments', 'get', 'listAppsV1DeploymentForAllNamespaces', 'apps_v1'],
  ['apis/apps/v1', DEPLOYMENTS, 'get', 'listAppsV1NamespacedDeployment', 'apps_v1'],
  ['apis/apps/v1', DEPLOYMENTS, 'post', 'createAppsV1NamespacedDeployment', 'apps_v1'],
  ['apis/apps/v1', DEPLOYMENTS, 'delete', 'deleteAppsV1CollectionNamespacedDeployment', 'apps_v1'],
  ['apis/apps/v1', `${DEPLOYMENTS}/{name}`, 'get', 'readAppsV1NamespacedDeployment', 'apps_v1'],
  ['apis/apps/v1', `${DEPLOYMENTS}/{name}/scale`, 'put', 'replaceAppsV1NamespacedDeploymentScale', 'apps_v1'],
  ['api/v1', '/api/v1/nodes/{name}/status', 'patch', 'patchCoreV1NodeStatus', 'core_v1'],
  [
    'apis/rbac.authorization.k8s.io/v1',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    'get',
    'listRbacAuthorizationV1ClusterRole',
    'rbacAuthorization_v1',
  ],
])('the document of %s names %s %s, as generated clients do', async (root, path, method, operationId, tag) => {
  const { paths } = JSON.parse((await openApi.groupVersion(root))?.body ?? '') as Document;
  expect(paths[path]?.[method]).toMatchObject({ operationId, tags: [tag] });
});

test('components have the extensions that clients use to merge lists', async () => {
  const { schemas } = (await apps()).components;
  expect(schemas['io.k8s.api.core.v1.PodSpec']?.properties['volumes']).toMatchObject({
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge,retainKeys',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  });
  expect(schemas['io.k8s.api.core.v1.Container']?.properties['ports']).toMatchObject({
    'x-kubernetes-patch-merge-key': 'containerPort',
    'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
  });
  expect(schemas['io.k8s.api.apps.v1.DeploymentSpec']?.properties['strategy']).toMatchObject({
    allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' }],
    'x-kubernetes-patch-strategy': 'retainKeys',
  });
});

test('components have descriptions and required fields', async () => {
  const spec = (await apps()).components.schemas['io.k8s.api.apps.v1.DeploymentSpec'];
  expect(spec).toMatchObject({ required: ['selector', 'template'] });
  expect(spec?.properties['replicas']).toMatchObject({
    type: 'integer',
    format: 'int32',
    description: expect.any(String) as string,
  });
  // A field whose type is a struct has its own description, not the type's.
  expect(spec?.properties['strategy']?.['description']).toMatch(/^The deployment strategy to use/);
});

test('version 2 describes the same types in one document', async () => {
  const { definitions, paths } = JSON.parse((await openApi.v2()).body) as Document;
  expect(definitions['io.k8s.api.core.v1.Pod']?.properties['spec']).toMatchObject({
    $ref: '#/definitions/io.k8s.api.core.v1.PodSpec',
  });
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/v1/nodes/{name}', '/apis/apps/v1/replicasets']));
});

test('the types of version 2 are also served in protobuf, as kubectl requests them', async () => {
  const { root } = protobuf.parse(`syntax = "proto3";
    message Any { string yaml = 2; }
    message NamedAny { string name = 1; Any value = 2; }
    message Info { string title = 1; string version = 2; }
    message TypeItem { repeated string value = 1; }
    message ItemsItem { repeated Schema schema = 1; }
    message NamedSchema { string name = 1; Schema value = 2; }
    message Definitions { repeated NamedSchema additional_properties = 1; }
    message Schema {
      string _ref = 1; string format = 2; repeated string required = 19;
      TypeItem type = 22; ItemsItem items = 23; Definitions properties = 25; repeated NamedAny vendor_extension = 31;
    }
    message Document { string swagger = 1; Info info = 2; Definitions definitions = 9; }`);
  const type = root.lookupType('Document');
  const { body } = await openApi.v2Protobuf();
  const document = type.toObject(type.decode(body)) as {
    swagger: string;
    info: object;
    definitions: { additionalProperties: { name: string; value: object }[] };
  };
  expect(document).toMatchObject({ swagger: '2.0', info: { title: 'Kubernetes', version: 'v1.32.0' } });
  const types = document.definitions.additionalProperties;
  const { definitions } = JSON.parse((await openApi.v2()).body) as Document;
  expect(types.map(({ name }) => name)).toEqual(Object.keys(definitions));
  const spec = types.find(({ name }) => name === 'io.k8s.api.core.v1.PodSpec')?.value;
  expect(spec).toMatchObject({ type: { value: ['object'] }, required: ['containers'] });
  expect(JSON.stringify(spec)).toContain('"x-kubernetes-patch-merge-key","value":{"yaml":"\\"name\\""}');
});

test('version 2 in protobuf has the query parameters of each PATCH, in which kubectl before 1.27 looks for dryRun', async () => {
  const { root } = protobuf.parse(`syntax = "proto3";
    message Any { string yaml = 2; }
    message NamedAny { string name = 1; Any value = 2; }
    message QueryParameterSubSchema { string in = 2; string name = 4; string type = 6; }
    message NonBodyParameter { QueryParameterSubSchema query_parameter_sub_schema = 3; }
    message Parameter { NonBodyParameter non_body_parameter = 2; }
    message ParametersItem { Parameter parameter = 1; }
    message Operation { repeated ParametersItem parameters = 8; repeated NamedAny vendor_extension = 13; }
    message PathItem { Operation patch = 8; }
    message NamedPathItem { string name = 1; PathItem value = 2; }
    message Paths { repeated NamedPathItem path = 2; }
    message Document { Paths paths = 8; }`);
  interface Patch {
    readonly parameters: { parameter: { nonBodyParameter: { queryParameterSubSchema: object } } }[];
    readonly vendorExtension: { name: string; value: { yaml: string } }[];
  }
  const type = root.lookupType('Document');
  const { body } = await openApi.v2Protobuf();
  const document = type.toObject(type.decode(body)) as {
    paths: { path: { name: string; value: { patch: Patch } }[] };
  };
  const { path } = document.paths;
  const { paths } = JSON.parse((await openApi.v2()).body) as Document;
  expect(path.map(({ name }) => name)).toEqual(Object.keys(paths).filter((name) => 'patch' in (paths[name] ?? {})));
  const patch = path.find(({ name }) => name === '/api/v1/namespaces/{namespace}/pods/{name}')?.value.patch;
  const queries = patch?.parameters.map(({ parameter }) => parameter.nonBodyParameter.queryParameterSubSchema);
  expect(queries).toContainEqual({ in: 'query', name: 'dryRun', type: 'string' });
  expect(queries).toContainEqual({ in: 'query', name: 'fieldValidation', type: 'string' });
  const kind = patch?.vendorExtension.find(({ name }) => name === 'x-kubernetes-group-version-kind')?.value.yaml;
  expect(JSON.parse(kind ?? '')).toEqual({ group: '', version: 'v1', kind: 'Pod' });
});
