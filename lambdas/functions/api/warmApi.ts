import { MASTERS_GROUP } from '../../rest/rbac/UserInfo.ts';
import type { ApiHandler } from './createApiHandler.ts';
import type { ApiEnvironment } from './fromProxyEvent.ts';

interface WarmRequest {
  readonly path: string;
  readonly accept: string;
  readonly user: { readonly username: string; readonly groups: readonly string[] };
}

/** A user without rights of its own. The API reads roles and bindings for its requests, as it does for most users. */
const ANYBODY = { username: 'system:warm', groups: ['system:authenticated'] };
/** Who may list: what is refused reads no further. */
const READER = { username: 'system:apiserver', groups: [MASTERS_GROUP] };

const JSON_TYPE = 'application/json';
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The reads of each `kubectl get`: of permissions, of definitions of custom resources, and of a list to print. */
const EACH_TIME: readonly WarmRequest[] = [
  { path: '/apis', accept: JSON_TYPE, user: ANYBODY },
  { path: '/apis/apps/v1/namespaces/default/deployments?limit=1', accept: TABLE, user: READER },
];

/** What loads code, or makes documents, that the process keeps. `kubectl apply` asks for the documents before it writes; they take the processor longer than all else. */
const ONCE: readonly WarmRequest[] = [
  { path: '/apis', accept: DISCOVERY, user: ANYBODY },
  { path: '/openapi/v3', accept: JSON_TYPE, user: ANYBODY },
  { path: '/openapi/v3/apis/apps/v1', accept: JSON_TYPE, user: ANYBODY },
];

/**
 * Returns what does, in a process that serves `fetch`, all that the first requests after a pause would wait for: connections, documents, and code that is loaded on demand (ADR 24). Each call reads
 * some items and writes none. `loadForWrites` loads what only writes need. Rejects if it does; a request that fails is logged as any other.
 */
export function warmApi(fetch: ApiHandler, loadForWrites: () => Promise<unknown>): () => Promise<void> {
  let requests: readonly WarmRequest[] = [...EACH_TIME, ...ONCE];
  return async () => {
    for (const request of requests) await send(fetch, request);
    requests = EACH_TIME;
    await loadForWrites();
  };
}

async function send(fetch: ApiHandler, { path, accept, user }: WarmRequest): Promise<void> {
  const environment: ApiEnvironment = { user };
  const response = await fetch(new Request(`https://localhost${path}`, { headers: { accept } }), environment);
  // The answer is made while it is read.
  await response.arrayBuffer();
}
