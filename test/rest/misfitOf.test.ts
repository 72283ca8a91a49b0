import { describe, expect, test } from 'vitest';
import { misfitOf } from '../../lambdas/rest/schema/misfitOf.ts';
import { deployment } from './startApi.ts';

const metadata = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
const { spec } = deployment('web') as { spec: Record<string, unknown> };
const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };

describe('what a stored object has wrong', () => {
  test.each<[string, unknown, string | undefined]>([
    ['nothing', configMap, undefined],
    ['nothing, of a kind with a template', web, undefined],
    [
      'nothing: a time that Go writes as null',
      { ...configMap, metadata: { ...metadata, creationTimestamp: null } },
      undefined,
    ],
    ['nothing: a field of a later release', { ...configMap, later: { a: 1 } }, undefined],
    ['nothing: a custom resource has any fields', { apiVersion: 'a.b/v1', kind: 'C', metadata, spec: 7 }, undefined],
    ['it is a list', [configMap], 'it is no object'],
    ['no name', { ...configMap, metadata: { uid: 'u', resourceVersion: '1' } }, 'metadata.name is not of type string'],
    ['a label', { ...configMap, metadata: { ...metadata, labels: { a: 7 } } }, 'metadata.labels is not of type string'],
    [
      'an owner',
      { ...configMap, metadata: { ...metadata, ownerReferences: [null] } },
      'metadata.ownerReferences is not of type object',
    ],
    ['a map', { ...configMap, data: [] }, 'data is not of type map[string]string'],
    ['a number', { ...web, spec: { ...spec, replicas: '3' } }, 'spec.replicas is not of type int32'],
    ['a fraction', { ...web, spec: { ...spec, replicas: 0.5 } }, 'spec.replicas is not of type int32'],
    ['no template', { ...web, spec: { selector: spec['selector'] } }, 'spec.template is missing'],
    [
      'another selector',
      { ...web, spec: { ...spec, selector: { matchLabels: { a: 'b' } } } },
      'spec.selector does not select the pods of spec.template',
    ],
    ['less than none', { ...web, spec: { ...spec, replicas: -1 } }, 'spec.replicas is negative'],
    [
      'the metadata of a custom resource',
      { apiVersion: 'a.b/v1', kind: 'C', metadata: { ...metadata, finalizers: 7 } },
      'metadata.finalizers is not of type []string',
    ],
  ])('%s', (_, object, why) => {
    expect(misfitOf(object)).toBe(why);
  });
});
