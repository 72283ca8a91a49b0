import { expect, test } from 'vitest';
import { startApi } from '../startApi.ts';

const ONE = '/api/v1/namespaces/default/configmaps/one';

/** Requests for JSON of each kind: an object, a list, a table, an error, a document. */
const requests: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [ONE, {}],
  ['/api/v1/namespaces/default/configmaps', {}],
  ['/api/v1/namespaces/default/configmaps', { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
  ['/api/v1/namespaces/default/configmaps/none', {}],
  ['/apis', {}],
];

async function answers(headers: Readonly<Record<string, string>>, query = ''): Promise<string[]> {
  const api = await startApi();
  const metadata = { name: 'one', namespace: 'default' };
  await api.call('POST', ONE.replace(/\/one$/, ''), { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const all = requests.map(async ([path, own]) =>
    (await api.app.request(path + query, { headers: { ...headers, ...own } })).text(),
  );
  return await Promise.all(all);
}

test('JSON is one line, which ends as Go’s encoder ends it', async () => {
  for (const text of await answers({})) expect(text).toMatch(/^\{[^\n]*\}\n$/);
});

test.each([
  ['curl/8.0', ''],
  ['any', '?pretty=true'],
])('JSON for %s%s is indented, without an end of its last line', async (agent, query) => {
  for (const text of await answers({ 'user-agent': agent }, query)) expect(text).toMatch(/^\{\n {2}"[^]*\n\}$/);
});
