import { existsSync, readFileSync } from 'node:fs';
import type { V1Container, V1Deployment, V1LabelSelector, V1ServiceSpec } from '@kubernetes/client-node';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type {
  Cluster,
  JsonPatchOperation,
  ObjectOf,
  UntypedManifest,
} from '../../../infra/testCluster/startCluster.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';

/** The calls are compiled, and never made. */
function compiled(calls: (cluster: Cluster) => unknown): void {
  expect(calls).toBeTypeOf('function');
}

const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
const SPEC = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE };

describe('the answer of get', () => {
  test('has the type of the kind that the key names, in any of its names', () => {
    compiled(async (cluster) => {
      const web = await cluster.get('deployment/web');
      expectTypeOf(web.spec.replicas).toEqualTypeOf<number | undefined>();
      expectTypeOf(web.metadata.name).toEqualTypeOf<string>();
      expectTypeOf(await cluster.get('deployments.apps/default/web')).toEqualTypeOf(web);
      expectTypeOf(await cluster.get('Deployment/web')).toEqualTypeOf(web);
      expectTypeOf((await cluster.list('netpol'))[0]).toEqualTypeOf<ObjectOf<'networkpolicies/a'> | undefined>();
      expectTypeOf((await cluster.get('ing/web')).spec.rules).toEqualTypeOf<ObjectOf<'ingresses'>['spec']['rules']>();
      expectTypeOf((await cluster.get('configmap/a')).data).toEqualTypeOf<{ [name: string]: string } | undefined>();
      expectTypeOf((await cluster.get('widget/a'))['spec']).toEqualTypeOf<unknown>();
      // @ts-expect-error A ConfigMap has no spec.
      return (await cluster.get('cm/a')).spec;
    });
  });

  test('fits the types of the JavaScript client, where these have no times', () => {
    compiled(async (cluster) => {
      const containers: V1Container[] = (await cluster.get('pod/web')).spec.containers;
      const service: V1ServiceSpec = (await cluster.get('svc/web')).spec;
      const selector: V1LabelSelector = (await cluster.get('deployment/web')).spec.selector;
      return [containers, service, selector];
    });
  });
});

/** The rows of an interface in ServedKinds.ts, as `[kind, text after the colon]`. */
function rowsOf(name: string): readonly (readonly [kind: string, text: string])[] {
  const text = readFileSync('infra/testCluster/ServedKinds.ts', 'utf8');
  const body = text.slice(text.indexOf(`export interface ${name} `)).split('\n}\n', 1)[0] ?? '';
  return [...body.matchAll(/\b([A-Z]\w+): ([^;]+);/g)].map(([, kind = '', rest = '']) => [kind, rest]);
}

/** The rule of the type `PluralOf`. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}${singular.endsWith('s') ? 'es' : 's'}`;
}

/** True if kubernetes-types, which may be older than what is served, has a type of the kind in the version in which the API answers. */
function hasTypes({ group, storageVersion, kind }: ResourceEntry): boolean {
  const folder = group === '' ? 'core' : (group.split('.')[0] ?? '');
  const path = `node_modules/kubernetes-types/${folder}/${storageVersion}.d.ts`;
  return existsSync(path) && readFileSync(path, 'utf8').includes(`\nexport interface ${kind} {`);
}

describe('the types of kinds', () => {
  // Reviews and bindings are requests, and never stored.
  const served = resourceEntries.filter(
    (entry) => hasTypes(entry) && !/^(?:Binding|ComponentStatus|.*Review)$/.test(entry.kind),
  );
  const kinds = rowsOf('ServedKinds').map(([kind]) => kind);

  test('are there for every kind that is served', () => {
    expect(kinds.toSorted()).toEqual(served.map(({ kind }) => kind).toSorted());
  });

  test('stand under the versions in which the API answers', () => {
    const text = readFileSync('infra/testCluster/ServedKinds.ts', 'utf8');
    const versions = new Set(
      served.map(({ group, storageVersion }) => (group === '' ? storageVersion : `${group}/${storageVersion}`)),
    );
    const missing = [...versions].filter((version) => !new RegExp(`^ {2}'?${version}'?: {`, 'm').test(text));
    expect(missing).toEqual([]);
  });

  test('have the plurals and short names by which the API knows them', () => {
    const shortNames = Object.fromEntries(
      rowsOf('ShortNames').map(([kind, text]) => [kind, [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name)]),
    );
    for (const entry of served) {
      expect(entry.plural).toBe(pluralOf(entry.kind));
      expect([entry.kind, shortNames[entry.kind] ?? []]).toEqual([entry.kind, entry.shortNames ?? []]);
    }
  });
});

describe('the body of apply', () => {
  test('is checked by its kind, and types the answer', () => {
    compiled(async (cluster) => {
      const [web] = await cluster.apply({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: SPEC,
      });
      expectTypeOf(web).toEqualTypeOf<ObjectOf<'deployment'>>();
      await cluster.apply({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        // @ts-expect-error A misspelt field.
        spec: { ...SPEC, replicsa: 3 },
      });
      // @ts-expect-error A number is no text.
      await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 1 } });
      // @ts-expect-error One of a list is wrong.
      await cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 1 } }]);
    });
  });

  test('may be text, a custom resource, or what another library made', () => {
    compiled(async (cluster) => {
      const custom = {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { size: 1 },
      } as const;
      const theirs: V1Deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { creationTimestamp: new Date() },
      };
      const unknown: object = {};
      const texts: UntypedManifest = { kind: 'ConfigMap' };
      await cluster.apply(custom);
      await cluster.apply([custom, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }]);
      await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } });
      return [
        cluster.apply(theirs),
        cluster.apply([theirs]),
        cluster.apply(unknown),
        cluster.apply(texts),
        cluster.apply('a: b'),
      ];
    });
  });
});

describe('the body of patch', () => {
  test('is a part of the object, or a list of operations', () => {
    compiled(async (cluster) => {
      await cluster.patch('deployment/web', { spec: { replicas: 2 }, metadata: { labels: { a: null } } });
      await cluster.patch('deployment/web', {
        spec: {
          template: { spec: { containers: [{ name: 'a', $patch: 'delete' }], '$setElementOrder/containers': [] } },
        },
      });
      const operations: JsonPatchOperation[] = [{ op: 'remove', path: '/spec/paused' }];
      await cluster.patch('deployment/web', operations);
      await cluster.patch('widget/a', { spec: { size: 1 } });
      // @ts-expect-error A misspelt field.
      await cluster.patch('deployment/web', { spec: { replicsa: 2 } });
      // @ts-expect-error There is no such operation.
      await cluster.patch('deployment/web', [{ op: 'delete', path: '/spec/paused' }]);
    });
  });
});
