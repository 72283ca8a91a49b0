import { Registry as MetricsRegistry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { REQUEST_LIFETIME_MS } from '../../../lambdas/functions/limits.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { openTokens } from '../../../lambdas/rest/authentication/authenticateToken.ts';
import { createApiApp } from '../../../lambdas/rest/createApiApp.ts';
import { createRbacAuthorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';
import { withNodeRules } from '../../../lambdas/rest/nodeauthorizer/withNodeRules.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const everybody = { group: 'rbac.authorization.k8s.io', name: 'everybody' };
const IDENTITIES: Readonly<Record<string, UserInfo>> = {
  'a node': { username: 'system:node:worker', groups: ['system:nodes', 'system:authenticated'] },
  'a service account': {
    username: 'system:serviceaccount:default:default',
    groups: ['system:serviceaccounts', 'system:authenticated'],
  },
  'a user': { username: 'ann', groups: ['system:authenticated'] },
};

const NAMES: Readonly<Record<string, object>> = {
  'no name': {},
  generateName: { generateName: 'some-' },
  'both names': { name: 'worker', generateName: 'some-' },
};

/** Every kind in each of its served versions, with the path of its collection. */
const collections = resourceEntries.flatMap(({ group, plural, kind, namespaced, versions }) =>
  versions.map((version) => {
    const apiGroup = version.group ?? group;
    const apiVersion = apiGroup === '' ? version.version : `${apiGroup}/${version.version}`;
    const place = namespaced ? 'namespaces/default/' : '';
    return { apiVersion, kind, path: `/${apiGroup === '' ? 'api' : 'apis'}/${apiVersion}/${place}${plural}` };
  }),
);

describe('a create', () => {
  let app: ReturnType<typeof createApiApp>;
  let bench: ControllerBench;
  /** What the server did not expect. The 500 of a binding without a target is none of it: Kubernetes answers so. */
  let logged: string[];
  beforeEach(async () => {
    bench = new ControllerBench();
    logged = [];
    const { registry, clock, ids } = bench;
    app = createApiApp({
      ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
      registry,
      clock,
      ids,
      changeLog: bench.store.changeLog,
      catalog: createResourceCatalog(resourceEntries),
      requestLifetimeMs: REQUEST_LIFETIME_MS,
      metrics: new MetricsRegistry(),
      authorizer: withNodeRules(createRbacAuthorizer(registry), registry),
      userOf: (env) => (env as { user?: UserInfo } | undefined)?.user,
      logError: (message, cause) => logged.push(`${message}: ${String(cause)}`),
    });
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    // All may create everything, so that every request reaches admission.
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['create'] }];
    const role = {
      apiVersion: `${everybody.group}/v1`,
      kind: 'ClusterRole',
      metadata: { name: everybody.name },
      rules,
    };
    await bench.create('clusterroles.rbac.authorization.k8s.io', role);
    await bench.create('clusterrolebindings.rbac.authorization.k8s.io', {
      apiVersion: `${everybody.group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: everybody.name },
      roleRef: { apiGroup: everybody.group, kind: 'ClusterRole', name: everybody.name },
      subjects: [{ apiGroup: everybody.group, kind: 'Group', name: 'system:authenticated' }],
    });
  });

  async function create(user: UserInfo, path: string, body: object) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await app.request(path, init, { user });
    return { status: answer.status, message: ((await answer.json()) as { message?: string }).message ?? '' };
  }

  const cases = Object.entries(IDENTITIES).flatMap(([who, user]) =>
    Object.entries(NAMES).map(([what, metadata]) => [who, what, user, metadata] as const),
  );
  it.each(cases)(
    'by %s with %s is never an error of the server, whatever the kind',
    async (_who, _what, user, metadata) => {
      const failed: string[] = [];
      for (const { apiVersion, kind, path } of collections) {
        for (const content of CONTENTS) {
          const { status, message } = await create(user, path, { apiVersion, kind, metadata, ...content });
          if (logged.splice(0).length > 0 || message.includes('undefined'))
            failed.push(`${path}: ${status} ${message}`);
        }
      }
      expect(failed).toEqual([]);
    },
  );

  it('of a node by another name than its own is refused as in Kubernetes', async () => {
    const node = IDENTITIES['a node'] as UserInfo;
    const answer = await create(node, '/api/v1/nodes', { metadata: { generateName: 'some-' } });
    expect(answer).toEqual({
      status: 403,
      message: 'nodes "some-" is forbidden: node "worker" is not allowed to modify node ""',
    });
  });
});

/** What different checks look at: nothing, empty parts, and what roles, nodes and mirror pods have. */
const CONTENTS: readonly object[] = [
  {},
  { spec: {}, status: {} },
  { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }] },
  { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [] },
  { spec: { nodeName: 'other', signerName: 'kubernetes.io/kubelet-serving', containers: [{ name: 'a', image: 'b' }] } },
];
