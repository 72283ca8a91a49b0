import { describe, expect, test } from 'vitest';
import { misfitsOf } from './misfits.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', creationTimestamp: '2026-01-01T00:00:00Z', labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', ports: [{ containerPort: 80, protocol: 'TCP' }] }], nodeName: 'node-1' },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null }] },
};

const withSpec = (spec: object) => ({ ...POD, spec: { ...POD.spec, ...spec } });
const withMeta = (metadata: object) => ({ ...POD, metadata: { ...POD.metadata, ...metadata } });

describe('an answer', () => {
  test.each<[string, unknown]>([
    ['a pod', POD],
    ['a list', { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [POD] }],
    [
      'a table of pods',
      { apiVersion: 'meta.k8s.io/v1', kind: 'Table', metadata: {}, rows: [{ cells: [], object: POD }] },
    ],
    ['a custom object', { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { a: null } }],
    ['options of another group', { apiVersion: 'apps/v1', kind: 'DeleteOptions' }],
    ['the resources of the core group', { kind: 'APIResourceList', groupVersion: 'v1', resources: [] }],
  ])('that is %s fits', (_, body) => {
    expect(misfitsOf(body)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['without its kind', { apiVersion: 'v1' }, 'the body has no apiVersion or no kind'],
    ['with an unknown member', withSpec({ colour: 'red' }), 'Pod.spec.colour is unknown'],
    ['without a required member', withSpec({ containers: [{}] }), 'Pod.spec.containers[0].name is missing'],
    ['with a null that Go never writes', withSpec({ hostname: null }), 'Pod.spec.hostname is null'],
    ['with a number for a text', withSpec({ hostname: 1 }), 'Pod.spec.hostname is 1, which is no string'],
    ['with an object for a list', withSpec({ containers: {} }), 'Pod.spec.containers is no list'],
    ['with too large a number', withSpec({ priority: 2 ** 32 }), 'Pod.spec.priority is 4294967296, which is no int32'],
    ['with a label that is no text', withMeta({ labels: { a: 1 } }), 'Pod.metadata.labels[a] is 1, which is no string'],
    [
      'with an empty time',
      withMeta({ creationTimestamp: '' }),
      'Pod.metadata.creationTimestamp is "", which is no date-time',
    ],
    [
      'with a value of no enumeration',
      withSpec({ restartPolicy: 'Sometimes' }),
      'Pod.spec.restartPolicy is "Sometimes", which is none of Always, OnFailure, Never',
    ],
    [
      'that is a table of wrong objects',
      { apiVersion: 'meta.k8s.io/v1', kind: 'Table', rows: [{ cells: [], object: withMeta({ uid: 1 }) }] },
      'Pod.metadata.uid is 1, which is no string',
    ],
    [
      'that is a custom object with wrong metadata',
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { generation: 'one' } },
      'Widget.metadata.generation is "one", which is no int64',
    ],
  ])('%s does not fit', (_, body, misfit) => {
    expect(misfitsOf(body)).toEqual([misfit]);
  });
});
