/** One request as a component of Kubernetes sends it. */
export interface ComponentRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** What is sent, or how the stored object is changed before it is written back. A body with a kind is written as the component speaks. */
  readonly body?: object | ((stored: ApiObject) => object);
  /** The path of that stored object, if it is not the request's own. */
  readonly about?: string;
  /** Of a patch; it is JSON. */
  readonly contentType?: string;
  /** What is accepted, if it is not what the component's other requests accept. */
  readonly accept?: string;
  /** A watch: the test reads it until it has begun (`resumed`), or until the bookmark behind the objects that exist (`initial`). */
  readonly watch?: 'resumed' | 'initial';
  /** Why a real API server refuses it, too, and with which code. */
  readonly refused?: { readonly code: number; readonly why: string };
}

/** A component, who it is, and what it sends, in an order in which it can send it. */
export interface Component {
  readonly name: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** The content type of its configuration. */
  readonly speaks: keyof typeof ACCEPT;
  /** What an administrator has created before: the path of the collection, and the object. */
  readonly given?: readonly (readonly [path: string, object: ApiObject])[];
  readonly requests: readonly ComponentRequest[];
}

export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- objects of every kind
  readonly [member: string]: any;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The Accept headers of client-go's clients: with the content type of a component's configuration, and, since 1.32, of a clientset without any configuration. */
export const ACCEPT = {
  configuredProtobuf: `${PROTOBUF}, */*`,
  protobuf: `${PROTOBUF},application/json`,
  json: 'application/json, */*',
} as const;

export const JSON_ONLY = 'application/json';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';

const read = (path: string, accept?: string): ComponentRequest => ({
  method: 'GET',
  path,
  ...(accept !== undefined && { accept }),
});

/** A read of an object that is not there yet. */
const readMissing = (path: string): ComponentRequest => ({
  ...read(path),
  refused: { code: 404, why: 'the component creates it next' },
});

const create = (path: string, body: ApiObject): ComponentRequest => ({ method: 'POST', path, body });

/** Reads an object and writes it back. */
const update = (path: string, body: (stored: ApiObject) => object): ComponentRequest => ({ method: 'PUT', path, body });

const patch = (path: string, contentType: string, body: object): ComponentRequest => ({
  method: 'PATCH',
  path,
  contentType,
  body,
});

/** A server-side apply, by which a controller takes over the fields that it sends. */
const apply = (path: string, manager: string, body: ApiObject): ComponentRequest =>
  patch(`${path}?fieldManager=${manager}&force=true`, 'application/apply-patch+yaml', body);

const remove = (path: string, options: object = {}): ComponentRequest => ({
  method: 'DELETE',
  path,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options },
});

/** The requests of an informer: a watch that brings all objects first (since 1.35 by default), the list of an older reflector, and the watch after it. */
function informer(path: string, query: Readonly<Record<string, string>> = {}, accept?: string): ComponentRequest[] {
  const of = (more: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams({ ...query, ...more }).toString()}`;
  const form = accept === undefined ? {} : { accept };
  const watch = { allowWatchBookmarks: 'true', timeoutSeconds: '412', watch: 'true' };
  return [
    {
      ...read(of({ ...watch, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: 'true' })),
      ...form,
      watch: 'initial',
    },
    { ...read(of({ limit: '500', resourceVersion: '0' })), ...form },
    { ...read(of({ ...watch, resourceVersion: '$LISTED' })), ...form, watch: 'resumed' },
  ];
}

/** Informers of whole collections. */
const informers = (...paths: readonly string[]): ComponentRequest[] => paths.flatMap((path) => informer(path));

/** An election by a lease in `kube-system`: it is not there yet, is taken, and is renewed. */
function leaderElection(name: string): ComponentRequest[] {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
  const renewTime = '2026-01-01T00:00:00.000000Z';
  const spec = { holderIdentity: `${name}_1`, leaseDurationSeconds: 15, acquireTime: renewTime, renewTime };
  return [
    readMissing(`${leases}/${name}`),
    create(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec }),
    update(`${leases}/${name}`, (lease) => ({ ...lease, spec: { ...lease['spec'], leaseTransitions: 0 } })),
  ];
}

/** A server of a component lets the API server decide who its clients are and what they may do. */
function delegatedAuthentication(): ComponentRequest[] {
  const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'unknown' } };
  const nonResourceAttributes = { path: '/metrics', verb: 'get' };
  const access = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'prometheus', groups: ['monitoring'], nonResourceAttributes },
  };
  return [
    create('/apis/authentication.k8s.io/v1/tokenreviews', token),
    create('/apis/authorization.k8s.io/v1/subjectaccessreviews', access),
  ];
}

/** How a component with a secured port learns the authorities of clients' certificates. */
function requestHeaderAuthorities(): ComponentRequest[] {
  const configMaps = '/api/v1/namespaces/kube-system/configmaps';
  const name = 'extension-apiserver-authentication';
  return [read(`${configMaps}/${name}`), ...informer(configMaps, { fieldSelector: `metadata.name=${name}` })];
}

/** An event of the API `v1`, and its next occurrence. */
function events(component: string, involvedObject: object, namespace = 'default'): ComponentRequest[] {
  const path = `/api/v1/namespaces/${namespace}/events`;
  const name = `${component}.1`;
  const time = '2026-01-01T00:00:00Z';
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject,
    reason: 'Recorded',
    message: 'something has happened',
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Normal',
    reportingComponent: component,
    reportingInstance: '',
  };
  return [create(path, event), patch(`${path}/${name}`, STRATEGIC, { count: 2, lastTimestamp: time })];
}

/** An event of the API `events.k8s.io/v1`, and its next occurrence. */
function newEvents(component: string, regarding: object): ComponentRequest[] {
  const path = '/apis/events.k8s.io/v1/namespaces/default/events';
  const name = `${component}.2`;
  const eventTime = '2026-01-01T00:00:00.000000Z';
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    eventTime,
    reportingController: component,
    reportingInstance: `${component}-1`,
    action: 'Recording',
    reason: 'Recorded',
    regarding,
    note: 'something has happened',
    type: 'Normal',
  };
  const series = { count: 2, lastObservedTime: eventTime };
  return [create(path, event), patch(`${path}/${name}`, STRATEGIC, { series })];
}

/** What components send, by the parts that they have in common. */
export const sends = {
  read,
  readMissing,
  create,
  update,
  patch,
  apply,
  remove,
  informer,
  informers,
  leaderElection,
  delegatedAuthentication,
  requestHeaderAuthorities,
  events,
  newEvents,
} as const;

/** A service account of `kube-system`, as the API server knows it. */
export function serviceAccount(name: string): Pick<Component, 'username' | 'groups'> {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  return { username: `system:serviceaccount:kube-system:${name}`, groups };
}
