import { deployment } from '../../rest/startApi.ts';
import { largeDefinition } from '../../support/largeDefinition.ts';

/** A request whose size can be chosen, and which does damage where a parser or validator needs more than linear time or answers at length. */
export interface HostileBody {
  readonly name: string;
  readonly method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly contentType: string;
  /** The most bytes that are worth sending; more is refused by size alone. */
  readonly maxBytes: number;
  readonly bodyOf: (bytes: number) => string | Uint8Array;
}

const PODS = '/api/v1/namespaces/default/pods?dryRun=All';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps?dryRun=All';
const KEPT = '/api/v1/namespaces/default/configmaps/kept?dryRun=All';
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web?dryRun=All';
const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const MAX_REQUEST = 3 * 1024 * 1024 - 1_000;
const MAX_YAML = 31_000;

const many = <T>(bytes: number, itemBytes: number, itemOf: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(bytes / itemBytes)) }, (_, index) => itemOf(index));
const configMapWith = (more: object) => JSON.stringify({ metadata: { name: 'x' }, ...more });
const podWith = (spec: object) =>
  JSON.stringify({ metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'a:1' }], ...spec } });
/** The most that managedFields may hold. */
const MAX_OWNED = 49_000 * 12;
/** As an owner has them: no map of an object has more than 10,000 members. */
const ownedFields = (bytes: number) => {
  const fields = many(bytes, 12, (index) => [`f:${index}`, {}] as const);
  const maps = many(fields.length, 1_000, (index) => [
    `f:${index}`,
    Object.fromEntries(fields.slice(index * 1_000, (index + 1) * 1_000)),
  ]);
  const owner = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(maps),
  };
  return configMapWith({ metadata: { name: 'x', managedFields: [owner] } });
};
const text = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

function yaml(name: string, bodyOf: (bytes: number) => string): HostileBody {
  return { name: `YAML: ${name}`, url: CONFIG_MAPS, contentType: YAML, maxBytes: MAX_YAML, bodyOf };
}

function json(name: string, bodyOf: (bytes: number) => string, url = CONFIG_MAPS): HostileBody {
  return { name: `JSON: ${name}`, url, contentType: JSON_TYPE, maxBytes: MAX_REQUEST, bodyOf };
}

function patch(name: string, contentType: string, url: string, bodyOf: (bytes: number) => unknown): HostileBody {
  const encode = (bytes: number) => JSON.stringify(bodyOf(bytes));
  return { name: `patch: ${name}`, method: 'PATCH', url, contentType, maxBytes: MAX_REQUEST, bodyOf: encode };
}

function apply(name: string, url: string, kind: string, bodyOf: (bytes: number) => object): HostileBody {
  const [apiVersion, object] = kind === 'ConfigMap' ? ['v1', 'kept'] : ['apps/v1', 'web'];
  const target = `${url}&fieldManager=fuzz&force=true`;
  return patch(`apply ${name}`, 'application/apply-patch+yaml', target, (bytes) => ({
    apiVersion,
    kind,
    metadata: { name: object },
    ...bodyOf(bytes),
  }));
}

/** The length-delimited field of a protobuf message. */
function lengthDelimited(number: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  let rest = content.length;
  while (rest > 127) {
    length.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), content]);
}

const utf8 = (value: string) => Buffer.from(value);

/** `k8s\0` and a runtime.Unknown around a ConfigMap's bytes. */
function protobuf(name: string, messageOf: (bytes: number) => Uint8Array): HostileBody {
  const typeMeta = Buffer.concat([lengthDelimited(1, utf8('v1')), lengthDelimited(2, utf8('ConfigMap'))]);
  const bodyOf = (bytes: number) =>
    Buffer.concat([Buffer.from('k8s\0', 'latin1'), lengthDelimited(1, typeMeta), lengthDelimited(2, messageOf(bytes))]);
  return { name: `protobuf: ${name}`, url: CONFIG_MAPS, contentType: PROTOBUF, maxBytes: MAX_REQUEST, bodyOf };
}

const metadataWith = (content: Uint8Array) =>
  lengthDelimited(1, Buffer.concat([lengthDelimited(1, utf8('x')), content]));

export const hostileBodies: readonly HostileBody[] = [
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
];

/** What the patches of `hostileBodies` are applied to. */
export const patched = {
  configMap: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kept', annotations: {} },
    data: { a: 'x'.repeat(100_000) },
  },
  deployment: deployment('web'),
};
