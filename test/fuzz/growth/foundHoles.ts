import { deployment } from '../../rest/startApi.ts';
import { largeDefinition } from '../../support/largeDefinition.ts';
import {
  anyOf,
  apply,
  configMapWith,
  custom,
  DEPLOYMENT,
  type FoundHole,
  json,
  JSON_PATCH,
  JSON_TYPE,
  KEPT,
  lengthDelimited,
  many,
  MAX_OWNED,
  MAX_REQUEST,
  MERGE,
  metadataWith,
  ownedFields,
  patch,
  podWith,
  PODS,
  POLICIES,
  policyWith,
  protobuf,
  select,
  sized,
  type SizedBody,
  STRATEGIC,
  text,
  times,
  utf8,
  WEBHOOKS,
  webhookWith,
  yaml,
} from './growingBodies.ts';

const TEXT = { type: 'string' };
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const WITH_DEFAULT = { type: 'object', properties: { b: { ...TEXT, default: 'b'.repeat(1_000) } } };

const ROWS: readonly (FoundHole | SizedBody)[] = [
  json('owners that are all controllers', (bytes) =>
    configMapWith({
      metadata: {
        name: 'x',
        ownerReferences: many(bytes, 70, (index) => ({
          apiVersion: 'v1',
          kind: 'A',
          name: `a${index}`,
          uid: 'u',
          controller: true,
        })),
      },
    }),
  ),
  { ...json('the fields of an owner', ownedFields), maxBytes: MAX_OWNED },
  json('finalizers', (bytes) => configMapWith({ metadata: { name: 'x', finalizers: many(bytes, 3, () => '') } })),
  json(
    'expressions of a policy',
    (bytes) => policyWith(many(bytes, 1_000, () => anyOf(50, 'object.a == 1'))),
    POLICIES,
  ),
  json(
    'conditions of a webhook',
    (bytes) => webhookWith(many(bytes, 50_000, () => anyOf(2_500, 'request.a == 1'))),
    WEBHOOKS,
  ),
  {
    ...json('names in an expression that stand for nothing', (bytes) => policyWith([anyOf(bytes / 5, 'a')]), POLICIES),
    maxBytes: 95_000,
  },
  {
    ...json('loops in an expression', (bytes) => policyWith([anyOf(bytes / 25, '[1].all(x, x == 1)')]), POLICIES),
    maxBytes: 95_000,
  },
  json('unknown fields', (bytes) =>
    configMapWith(Object.fromEntries(many(bytes, 12, (index) => [`unknown${index}`, 1]))),
  ),
  json('the same member again and again', (bytes) => `{"data":{${many(bytes, 6, () => '"a":""').join()}}}`),
  json('wrong names of keys', (bytes) =>
    configMapWith({ data: Object.fromEntries(many(bytes, 14, (index) => [`!${index}`, 'a'])) }),
  ),
  json('a name that never ends', (bytes) => configMapWith({ metadata: { name: text(bytes, 'a-.') } })),
  json('a name of quotes', (bytes) => configMapWith({ metadata: { name: text(bytes, '"') } })),
  json('a name of letters outside ASCII', (bytes) => configMapWith({ metadata: { name: text(bytes, 'é') } })),
  json('a prefix of a name', (bytes) => JSON.stringify({ metadata: { generateName: text(bytes, 'a-') } })),
  json('lists in lists', (bytes) => text(bytes / 2, '[') + text(bytes / 2, ']')),
  json('objects in objects', (bytes) => text((bytes * 5) / 6, '{"a":') + '1' + text(bytes / 6, '}')),
  json('a syntax error at the end', (bytes) => `{"data":{"a":"${text(bytes, 'a')}"}`),
  json('nothing but brackets', (bytes) => `[${many(bytes, 3, () => '{}').join()}]`),
  json('backslashes', (bytes) => `{"data":{"a":"${text(bytes, '\\\\')}"}}`),
  json(
    'topology spread constraints',
    (bytes) =>
      podWith({
        topologySpreadConstraints: many(bytes, 80, (index) => ({
          maxSkew: 1,
          topologyKey: `k${index}`,
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      }),
    PODS,
  ),
  json(
    'subscripts of a field path',
    (bytes) =>
      podWith({
        containers: [
          {
            name: 'c',
            image: 'a:1',
            env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: text(bytes, "['") + "']" } } }],
          },
        ],
      }),
    PODS,
  ),
  json(
    'tolerations',
    (bytes) => podWith({ tolerations: many(bytes, 30, (index) => ({ key: `k${index}`, operator: 'Exists' })) }),
    PODS,
  ),
  json(
    'volumes and mounts',
    (bytes) =>
      podWith({
        volumes: many(bytes / 2, 35, (index) => ({ name: `v${index}`, emptyDir: {} })),
        containers: [
          {
            name: 'c',
            image: 'a:1',
            volumeMounts: many(bytes / 2, 35, (index) => ({ name: `v${index}`, mountPath: `/m${index}` })),
          },
        ],
      }),
    PODS,
  ),
  json(
    'containers with ports',
    (bytes) =>
      podWith({
        containers: many(bytes, 70, (index) => ({
          name: `c${index}`,
          image: 'a',
          ports: [{ containerPort: 1 + (index % 60_000) }],
        })),
      }),
    PODS,
  ),
  json(
    'rules of a role',
    (bytes) =>
      JSON.stringify({
        metadata: { name: 'x' },
        rules: many(bytes, 70, (index) => ({ apiGroups: [`g${index}`], resources: [`r${index}`], verbs: ['get'] })),
      }),
    '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All',
  ),
  yaml('keys', (bytes) => many(bytes, 11, (index) => `k${String(index).padStart(6, '0')}: a`).join('\n')),
  yaml('the same key again and again', (bytes) => text(bytes, 'a: b\n')),
  yaml('lists in a line', (bytes) => `[${text(bytes, 'a,')}]`),
  yaml('brackets', (bytes) => text(bytes, '[')),
  yaml('keys that are maps', (bytes) => text(Math.min(bytes, 2_000), '? ')),
  yaml('anchors', (bytes) => many(bytes, 12, (index) => `- &a${index} b`).join('\n')),
  yaml('aliases', (bytes) => `- &a [b]\n${text(bytes, '- *a\n')}`),
  yaml('aliases of aliases', () =>
    ['- &a0 [a,a]', ...many(40, 1, (index) => `- &a${index + 1} [*a${index},*a${index}]`)].join('\n'),
  ),
  yaml('merges', (bytes) => `x: &a {q: 1}\n${many(bytes, 14, (index) => `k${index}: {<<: *a}`).join('\n')}`),
  yaml('directives', (bytes) => `${text(bytes, '%A b\n')}---\na: b`),
  yaml('documents', (bytes) => text(bytes, '---\na: b\n')),
  yaml('comments', (bytes) => `${text(bytes, '# a\n')}a: b`),
  yaml('errors', (bytes) => text(bytes, 'a: b: c\n')),
  protobuf('a time of many texts', (bytes) => metadataWith(lengthDelimited(8, utf8(text(bytes, '\u000a\u0000'))))),
  protobuf('a time again and again', (bytes) => metadataWith(Buffer.from('B\u0002\u0008\u0001'.repeat(bytes / 4)))),
  protobuf('finalizers', (bytes) => metadataWith(utf8(text(bytes, 'r\u0000')))),
  protobuf('entries of a map', (bytes) => utf8(text(bytes, '\u0012\u0000'))),
  protobuf('unknown fields', (bytes) => utf8(text(bytes, '\u007a\u0000'))),
  protobuf('owners without anything', (bytes) => metadataWith(utf8(text(bytes, 'j\u0000')))),
  patch('copies', JSON_PATCH, KEPT, (bytes) =>
    many(Math.min(bytes, 600_000), 60, (index) => ({
      op: 'copy',
      from: '/data',
      path: `/metadata/annotations/a${index}`,
    })),
  ),
  patch('moves', JSON_PATCH, KEPT, (bytes) =>
    many(Math.min(bytes, 600_000), 60, (index) => ({
      op: 'move',
      from: index % 2 ? '/data/b' : '/data/a',
      path: index % 2 ? '/data/a' : '/data/b',
    })),
  ),
  patch('insertions at the front', JSON_PATCH, KEPT, (bytes) => [
    { op: 'add', path: '/metadata/finalizers', value: many(bytes / 2, 6, () => 'a/b') },
    ...many(Math.min(bytes / 2, 500_000), 60, () => ({ op: 'add', path: '/metadata/finalizers/0', value: 'a/b' })),
  ]),
  patch('tests', JSON_PATCH, KEPT, (bytes) =>
    many(Math.min(bytes, 600_000), 60, () => ({ op: 'test', path: '/data', value: {} })),
  ),
  patch('deep paths', JSON_PATCH, KEPT, (bytes) =>
    many(bytes, 2_000, () => ({ op: 'remove', path: text(1_900, '/a') })),
  ),
  patch('containers with an order', STRATEGIC, DEPLOYMENT, (bytes) => {
    const containers = many(bytes / 2, 40, (index) => ({ name: `c${index}`, image: 'a' }));
    return {
      spec: {
        template: { spec: { containers, '$setElementOrder/containers': containers.map(({ name }) => ({ name })) } },
      },
    };
  }),
  patch('containers to delete', STRATEGIC, DEPLOYMENT, (bytes) => ({
    spec: { template: { spec: { containers: many(bytes, 40, (index) => ({ name: `c${index}`, $patch: 'delete' })) } } },
  })),
  patch('finalizers to delete', STRATEGIC, DEPLOYMENT, (bytes) => ({
    metadata: { '$deleteFromPrimitiveList/finalizers': many(bytes, 9, (index) => `a${index}`) },
  })),
  apply('many fields', KEPT, 'ConfigMap', (bytes) => ({
    data: Object.fromEntries(many(bytes, 12, (index) => [`k${index}`, ''])),
  })),
  apply('finalizers', KEPT, 'ConfigMap', (bytes) => ({
    metadata: { name: 'kept', finalizers: many(bytes, 12, (index) => `a.b/x${index}`) },
  })),
  apply('containers', DEPLOYMENT, 'Deployment', (bytes) => ({
    spec: { template: { spec: { containers: many(bytes, 30, (index) => ({ name: `c${index}`, image: 'a' })) } } },
  })),
  apply('containers with the same name', DEPLOYMENT, 'Deployment', (bytes) => ({
    spec: { template: { spec: { containers: many(bytes, 30, () => ({ name: 'c', image: 'a' })) } } },
  })),
  apply('values of a wrong type', DEPLOYMENT, 'Deployment', (bytes) => ({
    metadata: { name: 'web', labels: Object.fromEntries(many(bytes, 10, (index) => [`k${index}`, index])) },
  })),
  apply('unknown fields in containers', DEPLOYMENT, 'Deployment', (bytes) => ({
    spec: { template: { spec: { containers: many(bytes, 30, (index) => ({ name: `c${index}`, nope: 1 })) } } },
  })),
  patch('a merge of many members', MERGE, KEPT, (bytes) => ({
    data: Object.fromEntries(many(bytes, 14, (index) => [`k${index}`, 'a'])),
  })),
  {
    name: 'a definition of a custom resource',
    url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    contentType: JSON_TYPE,
    maxBytes: 1_500_000,
    bodyOf: (bytes) => JSON.stringify(largeDefinition(bytes)),
  },
  {
    name: 'a definition without descriptions',
    url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    contentType: JSON_TYPE,
    // Of this, 700 kB are sent, with 47,000 values.
    maxBytes: 3_400_000,
    bodyOf: (bytes) =>
      JSON.stringify(largeDefinition(bytes), (name, value: unknown) => (name === 'description' ? undefined : value)),
  },
  {
    name: 'delete options that hold a list',
    method: 'DELETE',
    url: KEPT,
    contentType: JSON_TYPE,
    maxBytes: MAX_REQUEST,
    bodyOf: (bytes) => JSON.stringify({ dryRun: many(bytes, 6, () => 'All') }),
  },
  custom(
    'many values that are in no long enum',
    { ...TEXT, enum: times(5_000, (i) => `a${i}`) },
    20_000,
    (i) => `b${i}`,
  ),
  custom('many values that are in a long enum', { ...TEXT, enum: times(5_000, (i) => `a${i}`) }, 20_000, () => 'a4999'),
  custom(
    'an enum of objects',
    { type: 'object', enum: times(2_000, (i) => ({ a: i })), 'x-kubernetes-preserve-unknown-fields': true },
    10_000,
    () => ({ a: -1 }),
  ),
  custom('a large pattern', { ...TEXT, pattern: '^(.{0,1000})+x{500}$' }, 5_000, (i) => `a${i}`.repeat(10)),
  custom('oneOf of many', { ...TEXT, oneOf: times(50, (i) => ({ pattern: `^x${i}$` })) }, 5_000, (i) => `b${i}`),
  custom('anyOf of many', { ...TEXT, anyOf: times(50, (i) => ({ maxLength: i % 2 })) }, 5_000, (i) => `b${i}`),
  custom('allOf of many', { ...TEXT, allOf: times(50, (i) => ({ maxLength: i % 2 })) }, 5_000, (i) => `b${i}`),
  custom(
    'defaults in each item',
    { type: 'object', properties: { a: { ...ANYTHING, default: { texts: times(20, () => 'a'.repeat(100)) } } } },
    20_000,
    () => ({}),
  ),
  custom(
    'defaults within defaults',
    { type: 'object', properties: { a: { type: 'array', default: times(200, () => ({})), items: WITH_DEFAULT } } },
    5_000,
    () => ({}),
  ),
  custom(
    'rules for each item',
    { ...TEXT, maxLength: 20, 'x-kubernetes-validations': [{ rule: 'self.split("").all(a, a != "x")' }] },
    20_000,
    (i) => `${i}`.padStart(20, 'y'),
  ),
  select('many conditions on labels', (share) => ({ labelSelector: times(50_000 * share, (i) => `!k${i}`).join() })),
  select('many values', (share) => ({ labelSelector: `k in (${times(50_000 * share, (i) => `v${i}`).join()})` })),
  select('many fields', (share) => ({
    fieldSelector: times(20_000 * share, (i) => `metadata.name!=n${i}`).join(),
  })),
];

/** What was found, or could have been: the next finding is one line. */
export const foundHoles: readonly FoundHole[] = ROWS.map((row) => ('maxBytes' in row ? sized(row) : row));

/** What the patches are applied to. */
export const patched = {
  configMap: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kept', annotations: {} },
    data: { a: 'x'.repeat(100_000) },
  },
  deployment: deployment('web'),
};
