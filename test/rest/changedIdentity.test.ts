import { beforeEach, describe, expect, test } from 'vitest';
import { serveWidgets } from './serveWidgets.ts';
import { type Api, configMap, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const OTHER_UID = '11111111-1111-1111-1111-111111111111';

let api: Api;
beforeEach(async () => {
  api = await startApi();
  await api.call('POST', CONFIG_MAPS, configMap('one'));
  await serveWidgets(api, { type: 'object' });
  await api.call('POST', WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' } });
});

describe('a patch that changes what an object is', () => {
  const built = `${CONFIG_MAPS}/one`;
  const custom = `${WIDGETS}/one`;
  const immutable = `metadata.uid: Invalid value: "${OTHER_UID}": field is immutable`;
  test.each<[string, string, string, unknown, string | RegExp]>([
    [
      'another kind',
      MERGE,
      built,
      { kind: 'Secret' },
      /^ "" is invalid: patch: Invalid value: .*: converting \(v1\.Secret\) to \(core\.ConfigMap\): unknown conversion$/,
    ],
    ['a kind that is not there', MERGE, built, { kind: 'Foo' }, /: no kind "Foo" is registered for version "v1" in /],
    [
      'a version that is not there',
      JSON_PATCH,
      built,
      [{ op: 'replace', path: '/apiVersion', value: 'v2' }],
      /: no kind "ConfigMap" is registered for version "v2" in /,
    ],
    ['another UID', MERGE, built, { metadata: { uid: OTHER_UID } }, `ConfigMap "one" is invalid: ${immutable}`],
    [
      'another UID, by a strategic merge patch',
      STRATEGIC,
      built,
      { metadata: { uid: OTHER_UID } },
      `ConfigMap "one" is invalid: ${immutable}`,
    ],
    [
      'another kind of a custom object',
      MERGE,
      custom,
      { kind: 'Gadget' },
      'Gadget.example.com "one" is invalid: kind: Invalid value: "Gadget": must be Widget',
    ],
    [
      'another version of a custom object',
      MERGE,
      custom,
      { apiVersion: 'example.com/v2' },
      'Widget.example.com "one" is invalid: apiVersion: Invalid value: "example.com/v2": must be example.com/v1',
    ],
  ])('to %s is refused as invalid, and nothing is changed', async (_what, type, path, patch, message) => {
    const before = (await api.call('GET', path)).body;
    const { code, body } = await api.call('PATCH', path, patch, { 'content-type': type });
    expect([code, body.reason]).toEqual([422, 'Invalid']);
    expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect((await api.call('GET', path)).body).toEqual(before);
  });

  test('is taken where it takes the kind, the version or the UID away, since the path and the object say them', async () => {
    for (const patch of [{ kind: null }, { apiVersion: null }, { metadata: { uid: null } }]) {
      const { code, body } = await api.call('PATCH', built, patch, { 'content-type': MERGE });
      expect([code, body.kind, body.apiVersion]).toEqual([200, 'ConfigMap', 'v1']);
    }
  });

  test('is taken as a strategic merge patch, which is applied to the type and so cannot change it', async () => {
    const { code, body } = await api.call('PATCH', built, { kind: 'Secret' }, { 'content-type': STRATEGIC });
    expect([code, body.kind]).toEqual([200, 'ConfigMap']);
  });
});

describe('a replacement', () => {
  test('whose resourceVersion is no number answers 500 in the words of the parser', async () => {
    const body = configMap('one', { metadata: { name: 'one', resourceVersion: 'abc' } });
    const answer = await api.call('PUT', `${CONFIG_MAPS}/one`, body);
    expect([answer.code, answer.body.message]).toEqual([500, 'strconv.ParseUint: parsing "abc": invalid syntax']);
  });

  test('whose resourceVersion is 0 is unconditional', async () => {
    const body = configMap('one', { metadata: { name: 'one', resourceVersion: '0' } });
    expect((await api.call('PUT', `${CONFIG_MAPS}/one`, body)).code).toBe(200);
  });
});
