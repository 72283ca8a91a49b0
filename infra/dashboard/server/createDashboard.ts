import { type Context, Hono } from 'hono';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { pageAssets } from '../generated/pageAssets.ts';
import { PAGE_ACTS, parsePageAction } from '../views/planAction.ts';
import { revisionsOf } from '../views/revisionsOf.ts';
import { actOn, forbiddenOf, planOn, readDeployment } from './actOn.ts';
import { ClusterMirror, type FollowedClock } from './ClusterMirror.ts';
import { DryRunClient } from './DryRunClient.ts';
import { explainRolloutOf } from './explainRolloutOf.ts';
import { cookieName, isKey, pageRefusal, type PageGuard } from './guardPage.ts';
import { overviewTopic } from './overviewTopic.ts';
import type { PageTopic } from './PageTopic.ts';
import { readPageBody } from './readPageBody.ts';
import { rememberServer } from './rememberServer.ts';
import { RolloutTopic } from './RolloutTopic.ts';
import { serveTestControls } from './serveTestControls.ts';
import { streamTopic } from './streamTopic.ts';

export interface DashboardParts extends PageGuard {
  /** The way to the API, with the credentials for which the page acts. */
  readonly send: SendRequest;
  /** The time of the cluster's clock, in milliseconds. */
  readonly nowMs: () => number;
  /** The clock, where it is one of another process. */
  readonly clock?: FollowedClock;
  /** The only namespace that the page shows. Absent: it shows all. */
  readonly namespace?: string | undefined;
}

export interface Dashboard {
  /** Answers what is below `/dashboard`. */
  fetch(request: Request): Promise<Response>;
  readonly mirror: ClusterMirror;
  /** Ends the streams and watches. */
  close(): void;
}

/** Where the page is. */
export const DASHBOARD_PATH = '/dashboard';

const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const CALLS = `${DASHBOARD_PATH}/api`;

/** The page, and the few calls that it makes. Nothing else of the API is passed on. */
export function createDashboard(parts: DashboardParts): Dashboard {
  const ending = new AbortController();
  const mirror = new ClusterMirror(parts.send, parts.nowMs, parts.clock, parts.namespace);
  const app = new Hono();
  app.use('*', async (context, next) => {
    const url = new URL(context.req.url);
    if (entersWithKey(parts, url)) return enter(context, url);
    const refusal = pageRefusal(parts, context.req.raw.headers, url, context.req.path.startsWith(CALLS));
    if (refusal === undefined) await next();
    else context.res = context.text(`${refusal}\n`, 403);
    for (const [name, value] of Object.entries(SECURITY)) context.res.headers.set(name, value);
    return undefined;
  });
  app.get(DASHBOARD_PATH, (context) => context.html(pageAssets.html, 200, { 'cache-control': 'no-cache' }));
  app.get(`${DASHBOARD_PATH}/assets/:name`, (context) => {
    const asset = pageAssets.files.find(({ name }) => name === context.req.param('name'));
    if (!asset) return context.notFound();
    return context.body(asset.text, 200, {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
  serveCalls(app, mirror, ending.signal);
  app.onError((error) =>
    Response.json({ problem: error.message }, { status: error instanceof ApiError ? error.code : 502 }),
  );
  return {
    fetch: async (request) => await app.fetch(request),
    mirror,
    close: () => {
      ending.abort();
      mirror.stop();
    },
  };
}

function serveCalls(app: Hono, mirror: ClusterMirror, signal: AbortSignal): void {
  const known = rememberServer(mirror.send);
  const planning = new DryRunClient(mirror.send);
  const follow = async (topic: PageTopic) => {
    const { isVirtual } = await known();
    const stream = streamTopic(mirror, withClock(topic, mirror), { isVirtual, signal });
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' } });
  };
  app.get(`${CALLS}/server`, async (context) => context.json(await known()));
  app.get(`${CALLS}/costs`, (context) => context.json(mirror.watchCounts()));
  app.get(`${CALLS}/stream`, () => follow(overviewTopic(mirror)));
  const deployment = `${CALLS}/deployments/:namespace/:name`;
  app.get(`${deployment}/stream`, (context) => {
    const { namespace, name } = context.req.param();
    return follow(new RolloutTopic(mirror, namespace, name));
  });
  app.get(`${deployment}/why`, async (context) => {
    const { namespace, name } = context.req.param();
    return context.json((await explainRolloutOf(mirror, namespace, name)) ?? null);
  });
  app.get(`${deployment}/revisions`, async (context) => {
    const found = await readDeployment(mirror.send, context.req.param());
    return context.json(revisionsOf(found?.replicaSets ?? []));
  });
  app.get(`${deployment}/forbidden`, async (context) => {
    return context.json(await forbiddenOf(mirror.send, context.req.param()));
  });
  app.post(`${deployment}/act`, async (context) => {
    const body = await readPageBody(context.req.raw);
    const action = parsePageAction(body);
    if (!action) return context.json({ is: 'refused', says: `This is none of ${PAGE_ACTS.join(', ')}.` }, 400);
    const generation = typeof body['generation'] === 'number' ? body['generation'] : undefined;
    const how = { nowMs: mirror.nowMs(), generation };
    const place = context.req.param();
    const isConfirmed = body['dryRun'] === false;
    return context.json(
      isConfirmed ? await actOn(mirror.send, place, action, how) : await planOn(planning, place, action, how),
    );
  });
  serveTestControls(app, `${CALLS}/controls`, mirror.send);
}

/** A page that shows times follows the clock, too. */
function withClock(topic: PageTopic, { clock }: ClusterMirror): PageTopic {
  if (!clock) return topic;
  return {
    watches: [...topic.watches, clock],
    all: () => topic.all(),
    changed: (object) => topic.changed(object),
    sample: () => topic.sample?.(),
  };
}

/** True for the address that is printed, which has the key. */
function entersWithKey({ key, allowedHosts }: PageGuard, url: URL): boolean {
  if (key === undefined || url.pathname !== DASHBOARD_PATH) return false;
  return (allowedHosts?.includes(url.hostname) ?? true) && isKey(key, url.searchParams.get('key'));
}

/** Gives the browser the key as a cookie, which no script and no request of another site can use, and an address without the key. */
function enter(context: Context, url: URL): Response {
  const key = url.searchParams.get('key') ?? '';
  const cookie = `${cookieName(url)}=${key}; Path=${DASHBOARD_PATH}; HttpOnly; SameSite=Strict`;
  return context.body(null, 303, { ...SECURITY, location: DASHBOARD_PATH, 'set-cookie': cookie });
}
