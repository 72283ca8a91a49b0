import { expect, test } from 'vitest';
import { KINDS_WITH_RAW_FIELDS } from '../../lambdas/registry/copyOf.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { storageApiVersion } from '../../lambdas/registry/ResourceEntry.ts';
import { kindSchema } from '../../lambdas/rest/schema/kindSchema.ts';
import type { Schema } from '../../lambdas/rest/schema/schemaOf.ts';
import * as fc from '../support/seededFastCheck.ts';
import { openWatch, startApi } from './startApi.ts';

function hasRaw(schema: Schema | undefined, seen: Set<string> = new Set()): boolean {
  if (!schema || seen.has(schema.name)) return false;
  seen.add(schema.name);
  return schema.wireFields.some(({ of }) => (typeof of === 'string' ? of === 'RawExtension' : hasRaw(of, seen)));
}

test('the kinds with raw fields are those whose schemas have some', () => {
  const raw = resourceEntries.filter((entry) => hasRaw(kindSchema(storageApiVersion(entry), entry.kind)));
  expect(raw.map(({ groupResource }) => groupResource).sort()).toEqual([...KINDS_WITH_RAW_FIELDS].sort());
});

const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const PATCHES: readonly (readonly [string, unknown])[] = [
  ['application/merge-patch+json', { revision: 2 }],
  ['application/strategic-merge-patch+json', { revision: 3 }],
  ['application/json-patch+json', [{ op: 'replace', path: '/revision', value: 4 }]],
  [
    'application/apply-patch+yaml',
    { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a', labels: { a: 'b' } } },
  ],
];

test('what a revision keeps comes back as it was given, nulls included, whatever is changed beside it', async () => {
  const api = await startApi();
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(value, async (drawn) => {
      const data = JSON.parse(
        JSON.stringify({ ...drawn, absent: null, nested: [{ a: null, list: [], map: {} }] }),
      ) as object;
      const watch = await openWatch(api, `${REVISIONS}?watch=true`);
      const body = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a' }, data, revision: 1 };
      const created = await api.call('POST', REVISIONS, body);
      expect(created.code, JSON.stringify(created.body)).toBe(201);
      expect(created.body.data).toEqual(data);
      for (const [type, patch] of PATCHES) {
        const path = `${REVISIONS}/a?fieldManager=test&force=true`.replace(
          type.includes('apply') ? /$^/ : '&force=true',
          '',
        );
        const { code, body: patched } = await api.call('PATCH', path, patch, { 'content-type': type });
        expect([code, patched.data], type).toEqual([200, data]);
      }
      const { body: read } = await api.call('GET', `${REVISIONS}/a`);
      const { body: replaced } = await api.call('PUT', `${REVISIONS}/a`, { ...read, revision: 9 });
      expect([read.data, replaced.data, replaced.revision]).toEqual([data, data, 9]);
      expect((await api.call('GET', REVISIONS)).body.items[0].data).toEqual(data);
      expect((await watch.next())?.object['data']).toEqual(data);
      await watch.cancel();
      await api.call('DELETE', `${REVISIONS}/a`);
    }),
    { numRuns: 25 },
  );
});
