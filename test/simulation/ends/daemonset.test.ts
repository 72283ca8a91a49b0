import { expect, test } from 'vitest';
import { REVISION_HASH_LABEL } from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import { templatePatch } from '../../../lambdas/controllers/history/templatePatch.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../../lambdas/objects/ObjectKey.ts';
import { storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';
import { World } from '../World.ts';
import { unfinishedDaemonSet } from './daemonset.ts';

const TAINTS = [{ key: 'repelling', effect: 'NoSchedule' }];

/** A DaemonSet that should run on so many nodes and does so, with its newest revision, these nodes and these pods. */
function worldOf(rollingUpdate: object, desired: number, nodes: readonly Node[], pods: readonly Pod[]): World {
  const stored = storedDaemonSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
  const counts = {
    desiredNumberScheduled: desired,
    currentNumberScheduled: desired,
    numberReady: desired,
    numberAvailable: desired,
  };
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: stored.metadata.uid, controller: true };
  const owned = <T extends KubernetesObject>(object: T) => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [owner] },
  });
  const template = stored.spec?.template;
  if (!template) throw new Error('the fixture has no template');
  const revision = {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { ...stored.metadata, name: 'r', uid: 'r', labels: { [REVISION_HASH_LABEL]: 'new' } },
    data: templatePatch(template),
    revision: 1,
  };
  const objects: readonly (readonly [GroupResource, KubernetesObject])[] = [
    ['daemonsets.apps', { ...stored, status: { observedGeneration: 1, ...counts } }],
    ['controllerrevisions.apps', owned(revision)],
    ...nodes.map((node) => ['nodes', node] as const),
    ...pods.map((pod) => ['pods', owned(pod)] as const),
  ];
  const world = new World();
  for (const [version, [resource, after]] of objects.entries())
    world.apply({ type: 'ADDED', resource, version, after });
  return world;
}

test.each<[string, object, boolean, boolean, boolean]>([
  ['an old pod and a new one that cannot start stay', { maxSurge: 1, maxUnavailable: 0 }, true, false, true],
  ['a new pod that is ready has replaced the old one', { maxSurge: 1, maxUnavailable: 0 }, true, true, false],
  ['an old pod that is not ready is not waited for', { maxSurge: 1, maxUnavailable: 0 }, false, false, false],
  ['without a surge there are never two', { maxSurge: 0, maxUnavailable: 1 }, true, false, false],
])('on a node that takes no new pods any more: %s', (_, rollingUpdate, isOldReady, isNewReady, isEnd) => {
  const pods = [
    storedPod('agent-old', 'n', { hash: 'old', ready: isOldReady }),
    storedPod('agent-new', 'n', { ready: isNewReady }),
  ];
  const world = worldOf(rollingUpdate, 0, [storedNode('n', {}, { taints: TAINTS })], pods);
  expect(unfinishedDaemonSet(world)).toBe(isEnd ? undefined : 'DaemonSet default/agent has 2 pods on n');
});

test.each<[string, number, boolean, boolean]>([
  ['stays while a new pod waits for a node that takes none any more, and no more may be unavailable', 1, false, true],
  ['is replaced if one more may be unavailable', 2, false, false],
  ['is replaced if the new pod is ready', 1, true, false],
])('an old pod %s', (_, maxUnavailable, isNewReady, isEnd) => {
  const nodes = [storedNode('n', {}, { taints: TAINTS }), storedNode('other')];
  const pods = [storedPod('agent-new', 'n', { ready: isNewReady }), storedPod('agent-old', 'other', { hash: 'old' })];
  const world = worldOf({ maxSurge: 0, maxUnavailable }, 1, nodes, pods);
  const wrong = 'DaemonSet default/agent has no ready pod of its newest revision on other';
  expect(unfinishedDaemonSet(world)).toBe(isEnd ? undefined : wrong);
});
