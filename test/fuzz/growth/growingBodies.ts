import type { GrowingRequest } from './MeasuredApi.ts';

/** A request that once took more than it should, or one like it. */
export interface FoundHole extends GrowingRequest {
  /** The schema of the items of `spec.items`, for a custom object. */
  readonly items?: object;
}

export interface SizedBody extends Pick<GrowingRequest, 'method' | 'contentType'> {
  readonly name: string;
  readonly url: string;
  /** The most bytes that are worth sending; more is refused by size alone. */
  readonly maxBytes: number;
  readonly bodyOf: (bytes: number) => string | Uint8Array;
}

/** A request with a body of up to so many bytes. */
export function sized({ maxBytes, bodyOf, ...request }: SizedBody): FoundHole {
  return { ...request, bodyOf: (share) => bodyOf(maxBytes * share) };
}

export const PODS = '/api/v1/namespaces/default/pods?dryRun=All';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps?dryRun=All';
export const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All';
export const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All';
export const KEPT = '/api/v1/namespaces/default/configmaps/kept?dryRun=All';
export const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web?dryRun=All';
export const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
export const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const MERGE = 'application/merge-patch+json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

export const MAX_REQUEST = 3 * 1024 * 1024 - 1_000;
const MAX_YAML = 31_000;

export const many = <T>(bytes: number, itemBytes: number, itemOf: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(bytes / itemBytes)) }, (_, index) => itemOf(index));
export const configMapWith = (more: object) => JSON.stringify({ metadata: { name: 'x' }, ...more });
export const policyWith = (expressions: readonly string[]) =>
  JSON.stringify({
    metadata: { name: 'x' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }],
      },
      validations: expressions.map((expression) => ({ expression })),
    },
  });
export const webhookWith = (expressions: readonly string[]) =>
  JSON.stringify({
    metadata: { name: 'x' },
    webhooks: [
      {
        name: 'a.b.c',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: 'https://a.example' },
        matchConditions: expressions.map((expression, index) => ({ name: `m${index}`, expression })),
      },
    ],
  });
export const podWith = (spec: object) =>
  JSON.stringify({ metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'a:1' }], ...spec } });
/** The most that managedFields may hold. */
export const MAX_OWNED = 49_000 * 12;
/** As an owner has them: no map of an object has more than 10,000 members. */
export const ownedFields = (bytes: number) => {
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
export const text = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

export function yaml(name: string, bodyOf: (bytes: number) => string): SizedBody {
  return { name: `YAML: ${name}`, url: CONFIG_MAPS, contentType: YAML, maxBytes: MAX_YAML, bodyOf };
}

export function json(name: string, bodyOf: (bytes: number) => string, url = CONFIG_MAPS): SizedBody {
  return { name: `JSON: ${name}`, url, contentType: JSON_TYPE, maxBytes: MAX_REQUEST, bodyOf };
}

export function patch(name: string, contentType: string, url: string, bodyOf: (bytes: number) => unknown): SizedBody {
  const encode = (bytes: number) => JSON.stringify(bodyOf(bytes));
  return { name: `patch: ${name}`, method: 'PATCH', url, contentType, maxBytes: MAX_REQUEST, bodyOf: encode };
}

export function apply(name: string, url: string, kind: string, bodyOf: (bytes: number) => object): SizedBody {
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
export function lengthDelimited(number: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  let rest = content.length;
  while (rest > 127) {
    length.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), content]);
}

export const utf8 = (value: string) => Buffer.from(value);

/** `k8s\0` and a runtime.Unknown around a ConfigMap's bytes. */
export function protobuf(name: string, messageOf: (bytes: number) => Uint8Array): SizedBody {
  const typeMeta = Buffer.concat([lengthDelimited(1, utf8('v1')), lengthDelimited(2, utf8('ConfigMap'))]);
  const bodyOf = (bytes: number) =>
    Buffer.concat([Buffer.from('k8s\0', 'latin1'), lengthDelimited(1, typeMeta), lengthDelimited(2, messageOf(bytes))]);
  return { name: `protobuf: ${name}`, url: CONFIG_MAPS, contentType: PROTOBUF, maxBytes: MAX_REQUEST, bodyOf };
}

export const metadataWith = (content: Uint8Array) =>
  lengthDelimited(1, Buffer.concat([lengthDelimited(1, utf8('x')), content]));

const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets?dryRun=All';

/** A custom object whose `spec.items` have this schema; the largest has so many of them. */
export function custom(name: string, items: object, maxItems: number, itemOf: (index: number) => unknown): FoundHole {
  return {
    name: `custom: ${name}`,
    url: WIDGETS,
    items,
    bodyOf: (share) =>
      JSON.stringify({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'x' },
        spec: { items: times(maxItems * share, itemOf) },
      }),
  };
}

export const times = <T>(count: number, itemOf: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => itemOf(index));

/** An expression of so many operands. */
export const anyOf = (count: number, operand: string) => times(count, () => operand).join(' || ');

/** A list of the stored ConfigMaps, of which the query selects some. */
export function select(name: string, queryOf: (share: number) => Readonly<Record<string, string>>): FoundHole {
  return {
    name: `selector: ${name}`,
    method: 'GET',
    url: (share) => `/api/v1/configmaps?${String(new URLSearchParams(queryOf(share)))}`,
  };
}
