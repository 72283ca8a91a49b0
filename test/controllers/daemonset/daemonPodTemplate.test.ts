import { expect, test } from 'vitest';
import {
  createPodTemplate,
  daemonPodSpec,
  targetNodeName,
  templateForNode,
} from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import type { DaemonSet } from '../../../lambdas/objects/kinds.ts';
import { storedDaemonSet, storedPod } from '../../support/daemonSetFixtures.ts';

const exists = (name: string, effect: string) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect });
const ADDED = [
  exists('not-ready', 'NoExecute'),
  exists('unreachable', 'NoExecute'),
  exists('disk-pressure', 'NoSchedule'),
  exists('memory-pressure', 'NoSchedule'),
  exists('pid-pressure', 'NoSchedule'),
  exists('unschedulable', 'NoSchedule'),
];

test('pods tolerate what befalls their node', () => {
  expect(daemonPodSpec(storedDaemonSet()).tolerations).toEqual(ADDED);
});

test('pods with the network of their host also tolerate that it has none for pods', () => {
  const { tolerations } = daemonPodSpec(storedDaemonSet({}, { hostNetwork: true }));
  expect(tolerations).toEqual([...ADDED, exists('network-unavailable', 'NoSchedule')]);
});

test('the own tolerations of the template stay, but one that ends is made endless', () => {
  const own = { key: 'dedicated', operator: 'Exists' };
  const short = { ...exists('unreachable', 'NoExecute'), tolerationSeconds: 30 };
  const [notReady, unreachable, ...rest] = ADDED;
  expect(daemonPodSpec(storedDaemonSet({}, { tolerations: [own, short] })).tolerations).toEqual([
    own,
    unreachable,
    notReady,
    ...rest,
  ]);
});

test('pods have the labels of the template, of their revision and of its generation', () => {
  const daemonSet = withGeneration('7');
  expect(createPodTemplate(daemonSet, 'abc').metadata?.labels).toEqual({
    app: 'agent',
    'controller-revision-hash': 'abc',
    'pod-template-generation': '7',
  });
});

test('a generation that somebody made unreadable is left out', () => {
  expect(createPodTemplate(withGeneration('many'), 'abc').metadata?.labels).not.toHaveProperty(
    'pod-template-generation',
  );
});

function withGeneration(generation: string): DaemonSet {
  const { metadata, ...rest } = storedDaemonSet();
  return {
    ...rest,
    metadata: { ...metadata, annotations: { 'deprecated.daemonset.template.generation': generation } },
  };
}

const NAMED = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }] };

test.each([
  ['without an affinity', undefined, {}],
  ['without a node affinity', { podAntiAffinity: {} }, { podAntiAffinity: {} }],
  [
    'with a required one, whose terms the node has been found to match',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [] }] },
      },
    },
    {},
  ],
])('a pod names its node in its affinity: template %s', (_, affinity, rest) => {
  const { spec } = templateForNode({ spec: { containers: [], ...(affinity && { affinity }) } }, 'node-1');
  expect(spec?.affinity).toEqual({
    ...rest,
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: NAMED },
  });
});

test('a preferred node affinity stays', () => {
  const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 1, preference: {} }];
  const given = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } };
  expect(templateForNode({ spec: { containers: [], affinity: given } }, 'node-1').spec?.affinity?.nodeAffinity).toEqual(
    {
      preferredDuringSchedulingIgnoredDuringExecution,
      requiredDuringSchedulingIgnoredDuringExecution: NAMED,
    },
  );
});

test('a pod belongs to the node that it is on, or that it is meant for', () => {
  expect(targetNodeName(storedPod('a', 'node-1'))).toBe('node-1');
  expect(targetNodeName(storedPod('a', 'node-2', { unbound: true }))).toBe('node-2');
});

test.each([
  ['no affinity', undefined],
  ['two names', ['node-1', 'node-2']],
  ['no name', []],
])('a pod of somebody else belongs to no certain node: %s', (_, values) => {
  const pod = storedPod('a', '', { unbound: true });
  const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: values ?? [] }] }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const spec = { containers: [], ...(values && { affinity: { nodeAffinity: required } }) };
  expect(targetNodeName({ ...pod, spec })).toBeUndefined();
});
