import { expect, test } from 'vitest';
import { daemonPodSpec } from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import { nodeShouldRunDaemonPod } from '../../../lambdas/controllers/daemonset/nodeShouldRunDaemonPod.ts';
import { storedDaemonSet, storedNode } from '../../support/daemonSetFixtures.ts';

type Members = Readonly<Record<string, unknown>>;
const DISK = { disktype: 'ssd' };
const taint = (key: string, effect: string, value?: string) => ({ key, effect, ...(value && { value }) });
const required = (...nodeSelectorTerms: object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const byName = (...values: string[]) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values }] });
const byLabel = (values: string[]) => ({ matchExpressions: [{ key: 'disktype', operator: 'In', values }] });

/** What the node is like, the pod template, and whether it should run there, and whether it may go on. */
const TABLE: readonly [
  string,
  { labels?: Record<string, string>; taints?: readonly object[]; unschedulable?: boolean },
  Members,
  boolean,
  boolean,
][] = [
  ['any node, without conditions', {}, {}, true, true],
  ['the node that the template names', {}, { nodeName: 'node-1' }, true, true],
  ['another node than the template names', {}, { nodeName: 'node-2' }, false, false],
  ['a node with the selected label', { labels: DISK }, { nodeSelector: DISK }, true, true],
  ['a node without the selected label', {}, { nodeSelector: DISK }, false, false],
  ['a node that the affinity matches by label', { labels: DISK }, required(byLabel(['hdd', 'ssd'])), true, true],
  ['a node that the affinity does not match by label', { labels: DISK }, required(byLabel(['hdd'])), false, false],
  ['a node that one of two terms matches', { labels: DISK }, required(byLabel(['hdd']), byName('node-1')), true, true],
  ['a node that the affinity names', {}, required(byName('node-1')), true, true],
  ['a node that the affinity does not name', {}, required(byName('node-2')), false, false],
  [
    'a node that is only preferred less',
    {},
    {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: byLabel(['ssd']) }],
        },
      },
    },
    true,
    true,
  ],
  ['a node tainted NoSchedule: what is there stays', { taints: [taint('dedicated', 'NoSchedule')] }, {}, false, true],
  ['a node tainted NoExecute', { taints: [taint('dedicated', 'NoExecute')] }, {}, false, false],
  ['a node tainted with both', { taints: [taint('a', 'NoSchedule'), taint('b', 'NoExecute')] }, {}, false, false],
  ['a node tainted PreferNoSchedule', { taints: [taint('dedicated', 'PreferNoSchedule')] }, {}, true, true],
  [
    'a node whose taint is tolerated',
    { taints: [taint('dedicated', 'NoExecute', 'db')] },
    { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoExecute' }] },
    true,
    true,
  ],
  [
    'a node whose taint is tolerated with another value',
    { taints: [taint('dedicated', 'NoExecute', 'db')] },
    { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoExecute' }] },
    false,
    false,
  ],
  [
    'a node whose taints are all tolerated',
    { taints: [taint('a', 'NoExecute'), taint('b', 'NoSchedule')] },
    { tolerations: [{ operator: 'Exists' }] },
    true,
    true,
  ],
  [
    'a node that is not ready, by its NoExecute taint',
    { taints: [taint('node.kubernetes.io/not-ready', 'NoExecute')] },
    {},
    true,
    true,
  ],
  [
    'a node that is unreachable, by its NoExecute taint',
    { taints: [taint('node.kubernetes.io/unreachable', 'NoExecute')] },
    {},
    true,
    true,
  ],
  [
    'a node that is not ready, by its NoSchedule taint: what is there stays',
    { taints: [taint('node.kubernetes.io/not-ready', 'NoSchedule')] },
    {},
    false,
    true,
  ],
  [
    'a node under memory pressure',
    { taints: [taint('node.kubernetes.io/memory-pressure', 'NoSchedule')] },
    {},
    true,
    true,
  ],
  ['a node under disk pressure', { taints: [taint('node.kubernetes.io/disk-pressure', 'NoSchedule')] }, {}, true, true],
  [
    'a node under pressure of processes',
    { taints: [taint('node.kubernetes.io/pid-pressure', 'NoSchedule')] },
    {},
    true,
    true,
  ],
  [
    'a cordoned node',
    { taints: [taint('node.kubernetes.io/unschedulable', 'NoSchedule')], unschedulable: true },
    {},
    true,
    true,
  ],
  [
    'a node without a network for pods',
    { taints: [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')] },
    {},
    false,
    true,
  ],
  [
    'a node without a network for pods, on which the pods use the host’s',
    { taints: [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')] },
    { hostNetwork: true },
    true,
    true,
  ],
  ['a node out of service', { taints: [taint('node.kubernetes.io/out-of-service', 'NoExecute')] }, {}, false, false],
];

test.each(TABLE)('%s', (_, { labels, ...spec }, pod, shouldRun, shouldContinueRunning) => {
  const verdict = nodeShouldRunDaemonPod(
    daemonPodSpec(storedDaemonSet({}, pod)),
    storedNode('node-1', labels, spec as object),
  );
  expect(verdict).toMatchObject({ shouldRun, shouldContinueRunning });
  expect(verdict.why === undefined).toBe(shouldRun);
});
