import { Registry as MetricsRegistry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedRequestLimits } from '../../../lambdas/adapters/embedded/EmbeddedRequestLimits.ts';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { REQUEST_LIFETIME_MS } from '../../../lambdas/functions/limits.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import type { AuditOptions } from '../../../lambdas/rest/audit/beginAudit.ts';
import { openTokens } from '../../../lambdas/rest/authentication/authenticateToken.ts';
import { createApiApp } from '../../../lambdas/rest/createApiApp.ts';
import { ensureFlowControl } from '../../../lambdas/rest/flowcontrol/ensureFlowControl.ts';
import type { RequestLimitSettings } from '../../../lambdas/rest/flowcontrol/RequestLimitSettings.ts';
import { ensureDefaultRoles } from '../../../lambdas/rest/rbac/ensureDefaultRoles.ts';
import { createRbacAuthorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { MemoryAuditLog } from '../../support/MemoryAuditLog.ts';

const FLOWCONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';
const PODS = '/api/v1/namespaces/default/pods';
const SETTINGS: RequestLimitSettings = { user: { perSecond: 2, burst: 4 } };

const user = (username: string, ...groups: string[]): UserInfo => ({
  username,
  groups: [...groups, 'system:authenticated'],
});
const ann = user('ann');
const bob = user('bob');
const root = user('root', 'system:masters');
const node = user('system:node:a', 'system:nodes');

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Lets users read what is in namespaces. */
async function letView(...names: readonly string[]): Promise<void> {
  const binding = {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'view' },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: 'view' },
    subjects: names.map((name) => ({ kind: 'User', name, apiGroup: RBAC_GROUP })),
  };
  expect(await bench.registry.create(`clusterrolebindings.${RBAC_GROUP}`, binding)).toMatchObject({ status: 'stored' });
}

let bench: ControllerBench;
let app: ReturnType<typeof createApiApp>;
let metrics: MetricsRegistry;
let audit: MemoryAuditLog;
let lines: Record<string, unknown>[];
let isReadable: boolean;

function start(settings: RequestLimitSettings | 'none' = SETTINGS, isGuarded = true): void {
  const { registry, clock, ids, store } = bench;
  metrics = new MetricsRegistry();
  audit = new MemoryAuditLog();
  lines = [];
  isReadable = true;
  const list = (async (...asked: Parameters<ObjectStore['list']>) => {
    if (!isReadable) throw new Error('unreadable');
    return await store.objectStore.list(...asked);
  }) as ObjectStore['list'];
  const auditOptions: AuditOptions = {
    policy: { rules: [{ level: 'Metadata' }] },
    log: audit,
    maxObjectCharacters: 1_000,
    remoteAddressOf: () => undefined,
  };
  app = createApiApp({
    ...openTokens({ registry, clock, signingKeys: new MemorySigningKeys() }),
    registry,
    clock,
    ids,
    changeLog: store.changeLog,
    catalog: createResourceCatalog(resourceEntries),
    requestLifetimeMs: REQUEST_LIFETIME_MS,
    metrics,
    audit: auditOptions,
    ...(isGuarded && {
      authorizer: createRbacAuthorizer(registry),
      userOf: (env: unknown) => (env as { user?: UserInfo }).user,
    }),
    ...(settings !== 'none' && {
      flowControl: {
        settings,
        limits: new EmbeddedRequestLimits(clock),
        objects: { objectStore: { list }, clock, rememberMs: 10_000 },
        clock,
        report: (line) => lines.push({ ...line }),
      },
    }),
    logError: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
}

beforeEach(async () => {
  bench = new ControllerBench();
  await ensureFlowControl(bench.registry, [
    'flowschemas.flowcontrol.apiserver.k8s.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  ]);
  await ensureDefaultRoles(bench.registry);
  start();
});

const send = async (sender: UserInfo | undefined, path = '/version', init: RequestInit = {}) =>
  await app.request(path, init, { user: sender });
async function sendAll(sender: UserInfo, count: number, path?: string): Promise<number[]> {
  const codes = [];
  for (let sent = 0; sent < count; sent += 1) codes.push((await send(sender, path)).status);
  return codes;
}

describe('a user who asks too often', () => {
  test('gets 429 beyond the burst, and is answered again when there is a token', async () => {
    expect(await sendAll(ann, 6)).toEqual([200, 200, 200, 200, 429, 429]);
    bench.clock.advanceBy(500);
    expect(await sendAll(ann, 2)).toEqual([200, 429]);
  });

  test('gets the Status of Kubernetes, and when to try again', async () => {
    await sendAll(ann, 4);
    const answer = await send(ann);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Too many requests, please try again later.',
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
      code: 429,
    });
  });

  test('is told to wait longer where the next token takes longer, but never more than 32 s', async () => {
    const levels = `${FLOWCONTROL}/prioritylevelconfigurations`;
    const spec = { limited: { nominalConcurrencyShares: 0 } };
    await send(root, `${levels}/global-default`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec }),
    });
    bench.clock.advanceBy(10_000);
    const answer = await send(ann);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '32']);
  });

  test('delays nobody else', async () => {
    await sendAll(ann, 50);
    expect(await sendAll(bob, 4)).toEqual([200, 200, 200, 200]);
  });

  test('is counted as the user whom the request impersonates', async () => {
    const as = (name: string) => send(root, '/version', { headers: { 'Impersonate-User': name } });
    for (let sent = 0; sent < 4; sent += 1) expect((await as('ann')).status).toBe(200);
    expect((await as('ann')).status).toBe(429);
    expect((await send(ann)).status).toBe(429);
    expect((await as('bob')).status).toBe(200);
  });

  test('is refused for that before permissions are read', async () => {
    expect((await send(ann, PODS)).status).toBe(403);
    await sendAll(ann, 3, PODS);
    expect((await send(ann, PODS)).status).toBe(429);
  });

  test('may still reach the probes', async () => {
    await sendAll(ann, 10);
    expect(await sendAll(ann, 5, '/livez')).not.toContain(429);
  });
});

describe('without a limit', () => {
  test('are administrators', async () => {
    expect(new Set(await sendAll(root, 50))).toEqual(new Set([200]));
  });

  test('are connections, which are counted neither in Kubernetes; a watch is', async () => {
    expect(new Set(await sendAll(ann, 20, `${PODS}/web/log`))).toEqual(new Set([403]));
    expect(await sendAll(ann, 5, `${PODS}?watch=1`)).toEqual([403, 403, 403, 403, 429]);
  });

  test('are all, if none is set, and nothing is classified', async () => {
    start('none');
    const answer = await send(ann);
    expect(new Set(await sendAll(ann, 50))).toEqual(new Set([200]));
    expect([...answer.headers.keys()].filter((name) => name.includes('-pf-'))).toEqual([]);
  });
});

describe('nodes', () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a';
  test('renew their leases while they are limited in all else', async () => {
    expect((await sendAll(node, 20, `${PODS}/web`)).at(-1)).toBe(429);
    expect(await sendAll(node, 3, lease)).not.toContain(429);
  });

  test('are not held up by a namespace that a tenant floods', async () => {
    start({ namespace: { perSecond: 2, burst: 4 } });
    await letView('ann');
    expect((await sendAll(ann, 10, PODS)).at(-1)).toBe(429);
    expect(await sendAll(node, 20, `${PODS}/web`)).not.toContain(429);
  });
});

describe('a namespace', () => {
  test('is limited whoever asks', async () => {
    start({ namespace: { perSecond: 2, burst: 4 } });
    await letView('ann', 'bob');
    expect([...(await sendAll(ann, 2, PODS)), ...(await sendAll(bob, 4, PODS))]).toEqual([
      200, 200, 200, 200, 429, 429,
    ]);
    expect((await send(ann, '/api/v1/namespaces/other/pods')).status).toBe(200);
    expect((await send(ann, '/version')).status).toBe(200);
  });
});

describe('a namespace in which somebody has no rights', () => {
  test('is not used up by their requests', async () => {
    start({ namespace: { perSecond: 2, burst: 4 } });
    await letView('ann');
    expect(new Set(await sendAll(bob, 20, PODS))).toEqual(new Set([403]));
    expect(await sendAll(ann, 4, PODS)).toEqual([200, 200, 200, 200]);
  });
});

describe('an answer', () => {
  test('has the UIDs of the schema and the level, whatever it is', async () => {
    const read = async (path: string) =>
      ((await (await send(root, path)).json()) as { metadata: { uid: string } }).metadata.uid;
    const schema = await read(`${FLOWCONTROL}/flowschemas/global-default`);
    const level = await read(`${FLOWCONTROL}/prioritylevelconfigurations/global-default`);
    for (const path of ['/version', PODS]) {
      const { headers } = await send(ann, path);
      expect(headers.get('x-kubernetes-pf-flowschema-uid')).toBe(schema);
      expect(headers.get('x-kubernetes-pf-prioritylevel-uid')).toBe(level);
    }
  });

  test('on a server that knows nobody is that of an anonymous user', async () => {
    start(SETTINGS, false);
    expect(await sendAll(ann, 5)).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('a schema that a user makes', () => {
  test('counts within ten seconds', async () => {
    const schema = {
      metadata: { name: 'ann-first' },
      spec: {
        priorityLevelConfiguration: { name: 'exempt' },
        matchingPrecedence: 600,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'ann' } }],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          },
        ],
      },
    };
    await sendAll(ann, 10);
    const created = await send(root, `${FLOWCONTROL}/flowschemas`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(schema),
    });
    expect(created.status).toBe(201);
    bench.clock.advanceBy(10_000);
    expect(new Set(await sendAll(ann, 20))).toEqual(new Set([200]));
  });
});

describe('schemas that cannot be read', () => {
  test('stop nobody: those of every cluster count, and the log says so once', async () => {
    isReadable = false;
    expect(await sendAll(ann, 6)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(new Set(await sendAll(root, 20))).toEqual(new Set([200]));
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'flow schemas and priority levels cannot be read', error: { message: 'unreadable' } },
    ]);
  });
});

describe('who is limited', () => {
  test('is in the log at once, and every ten seconds with how often', async () => {
    await sendAll(ann, 54, PODS);
    const line = { level: 'warn', msg: 'requests are limited', limit: 'user', user: 'ann', namespace: 'default' };
    expect(lines).toMatchObject([{ ...line, flow_schema: 'global-default', refused: 1 }]);
    bench.clock.advanceBy(10_000);
    await sendAll(ann, 5, PODS);
    expect(lines).toMatchObject([{ refused: 1 }, { ...line, refused: 50 }]);
  });

  test('is in the audit log', async () => {
    await sendAll(ann, 5);
    expect(JSON.parse(audit.lines.at(-1) ?? '')).toMatchObject({
      stage: 'ResponseComplete',
      user: { username: 'ann' },
      responseStatus: { code: 429, reason: 'TooManyRequests' },
      annotations: { 'flowcontrol.driftless.dev/limit': 'user' },
    });
  });

  test('is counted', async () => {
    await sendAll(ann, 6);
    const text = await metrics.metrics();
    const labels = 'priority_level="global-default",flow_schema="global-default"';
    expect(text).toContain(`apiserver_flowcontrol_dispatched_requests_total{${labels}} 4`);
    expect(text).toContain(`apiserver_flowcontrol_rejected_requests_total{${labels},reason="user-limit"} 2`);
  });
});
