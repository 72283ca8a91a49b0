import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FieldFacts } from '../../../lambdas/rest/schema/parseField.ts';
import { hasSchema, schemaOf } from '../../../lambdas/rest/schema/schemaOf.ts';

/**
 * What Go's types say of their fields, read from k8s.io/api, k8s.io/apimachinery and k8s.io/apiextensions-apiserver of 1.36: `number:type`, `omitempty`, the strategy of a patch with its key, and how server-side apply merges.
 * All types that the newest release serves by default are recorded, with all their fields. OpenAPI is generated from them, there and here.
 */
interface RecordedType {
  readonly type: string;
  readonly atomic?: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

const recorded = readFileSync(new URL('goFields.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedType);
const served = recorded.filter(({ type }) => hasSchema(type));

interface GoField {
  readonly number: number;
  readonly isPointer: boolean;
  /** `Protocol`, `types.UID` */
  readonly type: string;
  readonly omitsEmpty: boolean;
  /** `merge(name)`, `map(name)` */
  readonly words: readonly string[];
}

function goField(text: string): GoField {
  const [, number, pointer, type = '', facts = ''] = /^(\d+):(\*?)([\w.[\]]+)((?:\/.+)*)$/.exec(text) ?? [];
  const words = facts.split('/').slice(1);
  return { number: Number(number), isPointer: pointer === '*', type, omitsEmpty: words.includes('omitempty'), words };
}

const compared = served.flatMap(({ type, fields }) =>
  schemaOf(type).wireFields.flatMap((field) => {
    const text = fields[field.name];
    return text === undefined
      ? []
      : [{ path: `${type}.${field.name}`, version: type.split('.')[1], field, go: goField(text) }];
  }),
);

type Compared = (typeof compared)[number];

/** Structs and bytes in Go, whose zero is no value of its own. */
const NO_ZERO = new Set(['Time', 'MicroTime', 'Quantity', 'RawExtension', 'FieldsV1', 'bytes', 'ExtraValue']);

function hasZero({ shape, scalar }: FieldFacts): boolean {
  return shape === 'single' && scalar !== undefined && !NO_ZERO.has(scalar);
}

function goTypeOf({ version, go }: Compared): string {
  return go.type === 'string' || go.type.includes('.') ? go.type : `${version}.${go.type}`;
}

/** `merge(name)`, or nothing. */
function patchOf({ patchStrategies, mergeKey }: FieldFacts): string {
  return `${patchStrategies.join(',')}${mergeKey === undefined ? '' : `(${mergeKey})`}`;
}

/** `map(name)`, `atomic` */
function mergingOf({ shape, listType, atomicMap }: FieldFacts): string {
  if (shape !== 'list') return atomicMap ? 'atomic' : '';
  return listType?.type === 'map' ? `map(${listType.keys.join(',')})` : (listType?.type ?? '');
}

/** Lists that Go writes even if they are empty, and that ours leave out, or the other way. */
const EMPTY_LISTS = new Set([
  // An empty list takes the fields from all their owners, and no list leaves them.
  'meta.v1.ObjectMeta.managedFields',
  'admissionregistration.v1.MutatingWebhook.admissionReviewVersions',
  'admissionregistration.v1.ValidatingWebhook.admissionReviewVersions',
  'authentication.v1.TokenRequestSpec.audiences',
  'authorization.v1.NonResourceRule.verbs',
  'authorization.v1.ResourceRule.verbs',
  'authorization.v1.SubjectRulesReviewStatus.nonResourceRules',
  'authorization.v1.SubjectRulesReviewStatus.resourceRules',
  'core.v1.ContainerImage.names',
  'flowcontrol.v1.ResourcePolicyRule.namespaces',
  // Stored and answered as another type.
  'apiextensions.v1.JSONSchemaPropsOrArray.jSONSchemas',
  'apiextensions.v1.JSONSchemaPropsOrStringArray.property',
]);

const rules: readonly (readonly [string, (one: Compared) => boolean])[] = [
  ['has the number of Go', ({ field, go }) => field.number === go.number],
  ['keeps a zero that Go has a pointer to', ({ field, go }) => !hasZero(field) || !go.isPointer || field.keepsZero],
  [
    'keeps no zero that Go leaves out',
    ({ field, go }) =>
      !field.keepsZero || go.isPointer || !go.omitsEmpty || (field.scalar === 'IntOrString' && go.type.includes('.')),
  ],
  [
    'keeps an empty list that Go writes, and no other',
    ({ path, field, go }) => field.shape !== 'list' || (field.keepsEmpty === !go.omitsEmpty) !== EMPTY_LISTS.has(path),
  ],
  ['is always there only if Go has no pointer to it', ({ field, go }) => !field.isPresent || !go.isPointer],
  [
    'is patched as in Go',
    ({ field, go }) => patchOf(field) === (go.words.find((word) => /^(?:merge|retainKeys|replace)/.test(word)) ?? ''),
  ],
  [
    'is applied as in Go',
    ({ path, field, go }) => {
      // Nobody owns the fields of an old Scale.
      if (path.endsWith('.ScaleStatus.selector')) return true;
      const word = go.words.find((one) => /^(?:atomic|set|map)/.test(one)) ?? '';
      return mergingOf(field) === (word === '' && field.shape === 'list' ? 'atomic' : word);
    },
  ],
  [
    'has the name of the type that Go has for a text',
    (one) => one.field.scalar !== 'string' || one.field.shape !== 'single' || one.field.goType === goTypeOf(one),
  ],
];

/** Kinds and fields of the newest release that are not served, each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'admissionregistration.v1.MutatingAdmissionPolicy': 'open: only validating policies are evaluated',
  'admissionregistration.v1.MutatingAdmissionPolicyBinding': 'open: only validating policies are evaluated',
  'core.v1.Container.restartPolicyRules': 'open: simulated containers are restarted by the policy of their pod alone',
  'core.v1.EphemeralContainerCommon.restartPolicyRules': 'ephemeral containers may not have it',
  'core.v1.EnvVarSource.fileKeyRef': 'open: simulated volumes have no files',
  'core.v1.PodSpec.hostnameOverride': 'open: its rules with hostNetwork and setHostnameAsFQDN are missing',
  'core.v1.PodSpec.schedulingGroup': 'alpha (GenericWorkload): a server drops it by default',
  'core.v1.PodStatus.nodeAllocatableResourceClaimStatuses':
    'alpha (DRANodeAllocatableResources): a server drops it by default',
  'core.v1.VolumeProjection.podCertificate': 'off by default (PodCertificateRequest): a server drops it',
  'meta.v1.ListMeta.shardInfo': 'alpha (ShardedListAndWatch): no server sets it by default',
  'resource.v1.Device.nodeAllocatableResourceMappings':
    'alpha (DRANodeAllocatableResources): a server drops it by default',
  'resource.v1.DeviceAttribute.bools': 'alpha (DRAListTypeAttributes): a server drops it by default',
  'resource.v1.DeviceAttribute.ints': 'alpha (DRAListTypeAttributes): a server drops it by default',
  'resource.v1.DeviceAttribute.strings': 'alpha (DRAListTypeAttributes): a server drops it by default',
  'resource.v1.DeviceAttribute.versions': 'alpha (DRAListTypeAttributes): a server drops it by default',
  'storage.v1.CSIDriverSpec.preventPodSchedulingIfMissing': 'alpha (VolumeLimitScaling): a server drops it by default',
};

test('every kind and every field of the newest release is served, or listed with the reason why it is not', () => {
  const kinds = recorded.filter(({ type }) => !hasSchema(type)).map(({ type }) => type);
  const fields = served.flatMap(({ type, fields: names }) => {
    const known = new Set(schemaOf(type).wireFields.map(({ name }) => name));
    return Object.keys(names).flatMap((name) => (known.has(name) ? [] : [`${type}.${name}`]));
  });
  expect([...kinds, ...fields].sort()).toEqual(Object.keys(LEFT_OUT).sort());
  expect(Object.values(LEFT_OUT).filter((reason) => reason.length < 10)).toEqual([]);
});

describe('a field', () => {
  test.each(rules)('%s', (_, holds) => {
    expect(compared.length).toBeGreaterThan(1_500);
    expect(compared.filter((one) => !holds(one)).map(({ path }) => path)).toEqual([]);
  });
});

test('a struct is replaced as a whole by server-side apply if it is in Go', () => {
  const differing = served.filter(({ type, atomic = false }) => schemaOf(type).isAtomic !== atomic);
  expect(differing.map(({ type }) => type)).toEqual([]);
});
