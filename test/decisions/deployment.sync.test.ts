import { beforeEach, describe, expect, test } from 'vitest';
import { DeploymentBench, revisionOf, templateWith } from '../support/DeploymentBench.ts';

let bench: DeploymentBench;

beforeEach(async () => {
  bench = new DeploymentBench();
  await bench.furnish();
});

describe('a rolling update', () => {
  test('a new deployment gets a replica set with all its replicas, and is told complete', async () => {
    await bench.deploy({ replicas: 3 });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 3']);
    const { status, metadata } = await bench.deployment();
    expect(status).toMatchObject({ observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    expect(status?.unavailableReplicas).toBeUndefined();
    expect(metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
    expect(await bench.conditions()).toEqual([
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    expect(bench.told()).toEqual([
      expect.stringMatching(/^ScalingReplicaSet: Scaled up replica set web-\w+ from 0 to 3$/),
    ]);
  });

  test('a new image rolls over to a second replica set step by step and keeps the first as history', async () => {
    await bench.deploy({ replicas: 10 });
    await bench.change({ template: templateWith('nginx:2') });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 10']);
    const told = bench.told().map((text) => text.replace(/web-\w+/, 'rs'));
    expect(told.slice(1, 3)).toEqual([
      'ScalingReplicaSet: Scaled up replica set rs from 0 to 3',
      'ScalingReplicaSet: Scaled down replica set rs from 10 to 8',
    ]);
    expect(revisionOf(await bench.deployment())).toBe('2');
    expect(await bench.pods()).toHaveLength(10);
  });
});
