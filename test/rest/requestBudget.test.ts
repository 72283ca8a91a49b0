import { beforeEach, describe, expect, test } from 'vitest';
import { RequestBudget } from '../../lambdas/objects/RequestBudget.ts';
import { type Api, configMap, deployment, startApi } from './startApi.ts';
import { serveWidgets } from './serveWidgets.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

let budgets: RequestBudget[];
let limits: ConstructorParameters<typeof RequestBudget>[0];
let api: Api;

beforeEach(async () => {
  budgets = [];
  limits = {};
  const createBudget = () => {
    const budget = new RequestBudget(limits);
    budgets.push(budget);
    return budget;
  };
  api = await startApi({ createBudget });
});

/** What a request has taken, and how it ended. */
async function take(...[method, path, body, type]: Sent) {
  budgets.length = 0;
  const { code, body: answer } = await api.call(method, path, body, type === undefined ? {} : { 'content-type': type });
  return { code, message: answer.message as string | undefined, ...budgets[0]?.spent };
}

type Sent = readonly [method: string, path: string, body?: unknown, type?: string];

const widget = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec });
const TEXT = { type: 'string', maxLength: 100 };
const specOf = (v: object) => ({ type: 'object', properties: { spec: { type: 'object', properties: { v } } } });
const texts = Array.from({ length: 50 }, (_, index) => `value${index}`);

/** Each row: what draws on the budget, the schema of widgets without it and with it, and what is sent. */
const SCHEMAS: readonly [what: string, without: object, having: object, v: unknown][] = [
  ['a default', TEXT, { ...TEXT, default: 'a'.repeat(50) }, undefined],
  ['an enum of objects', { ...OPEN() }, { ...OPEN(), enum: [...texts.map((a) => ({ a })), { a: 'b' }] }, { a: 'b' }],
  ['a pattern', TEXT, { ...TEXT, pattern: '^(.{0,100})+$' }, 'x'.repeat(50)],
  ['oneOf', TEXT, { ...TEXT, oneOf: [{ minLength: 1 }, { minLength: 50 }] }, 'x'],
  ['a rule', TEXT, { ...TEXT, 'x-kubernetes-validations': [{ rule: 'self.split("").all(c, c != "z")' }] }, 'xyx'],
];

function OPEN(): object {
  return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}

describe('on the budget of a request draws', () => {
  test.each(SCHEMAS)('%s of a custom kind', async (_, without, having, v) => {
    const sent: Sent = ['POST', `${WIDGETS}?dryRun=All`, widget({ ...(v !== undefined && { v }) })];
    await serveWidgets(api, specOf(without));
    const bare = await take(...sent);
    await serveWidgets(api, specOf(having));
    const drawn = await take(...sent);
    expect([bare.code, drawn.code]).toEqual([201, 201]);
    expect((drawn.steps ?? 0) + (drawn.bytes ?? 0)).toBeGreaterThan((bare.steps ?? 0) + (bare.bytes ?? 0));
  });

  const KEPT = `${CONFIG_MAPS}/kept`;
  const data = Object.fromEntries(texts.map((text) => [text, text]));
  const copies = texts.map((text) => ({ op: 'copy', from: '/data', path: `/metadata/annotations/${text}` }));
  const APPLY = 'application/apply-patch+yaml';
  test.each<[what: string, small: Sent, large: Sent]>([
    ['a body in JSON', ['POST', CONFIG_MAPS, configMap('a')], ['POST', CONFIG_MAPS, configMap('b', { data })]],
    [
      'a body in YAML',
      ['POST', CONFIG_MAPS, 'metadata: {name: a}', 'application/yaml'],
      ['POST', CONFIG_MAPS, `metadata: {name: b}\ndata: ${JSON.stringify(data)}`, 'application/yaml'],
    ],
    [
      'a JSON patch',
      ['PATCH', KEPT, [], 'application/json-patch+json'],
      ['PATCH', `${KEPT}?dryRun=All`, copies, 'application/json-patch+json'],
    ],
    [
      'a merge patch',
      ['PATCH', KEPT, {}, 'application/merge-patch+json'],
      ['PATCH', KEPT, { data }, 'application/merge-patch+json'],
    ],
    [
      'a strategic merge patch',
      ['PATCH', KEPT, {}, 'application/strategic-merge-patch+json'],
      ['PATCH', KEPT, { data }, 'application/strategic-merge-patch+json'],
    ],
    [
      'an apply',
      ['PATCH', `${KEPT}?fieldManager=a`, configMap('kept'), APPLY],
      ['PATCH', `${KEPT}?fieldManager=a`, configMap('kept', { data }), APPLY],
    ],
    ['a selector by labels', ['GET', CONFIG_MAPS], ['GET', `${CONFIG_MAPS}?labelSelector=!a,!b,!c`]],
    ['a selector by fields', ['GET', CONFIG_MAPS], ['GET', `${CONFIG_MAPS}?fieldSelector=metadata.name!=a`]],
    [
      'the options of a deletion',
      ['DELETE', `${KEPT}?dryRun=All`],
      ['DELETE', `${KEPT}?dryRun=All`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }],
    ],
  ])('%s', async (_, small, large) => {
    await api.call(
      'POST',
      CONFIG_MAPS,
      configMap('kept', { metadata: { name: 'kept', annotations: {} }, data: { a: '1' } }),
    );
    const [less, more] = [await take(...small), await take(...large)];
    expect([less.code < 300, more.code]).toEqual([true, expect.anything()]);
    expect(more.steps).toBeGreaterThan(less.steps ?? Number.NaN);
  });

  test('a table, for each column and each object', async () => {
    const readTable = async () => {
      budgets.length = 0;
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
      expect((await api.call('GET', CONFIG_MAPS, undefined, { accept })).code).toBe(200);
      return budgets[0]?.spent.steps ?? Number.NaN;
    };
    const empty = await readTable();
    for (const name of ['a', 'b']) await api.call('POST', CONFIG_MAPS, configMap(name));
    expect(await readTable()).toBeGreaterThan(empty);
  });
});

describe('a request that exhausts its budget', () => {
  test.each<[what: string, limits: object, message: string]>([
    ['of steps', { maxSteps: 20 }, '20 steps of work'],
    ['of bytes', { maxBytes: 20 }, '20 bytes kept'],
  ])('%s is refused with one Status', async (_, given, message) => {
    limits = given;
    const { code, body } = await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web'));
    expect([code, body]).toEqual([
      413,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Request entity too large: limit is ${message} for one request`,
        reason: 'RequestEntityTooLarge',
        code: 413,
      },
    ]);
    expect(api.errors).toEqual([]);
    limits = {};
    const { body: list } = await api.call('GET', '/apis/apps/v1/namespaces/default/deployments');
    expect(list.items).toEqual([]);
  });

  test.each(['validation', 'the patch'])('in the midst of %s leaves the stored object alone', async (what) => {
    await api.call('POST', CONFIG_MAPS, configMap('kept', { data: { a: '1' } }));
    const sent = ['PATCH', `${CONFIG_MAPS}/kept`, { data: { a: '2' } }, 'application/merge-patch+json'] as const;
    const { steps = 0 } = await take('PATCH', `${CONFIG_MAPS}/kept?dryRun=All`, sent[2], sent[3]);
    limits = {
      maxSteps: { validation: steps - 1, 'the patch': Math.floor(steps / 2) }[what] ?? 0,
    };
    expect(await take(...sent)).toMatchObject({ code: 413 });
    limits = {};
    const { body } = await api.call('GET', `${CONFIG_MAPS}/kept`);
    expect(body.data).toEqual({ a: '1' });
  });
});

describe('a list is never refused for being long', () => {
  /** Far more than the budget without what the objects add. */
  const OBJECTS = 300;
  const conditions = (count: number) => Array.from({ length: count }, (_, index) => `!k${index}`).join();
  const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`).join();

  beforeEach(async () => {
    for (let at = 0; at < OBJECTS; at += 1) await api.call('POST', CONFIG_MAPS, configMap(`o${at}`));
    limits = { maxSteps: 1_000 };
  });

  test.each<[what: string, query: Record<string, string>]>([
    ['conditions on labels', { labelSelector: conditions(150) }],
    ['values of a label', { labelSelector: `k notin (${values(4_000)})` }],
    ['fields', { fieldSelector: 'metadata.name!=a,metadata.name!=b,metadata.namespace!=c,metadata.name!=d' }],
  ])('with many %s', async (_, query) => {
    const { code, body } = await api.call('GET', `${CONFIG_MAPS}?${String(new URLSearchParams(query))}`);
    expect([code, body.items?.length]).toEqual([200, OBJECTS]);
  });

  test('but for what it asks of each object', async () => {
    const answer = await take('GET', `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(conditions(1_000))}`);
    expect(answer).toMatchObject({ code: 413, message: expect.stringContaining('steps of work for one request') });
  });
});
