import * as fc from '../support/seededFastCheck.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { deployments, replicaSets, spoiled } from '../support/arbitraries.ts';
import { type Answer, type Api, configMap, deployment, startApi } from '../rest/startApi.ts';
import { hostileJson, hostileValues, hostileYaml } from './hostileValues.ts';

/** `FUZZ_RUNS` multiplies the number of runs. fast-check reports the seed that replays a failure. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1);
const settings = (numRuns: number) => ({ numRuns: numRuns * RUNS });

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const KEPT = `${CONFIG_MAPS}/kept`;

let api: Api;
let kept: Answer;
beforeAll(async () => {
  api = await startApi();
  await api.call('POST', DEPLOYMENTS, deployment('web'));
  kept = await api.call('POST', CONFIG_MAPS, configMap('kept', { data: { a: '1' } }));
});

/** True for the refusals to which Kubernetes gives the code 500 and no reason. A failure of the server has a reason, and is logged. */
function isRefusal({ code, body }: Answer): boolean {
  return code === 500 && typeof body === 'object' && body.reason === undefined;
}

/** Checks that an answer is no server error, reveals no internals, and is a Status if it is an error. */
async function expectSoundAnswer(answer: Answer, what: unknown): Promise<void> {
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  expect(
    [answer.code < 500 || isRefusal(answer), api.errors],
    `${JSON.stringify(what)?.slice(0, 2_000)}\n${text.slice(0, 500)}`,
  ).toEqual([true, []]);
  expect(text).not.toMatch(/\n\s+at |\.ts:\d|node_modules|\[object Object\]|TypeError|RangeError/);
  if (answer.code >= 400 && typeof answer.body === 'object') {
    expect(answer.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: answer.code });
    expect(answer.body.message).toEqual(expect.any(String));
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

async function expectKeptUnchanged(): Promise<void> {
  expect((await api.call('GET', KEPT)).body).toEqual(kept.body);
}

const encoded = fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent);
const segment = fc.oneof(
  fc.constantFrom('api', 'apis', 'v1', 'apps', 'namespaces', 'default', 'other', 'pods', 'deployments', 'configmaps'),
  fc.constantFrom('web', 'one', 'status', 'scale', 'log', 'eviction', 'watch', 'events', 'events.k8s.io', 'extensions'),
  fc.constantFrom(
    'v1beta1',
    'openapi',
    'v2',
    'v3',
    'metrics',
    'version',
    '',
    '.',
    '%2e',
    '%00',
    '__proto__',
    'constructor',
  ),
  encoded,
);
const PARAMETERS = [
  'watch',
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'pretty',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'includeObject',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'hash',
  'force',
  'verbose',
  'exclude',
];
const query = fc.dictionary(
  fc.constantFrom(...PARAMETERS),
  fc.oneof(fc.constantFrom('', '0', '1', '-1', 'true', 'All', 'Strict', '1e9', 'null', 'a=b', 'a in (', '!!'), encoded),
  { maxKeys: 3 },
);
const paths = fc
  .tuple(fc.array(segment, { maxLength: 7 }), query)
  // No watches: they would not end by themselves.
  .map(
    ([parts, asked]) =>
      `/${parts.join('/')}?${new URLSearchParams({ ...asked, timeoutSeconds: '1', watch: 'false' }).toString()}`,
  )
  .filter((path) => !path.includes('/watch/') && !path.startsWith('//'));
const mediaTypes = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table',
  '',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  '*/*',
  'application/apply-patch+yaml',
  'text/html',
  ';;;=',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'a/b;q=9',
);
const bodies = fc.oneof(
  hostileJson,
  hostileYaml,
  hostileValues.map((value) => JSON.stringify(value)),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
);

describe('random requests', () => {
  test('any method, path, query, media type and body gets an answer without a server error', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW');
    const request = fc.tuple(method, paths, mediaTypes, mediaTypes, bodies);
    await fc.assert(
      fc.asyncProperty(request, async ([verb, path, contentType, accept, body]) => {
        if (path.includes('kept')) return;
        const hasBody = verb !== 'GET' && verb !== 'HEAD';
        const headers = { 'content-type': contentType, accept };
        await expectSoundAnswer(await api.call(verb, path, hasBody ? body : undefined, headers), [
          verb,
          path,
          headers,
          body,
        ]);
      }),
      settings(700),
    );
    await expectKeptUnchanged();
  });
});

describe('random bodies', () => {
  const kinds = [
    'pods',
    'configmaps',
    'secrets',
    'services',
    'events',
    'resourcequotas',
    'limitranges',
    'serviceaccounts',
  ];
  const collections = [
    ...[...kinds, 'replicationcontrollers', 'endpoints'].map((kind) => `/api/v1/namespaces/default/${kind}`),
    '/apis/apps/v1/namespaces/default/deployments',
    '/apis/apps/v1/namespaces/default/replicasets',
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/api/v1/namespaces',
    '/api/v1/nodes',
  ];

  test('a hostile text as a body gets an answer without a server error', async () => {
    const types = { 'application/json': hostileJson, 'application/yaml': hostileYaml };
    for (const [contentType, texts] of Object.entries(types)) {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...collections), texts, async (path, text) => {
          await expectSoundAnswer(await api.call('POST', path, text, { 'content-type': contentType }), [path, text]);
        }),
        settings(60),
      );
    }
    await expectKeptUnchanged();
  });

  test('random bytes as a body get an answer without a server error', async () => {
    const valid = new TextEncoder().encode(JSON.stringify(deployment('bytes')));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((tail) => Uint8Array.from([0x6b, 0x38, 0x73, 0, ...tail])),
      fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, byte]) => valid.with(at, byte)),
      fc.nat(valid.length).map((length) => valid.slice(0, length)),
    );
    const types = fc.constantFrom('application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf');
    await fc.assert(
      fc.asyncProperty(bytes, types, async (body, type) => {
        const request = new Request(`http://127.0.0.1${DEPLOYMENTS}?dryRun=All`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        const response = await api.app.fetch(request);
        await expectSoundAnswer({ code: response.status, headers: response.headers, body: await response.json() }, [
          type,
          [...body],
        ]);
      }),
      settings(400),
    );
  });

  test('a workload with random values is refused, or accepted and then readable in every form', async () => {
    const workloads = fc.oneof(spoiled(deployments('apps/v1')), spoiled(replicaSets('apps/v1')));
    await fc.assert(
      fc.asyncProperty(workloads, fc.constantFrom('', '?fieldValidation=Strict'), async (object, validation) => {
        const collection = `/apis/apps/v1/namespaces/default/${object.kind.toLowerCase()}s`;
        const { namespace: _, ...metadata } = object.metadata;
        const created = await api.call('POST', `${collection}${validation}`, { ...object, metadata });
        await expectSoundAnswer(created, object);
        if (created.code !== 201) return;
        const path = `${collection}/${created.body.metadata.name}`;
        expect((await api.call('GET', path)).body).toEqual(created.body);
        for (const accept of ['application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
          await expectSoundAnswer(await api.call('GET', path, undefined, { accept }), object);
        }
        await expectSoundAnswer(await api.call('PUT', path, created.body), object);
        expect((await api.call('DELETE', path)).code).toBe(200);
      }),
      settings(200),
    );
    await expectKeptUnchanged();
  });

  test('an object of any kind with hostile values gets an answer without a server error', async () => {
    const fields = [
      'spec',
      'status',
      'data',
      'metadata',
      'rules',
      'type',
      'involvedObject',
      'subsets',
      'secrets',
      'kind',
    ];
    const objects = fc.dictionary(fc.constantFrom(...fields), hostileValues, { minKeys: 1, maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...collections), objects, async (path, parts) => {
        const body = { metadata: { generateName: 'fuzz-' }, ...parts };
        await expectSoundAnswer(await api.call('POST', path, body), [path, body]);
      }),
      settings(400),
    );
  });
});

describe('random patches', () => {
  const TYPES = [
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/json-patch+json',
  ];
  const places = [
    'spec',
    'replicas',
    'template',
    'metadata',
    'containers',
    '0',
    '-',
    'labels',
    'a~1b',
    '__proto__',
    '',
  ];
  const pointers = fc
    .array(fc.constantFrom(...places), { maxLength: 5 })
    .map((parts) => parts.map((part) => `/${part}`).join(''));
  const operations = fc.array(
    fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'nonsense'),
        path: pointers,
        from: pointers,
        value: hostileValues,
      },
      { requiredKeys: ['op'] },
    ),
    { maxLength: 4 },
  );
  const nested = fc.letrec<{ patch: unknown }>((tie) => ({
    patch: fc.oneof(
      { depthSize: 'small' },
      hostileValues,
      fc.dictionary(
        fc.constantFrom(...places, '$patch', '$retainKeys', 'image', 'name', 'env', 'ports'),
        tie('patch'),
        { maxKeys: 3 },
      ),
      fc.array(tie('patch'), { maxLength: 2 }),
    ),
  })).patch;

  test('a patch of any type and content is applied or refused', async () => {
    const cases = fc.tuple(fc.constantFrom(...TYPES), fc.oneof(operations, nested, hostileValues));
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom('', '/status', '/scale'), async ([type, patch], subresource) => {
        const path = `${DEPLOYMENTS}/web${subresource}`;
        await expectSoundAnswer(await api.call('PATCH', path, JSON.stringify(patch) ?? '', { 'content-type': type }), [
          type,
          patch,
        ]);
      }),
      settings(700),
    );
    expect((await api.call('GET', `${DEPLOYMENTS}/web`)).body).toMatchObject({
      kind: 'Deployment',
      metadata: { name: 'web' },
    });
  });

  test('a patch in a hostile text is applied or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TYPES), hostileJson, async (type, text) => {
        await expectSoundAnswer(await api.call('PATCH', `${DEPLOYMENTS}/web`, text, { 'content-type': type }), [
          type,
          text,
        ]);
      }),
      settings(120),
    );
  });
});
