import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { eventFromStorage, eventToStorage } from '../../../lambdas/registry/versions/eventVersions.ts';

describe('events in their two APIs', () => {
  const core = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'ns' },
    message: 'Created pod: web',
    reason: 'SuccessfulCreate',
    involvedObject: { kind: 'ReplicaSet', name: 'web' },
    reportingComponent: 'replicaset-controller',
    source: { component: 'replicaset-controller' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:01Z',
    count: 2,
    series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
  };

  it('events.k8s.io has other names for the same fields, and the conversion loses nothing', () => {
    const draft = structuredClone(core) as unknown as KubernetesObject;
    eventFromStorage(draft);
    expect(draft).toMatchObject({
      note: 'Created pod: web',
      regarding: { kind: 'ReplicaSet' },
      reportingController: 'replicaset-controller',
      deprecatedSource: { component: 'replicaset-controller' },
      deprecatedCount: 2,
      series: { count: 2 },
    });
    expect(draft).not.toHaveProperty('message');
    eventToStorage(draft);
    expect(draft).toEqual(core);
  });
});
