import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { describe, expect, it } from 'vitest';
import { decideNodeHealth } from '../../../lambdas/controllers/nodelifecycle/decideNodeHealth.ts';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const agoSeconds = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: agoSeconds(300) };

function nodeOf(conditions: readonly object[], createdAgo = 3_000): Node {
  return {
    metadata: { name: 'n', creationTimestamp: agoSeconds(createdAgo) },
    status: { conditions },
  } as unknown as Node;
}

/** A lease whose renewal the API server stored so long ago, though the node's own clock may say something else. */
function leaseOf(storedAgo: number | undefined, renewedAgo: number): Stored<Lease> {
  const managedFields = storedAgo === undefined ? undefined : [{ manager: 'kubelet', time: agoSeconds(storedAgo) }];
  return {
    metadata: { name: 'n', managedFields },
    spec: { renewTime: agoSeconds(renewedAgo) },
  } as unknown as Stored<Lease>;
}

describe('a node with a kubelet', () => {
  it.each([
    ['whose lease was renewed 10 s ago', nodeOf([ready]), leaseOf(10, 10), 30_001],
    ['whose lease was renewed 40 s ago', nodeOf([ready]), leaseOf(40, 40), 1],
    ['whose clock is an hour behind', nodeOf([ready]), leaseOf(10, 3_600), 30_001],
    ['whose lease names no time of the API server', nodeOf([ready]), leaseOf(undefined, 15), 25_001],
    ['whose lease is ahead of a clock that was set back', nodeOf([ready]), leaseOf(-500, -500), 40_001],
    [
      'that reported its status a moment ago',
      nodeOf([{ ...ready, lastHeartbeatTime: agoSeconds(1) }]),
      undefined,
      39_001,
    ],
    ['that has registered and not reported its status yet', nodeOf([], 50), undefined, 10_001],
  ])('is alive, %s', (_, node, lease, staleInMs) => {
    expect(decideNodeHealth(node, lease, NOW)).toEqual({ health: 'alive', staleInMs });
  });

  it.each([
    ['after 40 s without a renewal', nodeOf([ready]), leaseOf(41, 41)],
    ['without a lease and with an old status', nodeOf([ready]), undefined],
  ])('is silent %s: its conditions are unknown', (_, node, lease) => {
    const health = decideNodeHealth(node, lease, NOW);
    const lastTransitionTime = '2026-01-01T01:00:00Z';
    const never = { status: 'Unknown', reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' };
    expect(health).toMatchObject({
      health: 'silent',
      conditions: [
        {
          type: 'Ready',
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastHeartbeatTime: ready.lastHeartbeatTime,
          lastTransitionTime,
        },
        { type: 'MemoryPressure', ...never, lastTransitionTime },
        { type: 'DiskPressure', ...never, lastTransitionTime },
        { type: 'PIDPressure', ...never, lastTransitionTime },
      ],
    });
  });

  it('keeps conditions that are unknown already, and those that no kubelet reports', () => {
    const unknown = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
      type,
      status: 'Unknown',
    }));
    const conditions = [...unknown, { type: 'NetworkUnavailable', status: 'False' }];
    const health = decideNodeHealth(nodeOf(conditions), undefined, NOW);
    expect(health).toEqual({ health: 'silent', conditions });
  });
});
