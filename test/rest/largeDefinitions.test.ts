import { beforeEach, expect, test } from 'vitest';
import { largeDefinition } from '../support/largeDefinition.ts';
import { type Api, startApi } from './startApi.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ONE = `${DEFINITIONS}/engines.large.example.com`;

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

/** It has 26,000 values: more than an object of any other kind may have. */
const definition = () => largeDefinition(1_500_000);
const applied = () =>
  api.call('PATCH', `${ONE}?fieldManager=test`, definition(), { 'content-type': 'application/apply-patch+yaml' });

test('a definition of 1.5 MB is applied, replaced and patched', async () => {
  expect(await applied()).toMatchObject({ code: 201 });
  expect(await applied()).toMatchObject({ code: 200 });
  const { body } = await api.call('GET', ONE);
  body.metadata.labels = { replaced: 'yes' };
  expect(await api.call('PUT', ONE, body)).toMatchObject({
    code: 200,
    body: { metadata: { labels: { replaced: 'yes' } } },
  });
  const patch = { metadata: { labels: { patched: 'yes' } } };
  const type = { 'content-type': 'application/merge-patch+json' };
  expect(await api.call('PATCH', ONE, patch, type)).toMatchObject({ code: 200 });
  const read = await api.call('GET', ONE);
  expect(read.body.metadata.labels).toEqual({ replaced: 'yes', patched: 'yes' });
  expect(Object.keys(read.body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties)).toHaveLength(
    Object.keys(body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties).length,
  );
});
