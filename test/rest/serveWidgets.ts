import type { Api } from './startApi.ts';

const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Defines `widgets.example.com` with this schema, or changes it. No controller runs here that would establish the definition, so this writes its status, too. */
export async function serveWidgets(api: Api, openAPIV3Schema: object): Promise<void> {
  const names = { plural: 'widgets', kind: 'Widget' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const metadata = { name: 'widgets.example.com' };
  const definition = { metadata, spec: { group: 'example.com', scope: 'Namespaced', names, versions } };
  const created = await api.call('POST', DEFINITION, definition);
  if (created.code === 409) {
    const { body } = await api.call('GET', `${DEFINITION}/widgets.example.com`);
    await api.call('PUT', `${DEFINITION}/widgets.example.com`, { ...body, spec: { ...body.spec, versions } });
    return;
  }
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
  const status = { ...created.body.status, acceptedNames: names, conditions };
  await api.call('PUT', `${DEFINITION}/widgets.example.com/status`, { ...created.body, status });
}
