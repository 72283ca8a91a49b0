import { describe, expect, test } from 'vitest';
import { clusterMatchers } from '../../../../infra/testCluster/runners/clusterMatchers.ts';

const web = {
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'test-1' },
  spec: { replicas: 2 },
  status: {
    availableReplicas: 1,
    updatedReplicas: 2,
    replicas: 2,
    conditions: [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }],
  },
};

const pulled = {
  type: 'Warning',
  reason: 'Failed',
  message: 'Error: ErrImagePull',
  count: 3,
  lastTimestamp: '2026-01-01T00:00:05Z',
  involvedObject: { kind: 'Pod', name: 'web-1' },
};
const scaled = {
  type: 'Normal',
  reason: 'ScalingReplicaSet',
  message: 'Scaled up',
  firstTimestamp: '2026-01-01T00:00:01Z',
  involvedObject: { kind: 'Deployment', name: 'web' },
};
const cluster = { list: async () => [pulled, scaled] };

describe('a matcher of objects', () => {
  test('says what it expected, and why it is not so', () => {
    const { pass, message } = clusterMatchers.toBeAvailable(web);
    expect([pass, message()]).toEqual([
      false,
      'expected deployment test-1/web to be available, but it is progressing: 1 of 2 replicas are available',
    ]);
  });

  test('says the contrary under not', () => {
    const { pass, message } = clusterMatchers.toBeProgressing(web);
    expect([pass, message()]).toEqual([
      true,
      'expected deployment test-1/web not to be progressing, but it is progressing: 1 of 2 replicas are available',
    ]);
    expect(clusterMatchers.toBeComplete(web).pass).toBe(false);
  });

  test('names the conditions that are there', () => {
    expect(clusterMatchers.toHaveCondition(web, 'Progressing').pass).toBe(true);
    expect(clusterMatchers.toHaveCondition(web, 'Progressing', 'True', 'Other').pass).toBe(false);
    expect(clusterMatchers.toHaveCondition(web, 'Available').message()).toBe(
      'expected deployment test-1/web to have the condition Available with status True; it has Progressing is True (ReplicaSetUpdated)',
    );
  });

  test.each([[undefined], ['deployment/web'], [{}]])('refuses %j', (received) => {
    expect(() => clusterMatchers.toBeAvailable(received)).toThrow(TypeError);
  });
});

describe('toHaveEvent', () => {
  test.each([
    [{}, true],
    [{ on: 'pod/web-1' }, true],
    [{ on: 'Pod/web-1', type: 'Warning', reason: 'Failed', message: 'ErrImage' }, true],
    [{ message: /^Error: \w+$/ }, true],
    [{ message: 'errimage' }, false],
    [{ on: 'deployment/web', type: 'Warning' }, false],
    [{ reason: 'Killing' }, false],
  ] as const)('%j: %j', async (expected, pass) => {
    expect((await clusterMatchers.toHaveEvent(cluster, expected)).pass).toBe(pass);
  });

  test('lists the last events in their order', async () => {
    const { message } = await clusterMatchers.toHaveEvent(cluster, { reason: 'Killing', on: 'pod/web-1' });
    expect(message()).toBe(
      `expected the cluster to have an event with reason Killing, on pod/web-1; the last events are
  2026-01-01T00:00:01Z Normal ScalingReplicaSet deployment/web: Scaled up
  2026-01-01T00:00:05Z Warning Failed pod/web-1: Error: ErrImagePull (3 times)`,
    );
  });

  test('is asked of a cluster', async () => {
    await expect(clusterMatchers.toHaveEvent(web, {})).rejects.toThrow(TypeError);
  });
});
