import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import { type FieldSchema, schemaNames, schemaOf } from '../../../lambdas/rest/schema/schemaOf.ts';
import { createOpenApi } from '../../../lambdas/rest/schema/openapi/createOpenApi.ts';

const models = join(dirname(fileURLToPath(import.meta.resolve('@kubernetes/client-node'))), 'gen', 'models');

/** What came later is not in the client library, if its feature was not there before it was on. */
const CLIENT_RELEASE = 34;

/** Fields that are new in Kubernetes 1.34. The client library is generated from 1.34; our tables are those of 1.33. */
const NEWER = new Set([
  'hostnameOverride',
  'podCertificate',
  'restartPolicyRules',
  'fileKeyRef',
  'extendedResourceClaimStatus',
]);

/** The types that JSON writes as something other than a struct, as the client library calls them. It has no name for raw JSON, unions and structs without fields: `any`. */
const NOT_STRUCTS = /^(?:any|object|string|number|boolean|Date|IntOrString|V1MicroTime)$/;

/** The types of the fields in the client library, without what makes lists and maps of them. */
function clientTypes(name: string): ReadonlyMap<string, string> {
  const goName = name.split('.')[2] ?? '';
  const file = join(models, `V1${goName}.js`);
  if (!existsSync(file)) return new Map();
  const fields = readFileSync(file, 'utf8').matchAll(/"baseName": "([^"]+)",\s+"type": "([^"]+)"/g);
  return new Map(
    [...fields].map(([, field = '', type = '']) => [field, type.replaceAll(/Array<|\{ \[key: string\]: |[;>} ]/g, '')]),
  );
}

function clientFields(name: string): string[] | undefined {
  const [group = '', , goName = ''] = name.split('.');
  const prefix = `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
  const file = [`${prefix}V1${goName}.js`, `V1${goName}.js`].map((model) => join(models, model)).find(existsSync);
  if (file === undefined) return undefined;
  return [...readFileSync(file, 'utf8').matchAll(/"baseName": "([^"]+)"/g)].map(([, field = '']) => field);
}

describe('the table of API types agrees with what Kubernetes publishes', () => {
  const known = schemaNames().filter((name) => name.split('.')[1] === 'v1' && clientFields(name) !== undefined);

  test.each(known)('%s has the fields of the client library', (name) => {
    const fields = clientFields(name)?.filter(
      (field) => !NEWER.has(field) && field !== 'apiVersion' && field !== 'kind',
    );
    const isNewer = (field: FieldSchema) =>
      (field.since ?? 0) > CLIENT_RELEASE && fields?.includes(field.name) !== true;
    const ours = [...schemaOf(name).fields.values()].filter((field) => !isNewer(field)).map((field) => field.name);
    expect(ours.filter((field) => field !== 'kind' && field !== 'apiVersion').sort()).toEqual(fields?.sort());
  });

  test('every type is a struct, or one of those that are written as something else', () => {
    let compared = 0;
    for (const name of known) {
      const types = clientTypes(name);
      for (const field of schemaOf(name).fields.values()) {
        const type = types.get(field.name);
        const isEmpty = typeof field.of !== 'string' && field.of.wireFields.length === 0;
        if (type === undefined || isEmpty) continue;
        compared += 1;
        const isStruct = typeof field.of !== 'string' && field.of.union === undefined;
        expect(isStruct, `${name}.${field.name} is ${type}`).toBe(!NOT_STRUCTS.test(type));
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });

  test('every referenced type exists, and no field number is used twice in a type', () => {
    for (const name of schemaNames()) {
      const numbers = schemaOf(name).wireFields.map(({ number }) => number);
      expect(new Set(numbers).size, name).toBe(numbers.length);
    }
  });
});

describe('every served kind', () => {
  const served = resourceEntries.flatMap(({ group, versions, kind }) =>
    versions.map((version) => {
      const apiGroup = version.group ?? group;
      return [apiGroup === '' ? version.version : `${apiGroup}/${version.version}`, kind] as const;
    }),
  );
  const openApi = createOpenApi(resourceEntries, 'v1.32.0');

  test.each(served)(
    '%s %s has a schema, and an OpenAPI component whose references all resolve',
    async (apiVersion, kind) => {
      expect(kindSchema(apiVersion, kind)?.goName).toBe(kind);
      const document = await openApi.groupVersion(
        apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`,
      );
      const { components, paths } = JSON.parse(document?.body ?? '{}') as {
        components: { schemas: Record<string, unknown> };
        paths: object;
      };
      const references = [...JSON.stringify([components, paths]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
      expect(references.filter(([, name = '']) => !Object.hasOwn(components.schemas, name))).toEqual([]);
      const gvk = JSON.stringify([
        {
          group: apiVersion.includes('/') ? apiVersion.split('/')[0] : '',
          kind,
          version: apiVersion.split('/').at(-1),
        },
      ]);
      expect(
        Object.values(components.schemas).map((schema) =>
          JSON.stringify((schema as Record<string, unknown>)['x-kubernetes-group-version-kind']),
        ),
      ).toContain(gvk);
    },
  );
});
