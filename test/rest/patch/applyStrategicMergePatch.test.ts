import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { applyStrategicMergePatch } from '../../../lambdas/rest/patch/applyStrategicMergePatch.ts';
import { decodePatch } from '../../../lambdas/rest/patch/decodePatch.ts';
import { schemaOf } from '../../../lambdas/rest/schema/schemaOf.ts';
import { structOf } from '../schema/schemaArbitrary.ts';

type Struct = Record<string, unknown>;

function merge(type: string, original: Struct, patch: Struct): unknown {
  return applyStrategicMergePatch(structuredClone(original), structuredClone(patch), schemaOf(type));
}

const POD = 'core.v1.PodSpec';
const META = 'meta.v1.ObjectMeta';
const named = (...names: string[]) => names.map((name) => ({ name }));

describe('a strategic merge patch has the same result as in Kubernetes', () => {
  test.each<[string, string, Struct, Struct, Struct]>([
    [
      'maps merge',
      META,
      { labels: { a: '1', b: '2' } },
      { labels: { b: '3', c: '4' } },
      { labels: { a: '1', b: '3', c: '4' } },
    ],
    ['null deletes', META, { labels: { a: '1', b: '2' } }, { labels: { a: null } }, { labels: { b: '2' } }],
    ['null for a missing member adds nothing', META, {}, { labels: { a: null, b: '1' } }, { labels: { b: '1' } }],
    [
      'lists of structs with a merge key merge by it, and new items come before the live ones',
      POD,
      {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '1' },
        ],
      },
      { containers: [{ name: 'b', image: '2' }, { name: 'c' }] },
      { containers: [{ name: 'a', image: '1' }, { name: 'b', image: '2' }, { name: 'c' }] },
    ],
    [
      'lists within lists merge too',
      POD,
      { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }] },
      { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }] },
      {
        containers: [
          {
            name: 'a',
            env: [
              { name: 'Y', value: '2' },
              { name: 'X', value: '1' },
            ],
          },
        ],
      },
    ],
    [
      'lists without a merge key are replaced',
      POD,
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    [
      'lists of strings without a strategy are replaced',
      'core.v1.Container',
      { args: ['a', 'b'] },
      { args: ['c'] },
      { args: ['c'] },
    ],
    [
      'lists of scalars with the merge strategy are united',
      META,
      { finalizers: ['a', 'b'] },
      { finalizers: ['b', 'c'] },
      { finalizers: ['a', 'b', 'c'] },
    ],
    [
      '$deleteFromPrimitiveList removes scalars',
      META,
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['b'] },
      { finalizers: ['a', 'c'] },
    ],
    [
      '$deleteFromPrimitiveList of a missing list does nothing',
      META,
      {},
      { '$deleteFromPrimitiveList/finalizers': ['b'] },
      {},
    ],
    [
      '$patch: delete removes an item',
      POD,
      { containers: named('a', 'b') },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: named('b') },
    ],
    [
      '$patch: delete of a missing item does nothing',
      POD,
      { containers: named('a') },
      { containers: [{ name: 'x', $patch: 'delete' }] },
      { containers: named('a') },
    ],
    [
      '$patch: replace as an item replaces the list',
      POD,
      { containers: named('a', 'b') },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: named('c') },
    ],
    [
      '$patch: replace in a map replaces the map',
      POD,
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'replace', fsGroup: 2 } },
      { securityContext: { fsGroup: 2 } },
    ],
    [
      '$patch: delete in a map empties the map',
      POD,
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'delete' } },
      { securityContext: {} },
    ],
    [
      '$patch: replace in a matched item replaces the item',
      POD,
      { containers: [{ name: 'a', image: '1' }] },
      { containers: [{ name: 'a', securityContext: null }] },
      { containers: [{ name: 'a', image: '1' }] },
    ],
    [
      '$retainKeys removes the members that it does not name',
      'apps.v1.DeploymentSpec',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      '$retainKeys changes the kind of a volume',
      POD,
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/' } }] },
      { volumes: [{ name: 'v', hostPath: { path: '/' } }] },
    ],
    [
      '$setElementOrder reorders a list without other changes',
      POD,
      { containers: named('a', 'b', 'c') },
      { '$setElementOrder/containers': named('c', 'a', 'b') },
      { containers: named('c', 'a', 'b') },
    ],
    [
      '$setElementOrder orders new items too',
      POD,
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': named('c', 'b', 'a'), containers: named('c') },
      { containers: named('c', 'b', 'a') },
    ],
    [
      'items that only the server has keep their place among the items that the patch orders',
      POD,
      { containers: named('a', 'server', 'b') },
      { '$setElementOrder/containers': named('a', 'b', 'c'), containers: named('c') },
      { containers: named('a', 'server', 'b', 'c') },
    ],
    [
      '$setElementOrder works together with a deletion',
      POD,
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': named('b'), containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: named('b') },
    ],
    [
      '$setElementOrder orders scalars',
      META,
      { finalizers: ['a', 'b'] },
      { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] },
      { finalizers: ['c', 'b', 'a'] },
    ],
    [
      'ports merge by their number only',
      'core.v1.Container',
      { ports: [{ containerPort: 80, name: 'w' }] },
      { ports: [{ containerPort: 80, name: 'x' }] },
      { ports: [{ containerPort: 80, name: 'x' }] },
    ],
    [
      'conditions merge by type',
      'apps.v1.DeploymentStatus',
      { conditions: [{ type: 'A', status: 'True' }] },
      { conditions: [{ type: 'A', status: 'False' }] },
      { conditions: [{ type: 'A', status: 'False' }] },
    ],
    [
      'a value of another JSON type replaces the live one',
      'apps.v1.RollingUpdateDeployment',
      { maxSurge: 1 },
      { maxSurge: '25%' },
      { maxSurge: '25%' },
    ],
  ])('%s', (_, type, original, patch, merged) => {
    expect(merge(type, original, patch)).toEqual(merged);
  });

  test.each<[string, string, Struct, Struct, string]>([
    ['an unknown $patch', POD, {}, { $patch: 'merge' }, 'unknown patch type: merge in map: map[$patch:merge]'],
    [
      'an unknown $patch of an item',
      POD,
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'x' }] },
      'unknown patch type: x in map: map[$patch:x name:a]',
    ],
    [
      '$patch: merge of an item',
      POD,
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    [
      'an item without its key',
      POD,
      { containers: named('a') },
      { containers: [{ image: 'q' }] },
      'map: map[image:q] does not contain declared merge key: name',
    ],
    [
      '$retainKeys that is not a list',
      'apps.v1.DeploymentSpec',
      { strategy: {} },
      { strategy: { $retainKeys: 'type' } },
      'invalid patch format of retainKeys',
    ],
    [
      '$retainKeys without a member that the patch sets',
      'apps.v1.DeploymentSpec',
      { strategy: {} },
      { strategy: { $retainKeys: [], type: 'Recreate' } },
      'invalid patch format of retainKeys',
    ],
    [
      '$deleteFromPrimitiveList without a name',
      META,
      {},
      { $deleteFromPrimitiveList: [] },
      'invalid patch format of primitive list',
    ],
    [
      '$setElementOrder without a name',
      META,
      {},
      { $setElementOrder: [] },
      'invalid patch format of setElementOrder list',
    ],
    [
      'a list of lists',
      META,
      { finalizers: ['a'] },
      { finalizers: [['b']] },
      'list element types are not identical: [[a] [[b]]]',
    ],
    [
      '$setElementOrder in another order than the patch',
      POD,
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': named('a', 'b'), containers: named('b', 'a') },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
  ])('a strategic merge patch with %s is refused', (_, type, original, patch, message) => {
    expect(() => merge(type, original, patch)).toThrow(message);
  });
});

test('patching an object with itself or with an empty patch leaves it unchanged', () => {
  const schema = schemaOf('apps.v1.Deployment');
  fc.assert(
    fc.property(structOf(schema), (object) => {
      expect(applyStrategicMergePatch(structuredClone(object), {}, schema)).toEqual(object);
    }),
    { numRuns: 50 },
  );
  const pod = {
    containers: [{ name: 'a', ports: [{ containerPort: 1 }, { containerPort: 2 }] }, { name: 'b' }],
    volumes: named('v'),
  };
  expect(merge(POD, pod, pod)).toEqual(pod);
});

test('a random patch of a random object gives an object or an ApiError, and does not change the original', () => {
  const directive = fc.dictionary(
    fc.constantFrom(
      '$patch',
      '$retainKeys',
      '$setElementOrder/containers',
      '$deleteFromPrimitiveList/finalizers',
      'containers',
      'name',
      'spec',
      'template',
      '__proto__',
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const patch = fc.record({
    metadata: directive,
    spec: fc.oneof(directive, fc.record({ template: fc.record({ spec: directive }) })),
  });
  const original = Object.freeze({
    metadata: { name: 'a', finalizers: ['f'] },
    spec: { template: { spec: { containers: named('a', 'b') } } },
  });
  const before = JSON.stringify(original);
  fc.assert(
    fc.property(patch, fc.constantFrom('strategic-merge-patch', 'merge-patch'), (value, type) => {
      const bytes = Buffer.from(JSON.stringify(value));
      try {
        decodePatch({
          bytes,
          contentType: `application/${type}+json`,
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          fieldValidation: 'Warn',
          budget: new RequestBudget(),
        })(original);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect(['BadRequest', 'Invalid', 'Unknown']).toContain((error as ApiError).reason);
      }
      expect(JSON.stringify(original)).toBe(before);
      expect(({} as Struct)['name']).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});
