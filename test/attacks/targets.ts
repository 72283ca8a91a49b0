import { Registry as MetricsRegistry } from 'prom-client';
import { startEmulation } from '../../infra/emulation/startEmulation.ts';
import { openHttpServer } from '../../infra/host/openHttpServer.ts';
import type { SwitchedOff } from '../../infra/host/parseControllers.ts';
import { startControlPlane } from '../../infra/local/startControlPlane.ts';
import { REQUEST_LIFETIME_MS } from '../../lambdas/functions/limits.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { createApiApp } from '../../lambdas/rest/createApiApp.ts';
import { MemorySigningKeys } from '../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { openTokens } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { createRbacAuthorizer } from '../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import { ensureDefaultRoles } from '../../lambdas/rest/rbac/ensureDefaultRoles.ts';
import { ControllerBench } from '../support/ControllerBench.ts';
import { rawRequest, sendRaw } from './sendRaw.ts';

/** A server to attack. */
export interface Target {
  readonly port: number;
  /** The headers that make a request come from this user. `root` may do everything. */
  as(user: string): Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The server of one machine, which trusts every program on it and no web page. */
export async function startEmbedded(): Promise<Target> {
  const controlPlane = await startControlPlane();
  return { port: controlPlane.port, as: () => ({}), stop: () => controlPlane.stop() };
}

/** The API with RBAC on the embedded server's HTTP. The header `x-test-user` stands for an authenticator. */
export async function startWithRbac(): Promise<Target> {
  const { registry, clock, ids, store } = new ControllerBench();
  const app = createApiApp({
    ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
    registry,
    clock,
    ids,
    changeLog: store.changeLog,
    catalog: createResourceCatalog(resourceEntries),
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    metrics: new MetricsRegistry(),
    authorizer: createRbacAuthorizer(registry),
    userOf: (env) => {
      const username = (env as { username: string | null }).username;
      return username === null ? undefined : { username, groups: username === 'root' ? ['system:masters'] : [] };
    },
    logError: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  await ensureDefaultRoles(registry);
  const fetchAs = async (request: Request) => app.fetch(request, { username: request.headers.get('x-test-user') });
  const http = await openHttpServer(fetchAs, { port: 0 });
  return { port: http.port, as: (user) => ({ 'x-test-user': user }), stop: () => http.close() };
}

/** The deployed stack's own functions on emulators. Its only identity is an administrator, who impersonates other users. `controllers`: those that do not run. */
export async function startEmulated(controllers: SwitchedOff = {}): Promise<Target> {
  const emulation = await startEmulation({ accountConcurrency: 1000, controllers });
  return {
    port: Number(new URL(emulation.url).port),
    as: (user) => ({
      Authorization: `Bearer ${emulation.token()}`,
      ...(user !== 'root' && { 'Impersonate-User': user }),
    }),
    stop: () => emulation.stop(),
  };
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** What no attacker may read; in an answer it is base64. */
export const HIDDEN = Buffer.from('nobody may read this').toString('base64');

/** Creates objects as root. Throws if one is refused. */
export async function create(target: Target, path: string, object: object): Promise<void> {
  const headers = { ...target.as('root'), 'Content-Type': 'application/json' };
  const { status, text } = await sendRaw(target.port, rawRequest('POST', path, headers, JSON.stringify(object)));
  if (status !== 201) throw new Error(`${path} answers ${text}`);
}

/** Gives a user these rules in a namespace or, without one, in the whole cluster. */
export async function grant(target: Target, user: string, rules: readonly object[], namespace?: string): Promise<void> {
  const [place, role, binding] =
    namespace === undefined
      ? [RBAC, 'ClusterRole', 'clusterrolebindings']
      : [`${RBAC}/namespaces/${namespace}`, 'Role', 'rolebindings'];
  await create(target, `${place}/${role.toLowerCase()}s`, { metadata: { name: `of-${user}` }, rules });
  await create(target, `${place}/${binding}`, {
    metadata: { name: `of-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: `of-${user}` },
    subjects: [{ kind: 'User', name: user }],
  });
}

/** Creates the namespaces `a` and `b`, each with a Secret `s`. Ann may read config maps in `a`, and there the Secret `open` by its name. */
export async function prepareTarget(target: Target): Promise<void> {
  for (const name of ['a', 'b']) {
    await create(target, '/api/v1/namespaces', { metadata: { name } });
    await create(target, `/api/v1/namespaces/${name}/secrets`, { metadata: { name: 's' }, data: { hidden: HIDDEN } });
  }
  await create(target, '/api/v1/namespaces/a/secrets', { metadata: { name: 'open' } });
  await create(target, '/api/v1/namespaces/a/configmaps', { metadata: { name: 'c' } });
  const read = ['get', 'list', 'watch'];
  const rules = [
    { verbs: read, apiGroups: [''], resources: ['configmaps'] },
    { verbs: read, apiGroups: [''], resources: ['secrets'], resourceNames: ['open'] },
  ];
  await grant(target, 'ann', rules, 'a');
}
