import { describe, expect, test } from 'vitest';
import { statusTracker } from '../../../lambdas/controllers/customresourcedefinition/statusTracker.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';

const NOW = '2026-01-01T00:00:00Z';
const USER = {
  manager: 'kubectl',
  operation: 'Update',
  apiVersion: 'apiextensions.k8s.io/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:group': {} } },
};
const accepted = { type: 'NamesAccepted', status: 'True' };
const established = { type: 'Established', status: 'False', reason: 'Installing' };

function definition(status: object | undefined, managedFields: object[] = [USER]): KubernetesObject {
  const metadata = { name: 'widgets.example.com', managedFields };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, status } as never;
}

function ownersAfter(live: KubernetesObject, status: object) {
  const write = { live, draft: { ...live, status }, given: undefined };
  return statusTracker(Date.parse(NOW)).managedFields(write);
}

describe('the API server owns what it writes in the status of a definition', () => {
  test('names and conditions at first', () => {
    const owners = ownersAfter(definition(undefined), {
      acceptedNames: { plural: 'widgets', shortNames: ['w'] },
      conditions: [accepted],
    });
    expect(owners).toHaveLength(2);
    expect(owners).toContainEqual(USER);
    expect(owners).toContainEqual({
      manager: 'kube-apiserver',
      operation: 'Update',
      subresource: 'status',
      apiVersion: 'apiextensions.k8s.io/v1',
      time: NOW,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:status': {
          'f:acceptedNames': { 'f:plural': {}, 'f:shortNames': {} },
          'f:conditions': { 'k:{"type":"NamesAccepted"}': { '.': {}, 'f:status': {}, 'f:type': {} } },
        },
      },
    });
  });

  test('what changes later, and no more what goes', () => {
    const first = { conditions: [accepted, established] };
    const live = definition(first, [...ownersAfter(definition(undefined), first)]);
    const [own] = ownersAfter(live, { conditions: [accepted, { type: 'Established', status: 'True' }] })
      .filter(({ manager }) => manager === 'kube-apiserver')
      .map(({ fieldsV1 }) => fieldsV1 as { 'f:status': { 'f:conditions': Record<string, object> } });
    expect(own?.['f:status']['f:conditions']['k:{"type":"Established"}']).toEqual({
      '.': {},
      'f:status': {},
      'f:type': {},
    });
  });

  test('nothing of a definition that nobody owns', () => {
    expect(ownersAfter(definition(undefined, []), { conditions: [accepted] })).toEqual([]);
  });
});
