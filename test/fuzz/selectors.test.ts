import * as fc from '../support/seededFastCheck.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, configMap, deployment, startApi } from '../rest/startApi.ts';
import { threadCpuMs } from './growth/threadCpuMs.ts';

/** A bound on the processor time of this thread: more than linear parsing needs, and far less than quadratic parsing would. */
const BOUND_MS = 1_000;

const COUNT = 50_000;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  const metadata = { name: 'one', labels: { app: 'web' } };
  await api.call('POST', CONFIG_MAPS, configMap('one', { metadata }));
});

async function boundedCall(...request: Parameters<Api['call']>): Promise<number> {
  const begunMs = threadCpuMs();
  const { code } = await api.call(...request);
  expect(threadCpuMs() - begunMs).toBeLessThan(BOUND_MS);
  expect(code).toBeLessThan(500);
  expect(api.errors).toEqual([]);
  return code;
}

describe('the time to answer a huge selector grows at most linearly with its size', () => {
  const labelSelectors = {
    'many requirements': Array.from({ length: COUNT }, (_, at) => `key${at}=value`).join(),
    'one requirement, many values': `app in (${Array.from({ length: COUNT }, (_, at) => `v${at}`).join()})`,
    'the same requirement again and again': 'app=web,'.repeat(COUNT).slice(0, -1),
    'nothing but commas': ','.repeat(COUNT),
    'nothing but parentheses': '('.repeat(COUNT),
    'nothing but bangs': '!'.repeat(COUNT),
    'nothing but blanks': ' '.repeat(COUNT),
    'one endless key': 'a'.repeat(COUNT),
    'one endless prefix': `${'a.'.repeat(COUNT)}b/c`,
    'dashes that never end a word': `a${'-'.repeat(COUNT)}=b`,
    slashes: '/'.repeat(COUNT),
  };
  test.each(Object.entries(labelSelectors))('label selector: %s', async (_, selector) => {
    await boundedCall('GET', `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`);
  });

  const fieldSelectors = {
    'many requirements': 'metadata.name=one,'.repeat(COUNT).slice(0, -1),
    'nothing but escapes': '\\'.repeat(COUNT),
    'nothing but equal signs': '='.repeat(COUNT),
    'no operator': 'a'.repeat(COUNT),
    bangs: '!'.repeat(COUNT),
  };
  test.each(Object.entries(fieldSelectors))('field selector: %s', async (_, selector) => {
    await boundedCall('GET', `${CONFIG_MAPS}?fieldSelector=${encodeURIComponent(selector)}`);
  });
});

describe('the time to validate a huge object grows at most linearly with its size', () => {
  const big = (change: (object: ReturnType<typeof draft>) => void) => {
    const object = draft();
    change(object);
    return object;
  };
  const draft = () =>
    deployment('big') as {
      metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
      spec: {
        selector: object;
        strategy?: object;
        template: { spec: { containers: Record<string, unknown>[]; tolerations?: object[] } };
      };
    };
  const parts = {
    'a name': big(({ metadata }) => (metadata.name = `a${'-'.repeat(COUNT)}!`)),
    'a name of dots': big(({ metadata }) => (metadata.name = `${'a.'.repeat(COUNT)}!`)),
    labels: big(({ metadata }) => (metadata.labels = wide((at) => [`key-${at}`, 'value'], 10_000))),
    'a label': big(({ metadata }) => (metadata.labels = { app: `a${'-_.'.repeat(COUNT)}` })),
    'an image': big(
      ({ spec }) => (spec.template.spec.containers = [{ name: 'web', image: `a${':/@'.repeat(COUNT)}` }]),
    ),
    'a quantity': big(({ spec }) => {
      spec.template.spec.containers = [{ name: 'web', image: 'a', resources: { limits: { cpu: '1'.repeat(COUNT) } } }];
    }),
    'an exponent': big(({ spec }) => {
      spec.template.spec.containers = [{ name: 'web', image: 'a', resources: { limits: { cpu: '1e999999999' } } }];
    }),
    environment: big(({ spec }) => {
      const env = Array.from({ length: 10_000 }, (_, at) => ({ name: `N${at}`, value: `$(N${at - 1})` }));
      spec.template.spec.containers = [{ name: 'web', image: 'a', env }];
    }),
    ports: big(({ spec }) => {
      const ports = Array.from({ length: 10_000 }, (_, at) => ({ containerPort: at + 1 }));
      spec.template.spec.containers = [{ name: 'web', image: 'a', ports }];
    }),
    containers: big(({ spec }) => {
      spec.template.spec.containers = Array.from({ length: 2_000 }, (_, at) => ({ name: `c${at}`, image: 'a' }));
    }),
    'a selector': big(({ spec }) => {
      const values = Array.from({ length: 20_000 }, (_, at) => `v${at}`);
      spec.selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['big', ...values] }] };
    }),
    'a percentage': big(({ spec }) => (spec.strategy = { rollingUpdate: { maxSurge: `${'9'.repeat(COUNT)}%` } })),
  };
  test.each(Object.entries(parts))('object with a huge part: %s', async (_, object) => {
    await boundedCall('POST', '/apis/apps/v1/namespaces/default/deployments?dryRun=All', object);
  });

  test('a patch that merges one long list into another is applied in time', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await api.call('POST', path, deployment('merged'));
    const env = Array.from({ length: 8_000 }, (_, at) => ({ name: `N${at}`, value: `${at}` }));
    const patch = { spec: { template: { spec: { containers: [{ name: 'web', env }] } } } };
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    expect(await boundedCall('PATCH', `${path}/merged`, patch, headers)).toBe(200);
    expect(await boundedCall('PATCH', `${path}/merged`, patch, headers)).toBe(200);
  });
});

test('any text is a valid selector or a bad request, with the same answer for lists and watches', async () => {
  const word = fc.constantFrom(
    'app',
    'web',
    'in',
    'notin',
    'a/b',
    'x y',
    '',
    '\u0000',
    '=',
    '==',
    '!=',
    '!',
    '(',
    ')',
    ',',
    '>',
    '<',
    '1',
  );
  const texts = fc.oneof(
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('labelSelector', 'fieldSelector'), async (text, parameter) => {
      const query = `${parameter}=${encodeURIComponent(text)}`;
      const listed = await api.call('GET', `${CONFIG_MAPS}?${query}`);
      expect([200, 400]).toContain(listed.code);
      const watched = await api.app.request(`http://127.0.0.1${CONFIG_MAPS}?watch=1&${query}`);
      expect(watched.status).toBe(listed.code);
      await watched.body?.cancel();
    }),
    { numRuns: 150 },
  );
  expect(api.errors).toEqual([]);
});

function wide(entry: (at: number) => [string, string], count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
}
