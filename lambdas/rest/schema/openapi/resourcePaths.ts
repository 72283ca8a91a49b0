import type { ResourceEntry, ServedVersion, Verb } from '../../../registry/ResourceEntry.ts';
import { type Dialect, type GroupVersionKind, type Json, reference } from './componentOf.ts';

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];
/** kubectl reads here whether it may send a strategic merge patch. */
const CUSTOM_PATCH_TYPES = PATCH_TYPES.filter((type) => !type.includes('strategic'));
const PATCH_COMPONENT = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';
const STATUS_COMPONENT = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

interface Operation {
  readonly verb: Verb;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly action: string;
  /** Query parameters that clients look up in the document before they send them. */
  readonly parameters: readonly string[];
}

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
/** Kubernetes' document names them all, those of features that are off by default included. */
const SELECT = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];

const ON_COLLECTION: readonly Operation[] = [
  { verb: 'list', method: 'get', action: 'list', parameters: SELECT },
  { verb: 'create', method: 'post', action: 'post', parameters: WRITE },
  {
    verb: 'deletecollection',
    method: 'delete',
    action: 'deletecollection',
    parameters: [...SELECT, 'dryRun', 'propagationPolicy'],
  },
];
const ON_OBJECT: readonly Operation[] = [
  { verb: 'get', method: 'get', action: 'get', parameters: [] },
  { verb: 'update', method: 'put', action: 'put', parameters: WRITE },
  { verb: 'patch', method: 'patch', action: 'patch', parameters: [...WRITE, 'force'] },
  {
    verb: 'delete',
    method: 'delete',
    action: 'delete',
    parameters: ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'],
  },
];
const ON_SUBRESOURCE = ON_OBJECT.filter(({ verb }) => verb !== 'delete');

/** A type as paths refer to it. */
export interface PublishedType {
  /** `io.k8s.api.apps.v1.Deployment` */
  readonly component: string;
  /** The component of lists of it. */
  readonly listComponent: string;
  readonly gvk: GroupVersionKind;
}

/** One served version of a resource, with the type of its objects and of its Scale, if it has one. */
export interface PublishedResource {
  readonly entry: ResourceEntry;
  readonly version: ServedVersion;
  /** `api/v1`, `apis/apps/v1` */
  readonly root: string;
  readonly type: PublishedType;
  readonly scale: PublishedType | undefined;
}

/** Describes the paths of a resource, each with its operations. */
export function resourcePaths(resource: PublishedResource, dialect: Dialect): Record<string, Json> {
  const { entry, root, type, scale } = resource;
  const collection = `/${root}/${entry.namespaced ? 'namespaces/{namespace}/' : ''}${entry.plural}`;
  const path = (at: string, operations: readonly Operation[], of: PublishedType) => [
    at,
    pathItem(at, operations, { of, entry, root, type }, dialect),
  ];
  const item = `${collection}/{name}`;
  return Object.fromEntries([
    ...(entry.namespaced ? [path(`/${root}/${entry.plural}`, ON_COLLECTION.slice(0, 1), type)] : []),
    path(collection, ON_COLLECTION, type),
    ...(entry.virtual === true ? [] : [path(item, ON_OBJECT, type)]),
    ...(entry.status === true ? [path(`${item}/status`, ON_SUBRESOURCE, type)] : []),
    ...Object.keys(entry.strategy.parts ?? {}).map((name) => path(`${item}/${name}`, ON_SUBRESOURCE, type)),
    ...Object.entries(entry.actions ?? {}).map(([name, { kind }]) =>
      actionPath(`${item}/${name}`, resource, actionType(type, kind), dialect),
    ),
    ...(scale === undefined ? [] : [path(`${item}/scale`, ON_SUBRESOURCE, scale)]),
  ]);
}

/** The type of what is posted to an action of a resource of this type. */
export function actionType({ component, gvk }: PublishedType, kind: string): PublishedType {
  const named = `${component.slice(0, -gvk.kind.length)}${kind}`;
  return { component: named, listComponent: named, gvk: { ...gvk, kind } };
}

/** Describes the path of an action: what is posted to it, and that it answers with the object. */
function actionPath(
  path: string,
  { entry, root, type }: PublishedResource,
  posted: PublishedType,
  dialect: Dialect,
): [string, Json] {
  const subject = { of: posted, entry: { ...entry, verbs: ['create' as const] }, root, type };
  const operation = { verb: 'create' as const, method: 'post' as const, action: 'post', parameters: [] };
  const { post, ...rest } = pathItem(path, [operation], subject, dialect);
  return [
    path,
    { post: { ...(post as Json), responses: { '201': answerOf(type.component, dialect, 'Created') } }, ...rest },
  ];
}

interface Subject extends Pick<PublishedResource, 'entry' | 'root' | 'type'> {
  /** What is sent and answered. */
  readonly of: PublishedType;
}

function pathItem(path: string, operations: readonly Operation[], subject: Subject, dialect: Dialect): Json {
  const { entry, root } = subject;
  const served = operations.filter(({ verb }) => entry.verbs.includes(verb));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path', dialect));
  return {
    ...Object.fromEntries(
      served.map((operation) => [
        operation.method,
        {
          ...operationOf(operation, subject, dialect),
          operationId: operationId(operation.action, path, entry, root),
          tags: [
            groupVersionParts(root)
              .map((part) => camelCase(part, false))
              .join('_'),
          ],
        },
      ]),
    ),
    parameters: [...inPath, parameter('pretty', 'query', dialect)],
  };
}

const OPERATION_VERBS: Readonly<Record<string, string>> = { get: 'read', post: 'create', put: 'replace' };

/** `listAppsV1NamespacedDeployment`, as Kubernetes names the operations for generators of clients. */
function operationId(action: string, path: string, { kind, namespaced }: ResourceEntry, root: string): string {
  const isCollection = action === 'deletecollection';
  const verb = isCollection ? 'delete' : (OPERATION_VERBS[action] ?? action);
  const groupVersion = groupVersionParts(root)
    .map((part) => camelCase(part, true))
    .join('');
  const inNamespace = path.includes('{namespace}');
  const subresource = /\{name\}\/(\w+)$/.exec(path)?.[1] ?? '';
  const place = inNamespace ? 'Namespaced' : '';
  const everywhere = namespaced && !inNamespace ? 'ForAllNamespaces' : '';
  return `${verb}${groupVersion}${isCollection ? 'Collection' : ''}${place}${kind}${camelCase(subresource, true)}${everywhere}`;
}

/** `apis/rbac.authorization.k8s.io/v1` → `rbac.authorization`, `v1`; the core group is `core`. */
function groupVersionParts(root: string): string[] {
  const parts = root.split('/');
  const [group = '', version = ''] = parts.length === 2 ? ['core', parts[1]] : parts.slice(1);
  return [group.replace(/\.k8s\.io$/, ''), version];
}

/** Leaves out what is neither a letter nor a digit, and writes the letter after it large. */
function camelCase(text: string, isFirstLarge: boolean): string {
  const words = text.split(/[^A-Za-z0-9_]+/);
  return words.map((word, index) => (index > 0 || isFirstLarge ? capitalized(word) : word)).join('');
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function operationOf({ method, action, parameters }: Operation, { of, entry, type }: Subject, dialect: Dialect): Json {
  const patchTypes = entry.custom ? CUSTOM_PATCH_TYPES : PATCH_TYPES;
  const isCustom = entry.custom !== undefined;
  const isStatus = action === 'deletecollection' || (isCustom && action === 'delete');
  const answer = isStatus ? STATUS_COMPONENT : action === 'list' ? of.listComponent : of.component;
  const query = parameters.map((name) => parameter(name, 'query', dialect));
  const body = bodyOf(method, of, patchTypes, dialect);
  return {
    ...(dialect === 2 && { produces: ['application/json'], ...(method === 'patch' && { consumes: patchTypes }) }),
    parameters: dialect === 2 && body !== undefined ? [body, ...query] : query,
    ...(dialect === 3 && body !== undefined && { requestBody: body }),
    responses: { '200': answerOf(answer, dialect) },
    'x-kubernetes-action': action,
    // Of a custom resource, the kind is named also where a Scale is sent and answered.
    'x-kubernetes-group-version-kind': isCustom ? type.gvk : of.gvk,
  };
}

function bodyOf(
  method: Operation['method'],
  of: PublishedType,
  patchTypes: readonly string[],
  dialect: Dialect,
): Json | undefined {
  if (method === 'get' || method === 'delete') return undefined;
  const schema = reference(method === 'patch' ? PATCH_COMPONENT : of.component, dialect);
  if (dialect === 2) return { name: 'body', in: 'body', required: true, schema };
  const types = method === 'patch' ? patchTypes : ['*/*'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function answerOf(name: string, dialect: Dialect, description = 'OK'): Json {
  const schema = reference(name, dialect);
  if (dialect === 2) return { description, schema };
  return { description, content: { 'application/json': { schema } } };
}

const INTEGERS = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);
const BOOLEANS = new Set(['allowWatchBookmarks', 'force', 'sendInitialEvents', 'watch']);

function parameter(name: string, place: 'path' | 'query', dialect: Dialect): Json {
  const type = INTEGERS.has(name) ? 'integer' : BOOLEANS.has(name) ? 'boolean' : 'string';
  return {
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    ...(dialect === 2 ? { type, uniqueItems: true } : { schema: { type, uniqueItems: true } }),
  };
}
