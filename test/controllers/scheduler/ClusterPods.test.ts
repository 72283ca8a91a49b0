import * as fc from '../../support/seededFastCheck.ts';
import { expect, test } from 'vitest';
import { ClusterPods } from '../../../lambdas/controllers/scheduler/framework/ClusterPods.ts';
import { marksSelectedBy } from '../../../lambdas/controllers/scheduler/framework/marks.ts';
import { type PodInfo, podInfoOf } from '../../../lambdas/controllers/scheduler/framework/PodInfo.ts';
import { allTermsOf } from '../../../lambdas/controllers/scheduler/framework/AffinityTerm.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { matchesLabelSelector } from '../../../lambdas/objects/selectors/labelSelector.ts';
import { pod } from './schedulerObjects.ts';

const VALUES = ['a', 'b'];
const labels = fc.record({ app: fc.constantFrom(...VALUES), tier: fc.constantFrom(...VALUES) }, { requiredKeys: [] });
const expression = fc.record({
  key: fc.constantFrom('app', 'tier'),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
  values: fc.subarray(VALUES, { minLength: 1 }),
});
const selector = fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 1 }) });
const affinity = fc.record(
  {
    podAntiAffinity: fc.record({
      requiredDuringSchedulingIgnoredDuringExecution: fc.array(
        fc.record({ labelSelector: selector, topologyKey: fc.constant('kubernetes.io/hostname') }),
        { maxLength: 2 },
      ),
    }),
  },
  { requiredKeys: [] },
);

/** A pod in one of its states. */
const podState: fc.Arbitrary<Pod> = fc
  .record({
    name: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6'),
    namespace: fc.constantFrom('x', 'y'),
    labels,
    on: fc.constantFrom(undefined, 'n1', 'n2'),
    ownerUid: fc.constantFrom(undefined, 'r1', 'r2'),
    priority: fc.constantFrom(0, 7),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded'),
    isEnding: fc.boolean(),
    affinity: fc.option(affinity, { nil: undefined }),
  })
  .map(({ name, namespace, labels: given, on, ownerUid, priority, phase, isEnding, affinity: wanted }) => {
    const spec = { priority, ...(wanted && { affinity: wanted }) };
    const made = pod(name, {
      namespace,
      labels: given,
      ...(on !== undefined && { on }),
      ...(ownerUid !== undefined && { ownerUid }),
      spec,
      requests: { cpu: '1' },
      status: { phase },
    });
    return isEnding ? { ...made, metadata: { ...made.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } : made;
  });
const step = fc.oneof(
  podState.map((state) => ({ act: 'put' as const, state })),
  fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6').map((uid) => ({ act: 'remove' as const, uid })),
);

/** Carries the steps out, and returns the pods beside what a plain list of them says. */
function carryOut(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const kept = new ClusterPods();
  const all = new Map<string, Pod>();
  for (const one of steps) {
    if (one.act === 'put') {
      kept.put(one.state);
      all.set(one.state.metadata.uid, one.state);
    } else {
      kept.remove(one.uid);
      all.delete(one.uid);
    }
  }
  return { kept, left: [...all.values()].filter(({ status }) => status?.phase !== 'Succeeded').map(podInfoOf) };
}

function on(pods: readonly PodInfo[], node: string): readonly PodInfo[] {
  return pods.filter(({ spec }) => spec.nodeName === node);
}

test('pods that were put and removed one by one are those that are left', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { kept, left } = carryOut(steps);
      const bound = left.filter(({ spec }) => spec.nodeName !== undefined);
      const pending = left.filter(({ spec, pod: { metadata } }) => !spec.nodeName && !metadata.deletionTimestamp);
      expect(new Set(kept.pending.map(({ metadata }) => metadata.uid))).toEqual(
        new Set(pending.map(({ pod: { metadata } }) => metadata.uid)),
      );
      expect(kept.lowestBoundPriority).toBe(Math.min(...bound.map(({ priority }) => priority)));
      expect(kept.areAnyRepelling).toBe(left.some(({ terms }) => terms.requiredAntiAffinity.length > 0));
      for (const node of ['n1', 'n2']) {
        expect(new Set(kept.on(node).all)).toEqual(new Set(on(left, node)));
        expect(kept.on(node).requested['cpu'] ?? 0).toBe(1_000 * on(left, node).length);
      }
    }),
  );
});

test('groups that have the marks of a selector hold all pods that it selects', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), selector, (steps, wanted) => {
      const { kept, left } = carryOut(steps);
      for (const node of ['n1', 'n2']) {
        let counted = 0;
        for (const { sample, count } of kept.on(node).groups.withMarks(marksSelectedBy(wanted)))
          if (matchesLabelSelector(wanted, sample.labels)) counted += count;
        expect(counted).toBe(on(left, node).filter((one) => matchesLabelSelector(wanted, one.labels)).length);
      }
    }),
  );
});

test('groups with terms for a pod hold every term that means it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), podState, (steps, incoming) => {
      const { kept, left } = carryOut(steps);
      const info = podInfoOf(incoming);
      const meaning = ({ terms }: PodInfo) => allTermsOf(terms).filter((term) => term.matches(info, {})).length;
      for (const node of ['n1', 'n2']) {
        let counted = 0;
        for (const { sample, count } of kept.on(node).groups.withTermsFor(info)) counted += meaning(sample) * count;
        expect(counted).toBe(on(left, node).reduce((sum, one) => sum + meaning(one), 0));
      }
    }),
  );
});
