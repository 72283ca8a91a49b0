import { type CelType, listOf, mapOf, parseType, simpleType } from '../../cel/CelType.ts';
import type { CelEnvironment } from '../../cel/check/CelEnvironment.ts';
import { schemaType } from '../../apiextensions/rules/SchemaType.ts';
import { parseSchema } from '../../apiextensions/schema/parseSchema.ts';
import { STANDARD_FUNCTIONS } from '../../cel/functions/standardFunctions.ts';

const text = simpleType('string');
const texts = listOf(text);
const dyn = simpleType('dyn');

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return { kind: 'struct', name, fields: new Map(Object.entries(fields)) };
}

const groupVersionKind = object('kubernetes.GroupVersionKind', { group: text, version: text, kind: text });
const groupVersionResource = object('kubernetes.GroupVersionResource', { group: text, version: text, resource: text });

/** AdmissionRequest of admission.k8s.io/v1, without its objects and its UID. */
const REQUEST = object('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: text,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: object('kubernetes.UserInfo', { username: text, uid: text, groups: texts, extra: mapOf(text, texts) }),
  dryRun: simpleType('bool'),
  options: dyn,
});

/** What expressions see of the request's namespace. */
export const NAMESPACE_SCHEMA = parseSchema({
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      properties: {
        ...members('string', 'name generateName namespace UID resourceVersion'),
        ...members('integer', 'generation deletionGracePeriodSeconds'),
        creationTimestamp: { type: 'string', format: 'date-time' },
        deletionTimestamp: { type: 'string', format: 'date-time' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        finalizers: { type: 'array', items: { type: 'string' } },
      },
    },
    spec: { type: 'object', properties: { finalizers: { type: 'array', items: { type: 'string' } } } },
    status: {
      type: 'object',
      properties: {
        phase: { type: 'string' },
        conditions: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              ...members('string', 'status type message reason'),
              lastTransitionTime: { type: 'string', format: 'date-time' },
            },
          },
        },
      },
    },
  },
});

function members(type: string, names: string): Record<string, { readonly type: string }> {
  return Object.fromEntries(names.split(' ').map((name) => [name, { type }]));
}

const NAMESPACE = schemaType(NAMESPACE_SCHEMA, false, 'kubernetes.Namespace')?.type ?? dyn;

export interface EnvironmentOptions {
  /** Whether there is `params`. */
  readonly hasParams?: boolean;
  /** Whether there is `authorizer`. Absent: there is. */
  readonly hasAuthorizer?: boolean;
  /** Whether there is `authorizer.requestResource` where there is `authorizer`. Absent: there is. */
  readonly hasRequestCheck?: boolean;
  /** The type of `object` and `oldObject`. Absent: anything. */
  readonly object?: CelType;
  /** The type of `params`. Absent: anything. */
  readonly params?: CelType | undefined;
  /** The types of a policy's `variables`, if expressions may refer to them. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** Returns what expressions of admission may refer to: `object`, `oldObject`, `request`, `namespaceObject`, and what the options say. */
export function admissionEnvironment({
  hasParams = false,
  hasAuthorizer = true,
  hasRequestCheck = true,
  object: objectType = dyn,
  params = dyn,
  variables,
}: EnvironmentOptions = {}): CelEnvironment {
  const types = new Map<string, CelType>([
    ['object', objectType],
    ['oldObject', objectType],
    ['request', REQUEST],
    ['namespaceObject', NAMESPACE],
  ]);
  if (hasParams) types.set('params', params);
  if (hasAuthorizer) types.set('authorizer', parseType('kubernetes.authorization.Authorizer'));
  if (hasAuthorizer && hasRequestCheck)
    types.set('authorizer.requestResource', parseType('kubernetes.authorization.ResourceCheck'));
  if (variables !== undefined)
    types.set('variables', { kind: 'struct', name: 'kubernetes.variables', fields: variables });
  return { variables: types, functions: STANDARD_FUNCTIONS };
}
