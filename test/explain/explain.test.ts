import { describe, expect, test } from 'vitest';
import { durationInWords } from '../../lambdas/explain/durationInWords.ts';
import { formatExplainKey, parseExplainKey } from '../../lambdas/functions/explain/explainKey.ts';
import { observedLines } from '../../lambdas/explain/renderExplanation.ts';
import { stuckPods } from '../../lambdas/explain/stuckPods.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';

describe('a duration in words', () => {
  test.each([
    [-5, '0 s'],
    [0, '0 s'],
    [94, '0.094 s'],
    [1500, '1.5 s'],
    [9_999, '9.999 s'],
    [10_001, '10 s'],
    [59_999, '59 s'],
    [60_000, '1 m'],
    [492_001, '8 m 12 s'],
    [3_600_000, '1 h'],
    [3_605_000, '1 h'],
    [7_500_000, '2 h 5 m'],
    [90_000_000, '1 d 1 h'],
  ])('%d ms: %s', (ms, words) => {
    expect(durationInWords(ms)).toBe(words);
  });
});

describe('a key to explain', () => {
  test.each([
    ['deployment/default/web', 'deployment/default/web'],
    ['deployment/web', 'deployment/default/web'],
    ['deployments.apps/shop/web', 'deployment/shop/web'],
    ['deploy/web', 'deployment/default/web'],
    ['rs/shop/web-1', 'replicaset/shop/web-1'],
    ['rc/web', 'replicationcontroller/default/web'],
    ['Pod/web', 'pod/default/web'],
    ['ns/shop', 'namespace/shop'],
    ['sa/shop', 'serviceaccount/shop/shop'],
    ['pdb/web', 'disruption/default/web'],
    ['poddisruptionbudget/shop/web', 'disruption/shop/web'],
    ['node/node-1', 'nodelifecycle/node-1'],
    ['quota/shop/small', 'resourcequota/shop/small'],
    ['garbagecollector/shop/pods/web/1-2', 'garbagecollector/shop/pods/web/1-2'],
  ])('%s is %s', (text, key) => {
    expect(formatExplainKey(parseExplainKey(text))).toBe(key);
  });
});

const OWNER = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u', controller: true }];

function pod(name: string, parts: { metadata?: object; spec?: object; status?: object }): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ownerReferences: OWNER, ...parts.metadata },
    spec: { containers: [], nodeName: 'n', ...parts.spec },
    status: parts.status,
  } as unknown as Pod;
}

const ready = (status: string, more = {}) => ({ conditions: [{ type: 'Ready', status, ...more }] });
const waiting = (reason: string, message?: string) => ({
  containerStatuses: [{ name: 'c', state: { waiting: { reason, message } } }],
});

describe('the reason why a pod is not ready', () => {
  test.each<[string, Pod, string | undefined, string | undefined]>([
    ['none for a ready pod', pod('a', { status: ready('True') }), undefined, undefined],
    ['none for a pod that has succeeded', pod('a', { status: { phase: 'Succeeded' } }), undefined, undefined],
    ['Pending for a pod without a node', pod('a', { spec: { nodeName: undefined } }), 'Pending', 'it has no node yet'],
    [
      'Unschedulable for a pod that fits on no node',
      pod('a', {
        spec: { nodeName: undefined },
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'full' }] },
      }),
      'Unschedulable',
      'full',
    ],
    [
      'ErrImagePull for an image that cannot be pulled',
      pod('a', { status: waiting('ErrImagePull', 'gone') }),
      'ErrImagePull',
      'gone',
    ],
    [
      'CrashLoopBackOff with the last exit code for a pod that crashes',
      pod('a', {
        status: {
          containerStatuses: [
            {
              name: 'c',
              restartCount: 4,
              state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
              lastState: { terminated: { exitCode: 3 } },
            },
          ],
        },
      }),
      'CrashLoopBackOff',
      'back-off 40s (exit code 3, 4 restarts)',
    ],
    [
      'the reason of the waiting init container, not of the containers that wait for it',
      pod('a', {
        status: {
          ...waiting('PodInitializing'),
          initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ErrImagePull' } } }],
        },
      }),
      'ErrImagePull',
      'container i',
    ],
    [
      'the reason of its status for a failed pod',
      pod('a', { status: { phase: 'Failed', reason: 'Evicted' } }),
      'Evicted',
      'it has failed',
    ],
    [
      'ContainersNotReady for a pod whose probe fails',
      pod('a', { status: ready('False', { reason: 'ContainersNotReady', message: 'c is not' }) }),
      'ContainersNotReady',
      'c is not',
    ],
    [
      'the finalizers for a pod whose deletion they hold up',
      pod('a', { metadata: { deletionTimestamp: 'now', finalizers: ['x/y'] } }),
      'Terminating',
      'held by finalizers x/y',
    ],
  ])('%s', (_, one, reason, message) => {
    const [stuck] = stuckPods([one]);
    expect([stuck?.reason, stuck?.message]).toEqual([reason, message]);
  });

  test('pods of one owner with the same reason form one group, and the largest group comes first', () => {
    const bad = { status: waiting('ErrImagePull') };
    const alone = { spec: { nodeName: undefined } };
    expect(stuckPods([pod('a', alone), pod('b', bad), pod('c', bad)])).toEqual([
      { reason: 'ErrImagePull', message: 'container c', owner: 'web-1', example: 'b', count: 2 },
      { reason: 'Pending', message: 'it has no node yet', owner: 'web-1', example: 'a', count: 1 },
    ]);
  });
});

describe('the observations of a sync, in lines', () => {
  test('are a line for each object, and one for the counts beside them that are not 0', () => {
    const observed = {
      deployment: { desired: 3, strategy: undefined },
      replicaSets: [{ name: 'web-1', ready: 2 }, { name: 'web-2', ready: 0 }, 'odd'],
      retired: 0,
      left: 2,
    };
    expect(observedLines(observed)).toEqual([
      'deployment: desired 3',
      'web-1: ready 2',
      'web-2: ready 0',
      'odd',
      'left 2',
    ]);
    expect(observedLines({ desired: 0, active: 0 })).toEqual(['desired 0, active 0']);
    expect(observedLines({})).toEqual([]);
  });
});
