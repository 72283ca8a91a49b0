import { describe, expect, test } from 'vitest';
import type { Revisions } from '../../../lambdas/controllers/statefulset/newStatefulSetPod.ts';
import { MAX_STEPS, updateStatefulSet } from '../../../lambdas/controllers/statefulset/updateStatefulSet.ts';
import type { Step } from '../../../lambdas/controllers/statefulset/StatefulSetPlan.ts';
import type { PersistentVolumeClaim, Pod } from '../../../lambdas/objects/kinds.ts';
import {
  CLAIM_TEMPLATE,
  NOW_MS,
  storedClaim,
  storedPod,
  storedSet,
  templateOf,
} from '../../support/statefulSetFixtures.ts';

const REVISIONS: Revisions = {
  current: { name: 'web-old', template: templateOf('nginx:1') },
  update: { name: 'web-new', template: templateOf('nginx:2') },
};

/** `create web-1 new`, `delete web-2 scaledDown`, `repair web-0`, `claims web-0`. */
function textOf(step: Step): string {
  if (step.step === 'create') return `create web-${step.ordinal} ${step.revision}`;
  const { name } = step.pod.metadata;
  return step.step === 'delete' ? `delete ${name} ${step.because}` : `${step.step} ${name}`;
}

interface Facts {
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly claims?: readonly PersistentVolumeClaim[];
}

function decide(pods: readonly Pod[], { spec = {}, status, metadata = {}, claims = [] }: Facts = {}) {
  const set = storedSet(
    spec as Record<string, unknown>,
    { replicas: 0, ...status },
    metadata as Record<string, unknown>,
  );
  const byName = new Map(claims.map((claim) => [claim.metadata.name, claim]));
  return updateStatefulSet({
    set,
    pods,
    claims: byName,
    revisions: REVISIONS,
    nowMs: NOW_MS,
  });
}

function steps(pods: readonly Pod[], facts?: Facts): string[][] {
  return decide(pods, facts).phases.map((phase) => phase.map(textOf));
}

/** What is waited for: `podReady web-0`. */
function waits(pods: readonly Pod[], facts?: Facts): string[] {
  return decide(pods, facts).why.flatMap((because) => ('wait' in because ? [`${because.wait} ${because.name}`] : []));
}

const PARALLEL = { podManagementPolicy: 'Parallel' };
const [POD_0, POD_1, POD_2] = [storedPod('web-0'), storedPod('web-1'), storedPod('web-2')];
const notReady = (name: string, facts: object = {}) => storedPod(name, { isReady: false, ...facts });
const justReady = (name: string) => storedPod(name, { readyAt: new Date(NOW_MS - 5_000).toISOString() });
const terminating = (name: string, facts: object = {}) => storedPod(name, { isTerminating: true, ...facts });
const old = (name: string, facts: object = {}) => storedPod(name, { revision: 'web-old', ...facts });

describe('an ordered set', () => {
  test.each<[string, readonly Pod[], object, string[][]]>([
    ['creates its first pod alone', [], {}, [['create web-0 update']]],
    ['creates the next pod once the one before is available', [POD_0], {}, [['create web-1 update']]],
    ['fills a gap before it creates further pods', [POD_0, POD_2], {}, [['create web-1 update']]],
    ['creates nothing after a pod that is not ready', [notReady('web-0')], {}, []],
    ['creates nothing after a pod that is pending', [storedPod('web-0', { phase: 'Pending' })], {}, []],
    ['creates nothing beside a pod that is being deleted', [POD_0, terminating('web-1'), POD_2], {}, []],
    ['creates nothing until the pod before is available', [justReady('web-0')], { spec: { minReadySeconds: 10 } }, []],
    [
      'goes on once the pod before is available',
      [justReady('web-0')],
      { spec: { minReadySeconds: 5 } },
      [['create web-1 update']],
    ],
    ['starts at its start ordinal', [], { spec: { ordinals: { start: 5 } } }, [['create web-5 update']]],
    [
      'deletes the pods below a raised start ordinal, once those that it wants are there',
      [POD_0, POD_1, POD_2],
      { spec: { replicas: 2, ordinals: { start: 1 } } },
      [['delete web-0 scaledDown']],
    ],
    ['makes a failed pod again', [storedPod('web-0', { phase: 'Failed' }), POD_1], {}, [['delete web-0 ended']]],
    ['makes a succeeded pod again', [storedPod('web-0', { phase: 'Succeeded' })], {}, [['delete web-0 ended']]],
    ['waits for a failed pod that is being deleted', [terminating('web-0', { phase: 'Failed' })], {}, []],
    [
      'deletes the highest ordinal first',
      [POD_0, POD_1, POD_2],
      { spec: { replicas: 1 } },
      [['delete web-2 scaledDown']],
    ],
    [
      'deletes no second pod while one is being deleted',
      [POD_0, POD_1, terminating('web-2')],
      { spec: { replicas: 1 } },
      [],
    ],
    [
      'deletes no pod while a pod that it wants is not available',
      [notReady('web-0'), POD_1, POD_2],
      { spec: { replicas: 1 } },
      [],
    ],
    [
      'deletes a pod that is not available if it is the first of those',
      [POD_0, POD_1, notReady('web-2')],
      { spec: { replicas: 1 } },
      [['delete web-2 scaledDown']],
    ],
    [
      'deletes no unavailable pod while one with a lower ordinal is unavailable',
      [POD_0, notReady('web-1'), notReady('web-2')],
      { spec: { replicas: 1 } },
      [],
    ],
    [
      'deletes a pod that has ended although one with a lower ordinal has ended, too',
      [POD_0, storedPod('web-1', { phase: 'Failed' }), storedPod('web-2', { phase: 'Failed' })],
      { spec: { replicas: 1 } },
      [['delete web-2 scaledDown']],
    ],
    [
      'creates what is missing before it scales down',
      [POD_1, POD_2],
      { spec: { replicas: 2 } },
      [['create web-0 update']],
    ],
    ['leaves a pod without an ordinal alone', [POD_0, POD_1, POD_2, storedPod('web-x')], {}, []],
    ['does nothing while it is being deleted', [], { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, []],
    ['of no pods does nothing', [], { spec: { replicas: 0 } }, []],
  ])('%s', (_, pods, facts, expected) => {
    expect(steps(pods, facts)).toEqual(expected);
  });

  test.each<[string, readonly Pod[], object, string[]]>([
    ['ready', [notReady('web-0')], {}, ['podReady web-0']],
    ['available', [justReady('web-0')], { spec: { minReadySeconds: 10 } }, ['podAvailable web-0']],
    ['gone', [POD_0, terminating('web-1')], {}, ['podGone web-1']],
    [
      'available, before it scales down',
      [POD_0, notReady('web-1'), notReady('web-2')],
      { spec: { replicas: 1 } },
      ['podAvailableBeforeScaleDown web-1'],
    ],
  ])('says that it waits for a pod to be %s', (_, pods, facts, expected) => {
    expect(waits(pods, facts)).toEqual(expected);
  });
});

describe('a parallel set', () => {
  test.each<[string, readonly Pod[], object, string[][]]>([
    ['creates all pods at once', [], {}, [['create web-0 update', 'create web-1 update', 'create web-2 update']]],
    ['creates a pod beside one that is not ready', [notReady('web-0'), POD_1], {}, [['create web-2 update']]],
    [
      'deletes all pods that are too many at once',
      [POD_0, notReady('web-1'), POD_2],
      { spec: { replicas: 1 } },
      [['delete web-2 scaledDown', 'delete web-1 scaledDown']],
    ],
    [
      'deletes ended pods and creates missing ones together',
      [storedPod('web-0', { phase: 'Failed' }), POD_2],
      {},
      [['delete web-0 ended', 'create web-1 update']],
    ],
    [
      'scales down and replaces ended pods in this order',
      [storedPod('web-0', { phase: 'Failed' }), POD_1, POD_2],
      { spec: { replicas: 2 } },
      [['delete web-0 ended'], ['delete web-2 scaledDown']],
    ],
  ])('%s', (_, pods, facts: { spec?: object }, expected) => {
    expect(steps(pods, { ...facts, spec: { ...PARALLEL, ...facts.spec } })).toEqual(expected);
  });
});

describe('a rolling update', () => {
  const rolling = (rollingUpdate: object, spec: object = {}) => ({
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate }, ...spec },
  });

  test.each<[string, readonly Pod[], object, string[][]]>([
    ['begins with the highest ordinal', [old('web-0'), old('web-1'), old('web-2')], {}, [['delete web-2 outdated']]],
    ['goes on with the next lower one', [old('web-0'), old('web-1'), POD_2], {}, [['delete web-1 outdated']]],
    ['of an ordered set waits for every pod', [old('web-0'), old('web-1'), notReady('web-2')], {}, []],
    [
      'of an ordered set does not replace a pod with an old revision that never gets ready',
      [old('web-0'), old('web-1'), old('web-2', { isReady: false })],
      {},
      [],
    ],
    ['is complete if all pods have the revision', [POD_0, POD_1, POD_2], {}, []],
    ['waits until the pod that it deleted is there again', [old('web-0'), old('web-1')], {}, [['create web-2 update']]],
    ['leaves the pods below the partition', [old('web-0'), old('web-1'), POD_2], rolling({ partition: 2 }), []],
    [
      'ends at the partition',
      [old('web-0'), old('web-1'), POD_2],
      rolling({ partition: 1 }),
      [['delete web-1 outdated']],
    ],
    [
      'counts the partition from the start ordinal',
      [old('web-5'), old('web-6'), POD_2].map((pod, nth) => (nth < 2 ? pod : storedPod('web-7'))),
      rolling({ partition: 1 }, { ordinals: { start: 5 } }),
      [['delete web-6 outdated']],
    ],
    [
      'replaces as many pods at once as may be unavailable',
      [old('web-0'), old('web-1'), old('web-2')],
      rolling({ partition: 0, maxUnavailable: 2 }),
      [['delete web-2 outdated', 'delete web-1 outdated']],
    ],
    [
      'rounds a percentage down',
      [old('web-0'), old('web-1'), old('web-2')],
      rolling({ maxUnavailable: '67%' }),
      [['delete web-2 outdated', 'delete web-1 outdated']],
    ],
    [
      'rounds a percentage to 1 at least',
      [old('web-0'), old('web-1'), old('web-2')],
      rolling({ maxUnavailable: '10%' }),
      [['delete web-2 outdated']],
    ],
    [
      'counts pods as unavailable that are unavailable anyway',
      [old('web-0'), old('web-1'), notReady('web-2')],
      rolling({ maxUnavailable: 1 }, PARALLEL),
      [],
    ],
    [
      'of a parallel set uses what of its budget is left',
      [old('web-0'), old('web-1'), notReady('web-2')],
      rolling({ maxUnavailable: 2 }, PARALLEL),
      [['delete web-1 outdated']],
    ],
    [
      'of a parallel set replaces unavailable pods with an old revision beyond the budget',
      [old('web-0', { isReady: false }), old('web-1', { isReady: false }), old('web-2')],
      rolling({ maxUnavailable: 1 }, PARALLEL),
      [['delete web-1 outdated', 'delete web-0 outdated']],
    ],
    [
      'of a parallel set counts a pod that is being deleted',
      [old('web-0'), old('web-1'), terminating('web-2', { revision: 'web-old' })],
      rolling({ maxUnavailable: 1 }, PARALLEL),
      [],
    ],
    [
      'of a parallel set deletes an ended pod with an old revision once',
      [old('web-0'), old('web-1'), old('web-2', { phase: 'Failed' })],
      rolling({ maxUnavailable: 1 }, PARALLEL),
      [['delete web-2 ended']],
    ],
    [
      'with OnDelete deletes nothing',
      [old('web-0'), old('web-1'), old('web-2')],
      { spec: { updateStrategy: { type: 'OnDelete' } } },
      [],
    ],
    [
      'with OnDelete creates pods with the new revision',
      [old('web-0'), old('web-1')],
      { spec: { updateStrategy: { type: 'OnDelete' } } },
      [['create web-2 update']],
    ],
    [
      'creates pods below the partition with the current revision',
      [POD_1, POD_2],
      rolling({ partition: 1 }),
      [['create web-0 current']],
    ],
    [
      'without bounds creates as many pods with the current revision as have it',
      [old('web-0')],
      { spec: { updateStrategy: { type: 'RollingUpdate' } }, status: { currentReplicas: 2 } },
      [['create web-1 current']],
    ],
  ])('%s', (_, pods, facts, expected) => {
    expect(steps(pods, facts)).toEqual(expected);
  });

  test('says how many pods may be unavailable when it waits', () => {
    const pods = [old('web-0'), old('web-1'), notReady('web-2')];
    expect(decide(pods, rolling({ maxUnavailable: 1 }, PARALLEL)).why).toEqual([
      { wait: 'updateBudget', name: 'web-1', unavailable: 1, maxUnavailable: 1 },
    ]);
  });
});

describe('identity and storage', () => {
  const withClaims = (claims: readonly PersistentVolumeClaim[] = [], spec: object = {}) => ({
    spec: { replicas: 1, volumeClaimTemplates: [CLAIM_TEMPLATE], ...spec },
    claims,
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }];
  const MOUNTED = storedPod('web-0', { spec: { volumes } });
  const SCALED_DELETE = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' } };
  const podRef = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true });

  test.each<[string, readonly Pod[], Facts, string[][]]>([
    [
      'a pod that lost its label gets it again',
      [storedPod('web-0', { metadata: { labels: { app: 'web', 'controller-revision-hash': 'web-new' } } })],
      { spec: { replicas: 1 } },
      [['repair web-0']],
    ],
    ['a pod is created with its claims', [], withClaims(), [['create web-0 update']]],
    ['a pod whose claim is there needs nothing', [MOUNTED], withClaims([storedClaim(0)]), []],
    ['a running pod does not get a lost claim again', [MOUNTED], withClaims(), []],
    [
      'a pending pod gets a lost claim again',
      [storedPod('web-0', { phase: 'Pending', spec: { volumes } })],
      withClaims(),
      [['claims web-0']],
    ],
    ['a pod without its volume is repaired', [POD_0], withClaims([storedClaim(0)]), [['repair web-0']]],
    [
      'a claim gets the owner that the policy wants',
      [MOUNTED],
      withClaims([storedClaim(0)], {
        persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Delete' },
      }),
      [['repair web-0']],
    ],
    [
      'the claim of a pod that is scaled down belongs to the pod before that goes',
      [MOUNTED],
      { ...withClaims([storedClaim(0)], { ...SCALED_DELETE, replicas: 0 }) },
      [['claims web-0'], ['delete web-0 scaledDown']],
    ],
    [
      'a pod is not created while the claim of the one before is still there',
      [],
      withClaims([storedClaim(0, { ownerReferences: [podRef('web-0', 'uid-before')] })], SCALED_DELETE),
      [],
    ],
    [
      'a claim of an earlier pod is used again if the policy keeps claims',
      [],
      withClaims([storedClaim(0, { ownerReferences: [podRef('web-0', 'uid-before')] })]),
      [['create web-0 update']],
    ],
  ])('%s', (_, pods, facts, expected) => {
    expect(steps(pods, facts)).toEqual(expected);
  });
});

describe('a set that asks for as many pods as a number can say', () => {
  const MAX_INT32 = 2 ** 31 - 1;

  test.each<[string, object, number]>([
    ['an ordered set creates one pod', {}, 1],
    ['a parallel set creates a few more than one sync takes', PARALLEL, MAX_STEPS + 1],
    ['ordinals may begin at the highest number', { ...PARALLEL, ordinals: { start: MAX_INT32 } }, MAX_STEPS + 1],
  ])('%s', (_, spec, creates) => {
    expect(steps([], { spec: { replicas: MAX_INT32, ...spec } })[0]).toHaveLength(creates);
  });

  test('goes past pods that exist', () => {
    const [first] = steps([POD_0, POD_2], { spec: { replicas: MAX_INT32, ...PARALLEL } });
    expect(first?.slice(0, 2)).toEqual(['create web-1 update', 'create web-3 update']);
    expect(first).toHaveLength(MAX_STEPS + 1);
  });
});
