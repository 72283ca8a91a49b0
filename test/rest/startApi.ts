import type { Hono } from 'hono';
import { Registry as MetricsRegistry } from 'prom-client';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { openTokens } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { REQUEST_LIFETIME_MS } from '../../lambdas/functions/limits.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { DefinedResources } from '../../lambdas/registry/customresources/DefinedResources.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { type ApiAppOptions, createApiApp } from '../../lambdas/rest/createApiApp.ts';

/** An answer with its JSON body parsed. */
export interface Answer {
  readonly code: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any;
}

export interface Api {
  readonly app: Hono;
  readonly clock: VirtualClock;
  readonly registry: Registry;
  readonly changeLog: ChangeLog;
  /** The unexpected errors that were logged. */
  readonly errors: unknown[];
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Creates the API over a store in memory, with the namespaces `default` and `other`. */
export async function startApi(
  options: Partial<ApiAppOptions> & { readonly retainedChanges?: number } = {},
): Promise<Api> {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const ids = new SystemIds();
  const { objectStore, changeLog } = openEmbeddedStore({
    journal: new MemoryJournal(),
    clock,
    ...(options.retainedChanges !== undefined && { retainedChanges: options.retainedChanges }),
  });
  const custom = new DefinedResources({ objectStore, clock });
  const catalog = createResourceCatalog(resourceEntries, custom);
  const registry = createRegistry({ objectStore, clock, ids, catalog });
  const errors: unknown[] = [];
  const logError = (_message: string, cause: unknown) => errors.push(cause);
  const metrics = new MetricsRegistry();
  const app = createApiApp({
    ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
    registry,
    catalog,
    changeLog,
    clock,
    ids,
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    metrics,
    logError,
    ...options,
  });
  for (const name of ['default', 'other']) {
    await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return { app, clock, registry, changeLog, errors, call: (...request) => callBy(requestsTo(app), ...request) };
}

/** Sends requests to a server, by paths. */
export type Requests = (path: string, init: RequestInit) => Response | Promise<Response>;

const requestsTo =
  (app: Hono): Requests =>
  (path, init) =>
    app.request(`http://127.0.0.1${path}`, init);

/** Sends a request, and parses the JSON of its answer. */
export async function callBy(
  requests: Requests,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await requests(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  return { code: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

export function configMap(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more };
}

export function deployment(name: string, replicas = 1): Record<string, unknown> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

interface ReceivedEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly code?: number; readonly reason?: string };
}

/** A watch that is read event by event. */
export interface OpenWatch {
  readonly response: Response;
  next(): Promise<ReceivedEvent | undefined>;
  cancel(): Promise<void>;
}

export async function openWatch(api: Api, path: string, headers: Record<string, string> = {}): Promise<OpenWatch> {
  return await openWatchBy(requestsTo(api.app), path, headers);
}

export async function openWatchBy(
  requests: Requests,
  path: string,
  headers: Record<string, string> = {},
): Promise<OpenWatch> {
  const response = await requests(path, { headers });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  const next = async (): Promise<ReceivedEvent | undefined> => {
    while (!buffered.includes('\n')) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      buffered += decoder.decode(value, { stream: true });
    }
    const end = buffered.indexOf('\n');
    const line = buffered.slice(0, end);
    buffered = buffered.slice(end + 1);
    return line === '' ? next() : (JSON.parse(line) as ReceivedEvent);
  };
  return { response, next, cancel: () => reader.cancel() };
}

/** Creates ConfigMaps in the namespace `default`, each with a label of its name. */
export async function createConfigMaps(api: Api, ...names: string[]): Promise<void> {
  for (const name of names)
    await api.call(
      'POST',
      '/api/v1/namespaces/default/configmaps',
      configMap(name, { metadata: { name, labels: { name } } }),
    );
}

/** Waits until pending work has set its timer, then moves the clock past it. */
export async function waitForTimer(api: Api, ms = 3_000): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  api.clock.advanceBy(ms);
}
