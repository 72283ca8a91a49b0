import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';

const WORDS =
  'the a of to and field name value list pod container volume secret key selector rule must be set when used by operator version default optional reference namespace label match'.split(
    ' ',
  );

/** Text that differs from place to place and compresses as descriptions do, about sixfold. */
function description(seed: number, words: number): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return WORDS[(state >>> 16) % WORDS.length];
  };
  return `${Array.from({ length: words }, next).join(' ')}.`;
}

/** One member of a spec: an object with lists, maps and scalars in it, as controller-gen writes the parts of a pod's template. It has 60 values and about 3.4 kB. */
function part(seed: number): object {
  const at = (field: number, words = 40) => description(seed * 16 + field, words);
  const text = (field: number) => ({ description: at(field), type: 'string' });
  return {
    description: at(0, 60),
    type: 'object',
    properties: {
      name: { ...text(1), minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
      mode: { ...text(2), enum: ['Always', 'IfNotPresent', 'Never'] },
      count: { description: at(3), type: 'integer', format: 'int32', minimum: 0 },
      enabled: { description: at(4), type: 'boolean', default: true },
      labels: { description: at(5), type: 'object', additionalProperties: { type: 'string' } },
      items: {
        description: at(6),
        type: 'array',
        items: { type: 'object', required: ['key'], properties: { key: text(7), optional: { type: 'boolean' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['key'],
      },
      port: {
        description: at(8),
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
      },
      selector: {
        description: at(9),
        type: 'object',
        properties: { key: text(10), name: text(11) },
        'x-kubernetes-map-type': 'atomic',
      },
    },
    required: ['name'],
  };
}

/** A CustomResourceDefinition of about `bytes` bytes of JSON, with the shape of those that large operators have: one version whose spec is a tree of properties with long descriptions. */
export function largeDefinition(bytes = 700_000, plural = 'engines', kind = 'Engine'): KubernetesObject {
  const properties: Record<string, object> = {};
  for (let seed = 1, length = 1_000; length < bytes; seed += 1) {
    const one = part(seed);
    properties[`part${seed}`] = one;
    length += JSON.stringify(one).length + 14;
  }
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties }, status: { type: 'object' } },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.large.example.com` },
    spec: {
      group: 'large.example.com',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  } as unknown as KubernetesObject;
}
