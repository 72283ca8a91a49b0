import type { Context, Hono } from 'hono';
import type { SendRequest } from '../../host/SendRequest.ts';
import type { StoredFault, StoredPodBehaviour } from '../../testCluster/controls/TestingObjects.ts';
import { type TestControlsView, viewFault, viewPodBehaviour } from '../views/viewTestControls.ts';
import { readPageBody } from './readPageBody.ts';
import { statusMessage } from './statusMessage.ts';

const GROUP = '/apis/testing.driftless.dev/v1';
const JSON_BODY = { 'content-type': 'application/json' };
/** The kinds of what the page may add and remove, by their plurals. */
const KINDS: Readonly<Record<string, string>> = { faults: 'Fault', podbehaviours: 'PodBehaviour' };

/** Serves the clock, the faults and the behaviours of pods of a cluster for tests, under `path`. The API checks what is sent, and its refusals are passed on. */
export function serveTestControls(app: Hono, path: string, send: SendRequest): void {
  app.get(path, async (context) => context.json(await readControls(send)));
  app.post(`${path}/advance`, async (context) => {
    const { duration } = await readPageBody(context.req.raw);
    return await answer(context, post(send, `${GROUP}/clocks/cluster/advance`, { duration }));
  });
  app.post(`${path}/:plural`, async (context) => {
    const { plural } = context.req.param();
    const kind = KINDS[plural];
    if (!kind) return context.notFound();
    const { spec } = await readPageBody(context.req.raw);
    const apiVersion = 'testing.driftless.dev/v1';
    const object = { apiVersion, kind, metadata: { generateName: 'dashboard-' }, spec };
    return await answer(context, post(send, `${GROUP}/${plural}`, object));
  });
  app.post(`${path}/:plural/:name/remove`, async (context) => {
    const { plural, name } = context.req.param();
    if (!KINDS[plural]) return context.notFound();
    return await answer(context, send(`${GROUP}/${plural}/${encodeURIComponent(name)}`, { method: 'DELETE' }));
  });
}

async function readControls(send: SendRequest): Promise<TestControlsView> {
  const list = async <T>(plural: string) => {
    const response = await send(`${GROUP}/${plural}`);
    const text = await response.text();
    if (!response.ok) throw new Error(statusMessage(text, response.status));
    return (JSON.parse(text) as { readonly items: readonly T[] }).items;
  };
  const [faults, behaviours] = await Promise.all([
    list<StoredFault>('faults'),
    list<StoredPodBehaviour>('podbehaviours'),
  ]);
  return { faults: faults.map(viewFault), podBehaviours: behaviours.map(viewPodBehaviour) };
}

function post(send: SendRequest, path: string, body: object): Promise<Response> {
  return send(path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) });
}

/** `problem`: why the API refused. */
async function answer(context: Context, sent: Promise<Response>): Promise<Response> {
  const response = await sent;
  const text = await response.text();
  return response.ok ? context.json({}) : context.json({ problem: statusMessage(text, response.status) }, 400);
}
