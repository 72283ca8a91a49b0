import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { deploymentOf, replicaSetOf } from '../../support/deploymentFixtures.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { FirstSizes } from './FirstSizes.ts';
import { Specs } from './Specs.ts';

const SYNC_BEGAN_MS = 500;

/** Judges the creation of a ReplicaSet by a sync of the Deployment that began after everything else had been written. */
function judgeCreation(deployment: Deployment, others: readonly ReplicaSet[], created: ReplicaSet): string | undefined {
  const specs = new Specs();
  const check = new FirstSizes(specs);
  const trail = new SyncTrail(
    { controller: 'deployment', namespace: 'default', name: 'web' },
    SYNC_BEGAN_MS,
    undefined,
  );
  trail.subject = deployment;
  const write = (resource: string, after: KubernetesObject, order: number, isJudged: boolean) => {
    const change = { resource, version: order, type: 'ADDED', after } as const;
    const by = isJudged ? { writer: 'deployment', trail } : { writer: 'client', trail: undefined };
    const audited = { ...by, change, order } as const;
    specs.onWrite(audited);
    return check.onWrite(audited, order * 100);
  };
  write('deployments.apps', deployment, 1, false);
  for (const [index, other] of others.entries()) write('replicasets.apps', other, index + 2, false);
  return write('replicasets.apps', created, 10, true);
}

const nine = deploymentOf({ replicas: 7, maxSurge: 2, maxUnavailable: 1 });
const recreate = deploymentOf({ replicas: 7, strategy: { type: 'Recreate' } });
const strange = replicaSetOf('strange', { replicas: 9, metadata: { ownerReferences: [] } });

test.each<[string, Deployment, readonly ReplicaSet[], number, string | undefined]>([
  ['has all that may be added', nine, [replicaSetOf('old', { replicas: 4 })], 5, undefined],
  ['has too few', nine, [replicaSetOf('old', { replicas: 4 })], 4, 'created with 4 replicas, but has room for 5'],
  [
    'has none, though the others were made smaller',
    nine,
    [replicaSetOf('old', { replicas: 2, current: 4 })],
    0,
    'room for 5',
  ],
  ['has none where there is no room', nine, [replicaSetOf('old', { replicas: 9 })], 0, undefined],
  [
    'has none because of pods that are still to be deleted',
    nine,
    [replicaSetOf('old', { replicas: 2, current: 9 })],
    0,
    undefined,
  ],
  ['has too few beside a replica set of somebody else', nine, [strange], 6, 'room for 7'],
  ['has no more than the Deployment wants', nine, [], 7, undefined],
  ['has none in a Recreate', recreate, [], 0, undefined],
])('a new replica set that %s', (_, deployment, others, replicas, rule) => {
  const broken = judgeCreation(deployment, others, replicaSetOf('new', { replicas }));
  if (rule === undefined) expect(broken).toBeUndefined();
  else expect(broken).toContain(rule);
});
