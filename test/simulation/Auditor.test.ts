import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import { deploymentOf, podOf, replicaSetOf } from '../support/deploymentFixtures.ts';
import { Auditor } from './Auditor.ts';
import { SyncTrail } from './SyncTrail.ts';
import { World } from './World.ts';

const BEGIN = '2026-01-01T00:00:00Z';
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: BEGIN }] };

/** The auditor and the world that it judges, with one thing after the other, ten seconds apart. */
class AuditBench {
  readonly #world = new World();
  readonly #auditor: Auditor;
  #version = 0;
  #nowMs = Date.parse(BEGIN);

  constructor(nodesRememberMs = 0) {
    this.#auditor = new Auditor(this.#world, nodesRememberMs);
  }

  /** Somebody writes the object: a controller in a sync of `subject`, or a user. Returns the rule that this breaks. */
  write(
    resource: GroupResource,
    after: KubernetesObject,
    by?: ControllerName,
    subject?: KubernetesObject,
    trail = by && subject && this.#sync(by, subject),
  ): string | undefined {
    this.#version += 1;
    const before = this.#world.byUid(after.metadata.uid);
    const place = { resource, version: this.#version, after };
    const change: Change = before ? { ...place, type: 'MODIFIED', before } : { ...place, type: 'ADDED' };
    this.#world.apply(change);
    return this.#auditor.onWrite({ writer: by ?? 'client', trail, change, order: this.#version }, this.#nowMs);
  }

  /** A sync of the ReplicaSet ends without a write. */
  endSync(subject: ReplicaSet, hasSettled: boolean): void {
    this.#auditor.onSyncEnd(this.#sync('replicaset', subject), hasSettled, this.#nowMs);
  }

  /** A sync of the ReplicaSet records that it is going to delete the pod, and stalls. */
  planDelete(subject: ReplicaSet, { metadata: { name, uid } }: Pod): SyncTrail {
    const trail = this.begin(subject);
    this.#auditor.onIntent(trail, { id: 'i', ownerUid: subject.metadata.uid, count: 0, deletes: [{ name, uid }] });
    return trail;
  }

  /** A sync of the ReplicaSet begins. */
  begin(subject: ReplicaSet): SyncTrail {
    return this.#sync('replicaset', subject);
  }

  #sync(controller: ControllerName, subject: KubernetesObject): SyncTrail {
    this.#nowMs += 10_000;
    const { namespace = '', name } = subject.metadata;
    const trail = new SyncTrail({ controller, namespace, name }, this.#nowMs - 500, undefined);
    trail.subject = subject;
    return trail;
  }
}

/**
 * Two pods became ready after the last status of their ReplicaSet was written. Another sync of it ends, then the Deployment takes away all its replicas, and lets pods be available as soon as they are ready. Returns what
 * the first delete breaks.
 */
function deletesAfterSyncThat(hasSettled: boolean, minReadySeconds = 0): string | undefined {
  const bench = new AuditBench();
  const deployment = deploymentOf({ replicas: 2, maxSurge: 2, maxUnavailable: 0 });
  bench.write('deployments.apps', deployment);
  const sized = replicaSetOf('old', { replicas: 2, spec: { minReadySeconds } });
  bench.write('replicasets.apps', sized, 'deployment', deployment);
  const labels = sized.metadata.labels ?? {};
  const pods = [1, 2].map((number) => podOf('old', 'Pending', { name: `old-${number}`, uid: `uid-${number}`, labels }));
  for (const pod of pods) expect(bench.write('pods', pod, 'replicaset', sized)).toBeUndefined();
  bench.write('replicasets.apps', sized, 'replicaset', sized);
  const ready = pods.map((pod) => ({ ...pod, status: READY }));
  for (const pod of ready) bench.write('pods', pod, 'pod', pod);
  bench.endSync(sized, hasSettled);
  const emptied = replicaSetOf('old', { replicas: 0, generation: 2 });
  bench.write('replicasets.apps', emptied, 'deployment', deployment);
  const [victim] = ready as [Pod];
  const deleted = { ...victim, metadata: { ...victim.metadata, deletionTimestamp: BEGIN } };
  return bench.write('pods', deleted, 'replicaset', emptied);
}

describe('a Deployment may take away available pods of which no status has told:', () => {
  test('a sync that left something unfinished has perhaps not written its status', () => {
    expect(deletesAfterSyncThat(false)).toBeUndefined();
  });

  test('one that ended well has, and then as many stay as the floor asks for', () => {
    expect(deletesAfterSyncThat(true)).toMatch(/old-1 was needed: 1 available pods .*, at least 2 of 2 must stay/);
  });

  test('one that ended well has told of none where pods had to be ready for longer then', () => {
    expect(deletesAfterSyncThat(true, 1000)).toBeUndefined();
  });
});

/**
 * One sync of a ReplicaSet deletes its available pod and then writes its status. After that the Deployment makes another ReplicaSet smaller, of which two pods are available when one of them is deleted. Returns what the
 * delete breaks. The floor is 2.
 */
function deletesAfterStatusOfADelete(toldAfterDelete: boolean): string | undefined {
  const bench = new AuditBench();
  const deployment = deploymentOf({ replicas: 2, maxSurge: 2, maxUnavailable: 0 });
  bench.write('deployments.apps', deployment);
  const [shrunk, other] = ['shrunk', 'other'].map((name) => replicaSetOf(name, { replicas: 2 })) as [
    ReplicaSet,
    ReplicaSet,
  ];
  const pods = [shrunk, other].map((owner) => {
    const { name, labels = {} } = owner.metadata;
    bench.write('replicasets.apps', owner, 'deployment', deployment);
    const [ready, unready] = [1, 2].map((number) =>
      podOf(name, 'Pending', { name: `${name}-${number}`, uid: `${name}-${number}`, labels }),
    ) as [Pod, Pod];
    for (const pod of [ready, unready]) bench.write('pods', pod, 'replicaset', owner);
    bench.write('pods', { ...ready, status: READY }, 'pod', ready);
    bench.write('replicasets.apps', owner, 'replicaset', owner);
    return { ready: { ...ready, status: READY }, unready };
  });
  const [ofShrunk, ofOther] = pods as [(typeof pods)[0], (typeof pods)[0]];
  const emptied = replicaSetOf('shrunk', { replicas: 0, generation: 2 });
  bench.write('replicasets.apps', emptied);
  const deleting = bench.begin(emptied);
  const toDelete = (pod: Pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: BEGIN } });
  const takeItsPods = () => {
    for (const pod of [ofShrunk.unready, ofShrunk.ready])
      bench.write('pods', toDelete(pod), 'replicaset', emptied, deleting);
  };
  if (toldAfterDelete) takeItsPods();
  bench.write('replicasets.apps', emptied, 'replicaset', emptied, deleting);
  const smaller = replicaSetOf('other', { replicas: 1, generation: 2 });
  bench.write('replicasets.apps', smaller, 'deployment', deployment);
  if (!toldAfterDelete) takeItsPods();
  bench.write('pods', { ...ofOther.unready, status: READY }, 'pod', ofOther.unready);
  return bench.write('pods', toDelete(ofOther.ready), 'replicaset', smaller);
}

describe('how many pods a Deployment could know to be available:', () => {
  test('a pod that a sync deletes is not in the status that the same sync writes afterwards', () => {
    expect(deletesAfterStatusOfADelete(true)).toBeUndefined();
  });

  test('one that is deleted after the status was written is', () => {
    expect(deletesAfterStatusOfADelete(false)).toMatch(/other-1 was needed: 1 available pods .*, at least 2 of 2/);
  });
});

/** A sync plans to delete one of two pods and stalls, another sync of the ReplicaSet ends, and the other pod is lost. Returns what the delete breaks when it lands. */
function deletesAfterAnotherSync(isOwnerDeleted: boolean): string | undefined {
  const bench = new AuditBench();
  const sized = replicaSetOf('old', { replicas: 2 });
  bench.write('replicasets.apps', sized);
  const labels = sized.metadata.labels ?? {};
  const pods = [1, 2].map((number) => podOf('old', 'Pending', { name: `old-${number}`, uid: `uid-${number}`, labels }));
  for (const pod of pods) expect(bench.write('pods', pod, 'replicaset', sized)).toBeUndefined();
  const [victim, other] = pods as [Pod, Pod];
  const smaller = replicaSetOf('old', { replicas: 1, generation: 2 });
  bench.write('replicasets.apps', smaller);
  const stalled = bench.planDelete(smaller, victim);
  const deletion = isOwnerDeleted ? { deletionTimestamp: BEGIN } : {};
  const later = replicaSetOf('old', { replicas: 1, generation: 2, metadata: deletion });
  bench.write('replicasets.apps', later);
  bench.write('pods', { ...other, status: { phase: 'Failed' } });
  bench.endSync(later, true);
  const deleted = { ...victim, metadata: { ...victim.metadata, deletionTimestamp: BEGIN } };
  return bench.write('pods', deleted, 'replicaset', smaller, stalled);
}

describe('a delete that lands after another sync of the ReplicaSet', () => {
  test('is judged by what that sync saw, since it finishes what was recorded', () => {
    expect(deletesAfterAnotherSync(false)).toMatch(/old-1 should have stayed: 0 pods are left .*, which was to have 1/);
  });

  test('is judged by what its own sync saw if the ReplicaSet is being deleted, since then nothing is finished', () => {
    expect(deletesAfterAnotherSync(true)).toBeUndefined();
  });
});

describe('a pod is bound to a node that was cordoned ten seconds ago', () => {
  const binds = (by: ControllerName, nodesRememberMs: number) => {
    const bench = new AuditBench(nodesRememberMs);
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', uid: 'n', resourceVersion: '1', creationTimestamp: BEGIN },
      status: { allocatable: { cpu: '4', pods: '10' } },
    };
    bench.write('nodes', node);
    const pod = podOf('web', 'Pending', { name: 'web-1', uid: 'web-1' });
    bench.write('pods', pod);
    bench.write('nodes', { ...node, spec: { unschedulable: true } });
    return bench.write('pods', { ...pod, spec: { containers: [], nodeName: 'n' } }, by, pod);
  };

  test('by a process that goes by what it listed for longer', () => {
    expect(binds('pod', 10_000)).toBeUndefined();
  });

  test.each<[ControllerName, number]>([
    ['pod', 9_000],
    ['pod', 0],
    ['scheduler', 9_000],
  ])('and not by the %s controller with a memory of %d ms', (by, nodesRememberMs) => {
    expect(binds(by, nodesRememberMs)).toMatch(/to n, whose taint node.kubernetes.io\/unschedulable/);
  });
});
