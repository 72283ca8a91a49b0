import { expect, test } from 'vitest';
import type { PodDisruptionBudget } from '../../../lambdas/controllers/disruption/expectedPods.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { currentEvictionBeganMs } from '../Evictions.ts';
import { World } from '../World.ts';
import { EvictionBounds } from './EvictionBounds.ts';

const BUDGET_CREATED_MS = 1_000_000;
const READY = { type: 'Ready', status: 'True' };

const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'calm', namespace: 'a', uid: 'budget', generation: 1, resourceVersion: '1' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
} as unknown as PodDisruptionBudget;

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'a', uid: 'pod', labels: { app: 'web' }, resourceVersion: '2' },
  status: { phase: 'Running', conditions: [READY] },
} as unknown as Pod;
const evicted: Pod = {
  ...pod,
  status: { ...pod.status, conditions: [READY, { type: 'DisruptionTarget', status: 'True' }] },
};

/** The pod while the budget does not select it. */
const detached: Pod = { ...pod, metadata: { ...pod.metadata, labels: { app: 'web-detached' } } };

interface Story {
  readonly beganMs: number;
  readonly markedMs: number;
  /** The pod was detached from the budget, and attached again then. */
  readonly attachedMs?: number;
}

/** A healthy pod is marked as evicted, without a charge to its budget. Returns what the check says. */
function judge({ beganMs, markedMs, attachedMs }: Story): string | undefined {
  const world = new World();
  const check = new EvictionBounds(world);
  let version = 0;
  const write = (resource: string, after: KubernetesObject, nowMs: number, before?: KubernetesObject) => {
    version += 1;
    const place = { resource, version, after };
    const change: Change = before ? { ...place, type: 'MODIFIED', before } : { ...place, type: 'ADDED' };
    world.apply(change);
    return check.onWrite({ writer: 'client', trail: undefined, change, order: version }, nowMs);
  };
  write('pods', pod, 0);
  write('poddisruptionbudgets.policy', budget, BUDGET_CREATED_MS);
  if (attachedMs !== undefined) {
    write('pods', detached, BUDGET_CREATED_MS + 1_000, pod);
    write('pods', pod, attachedMs, detached);
  }
  return currentEvictionBeganMs.run(beganMs, () => write('pods', evicted, markedMs, pod));
}

const UNCHARGED = 'Pod a/web-1 is healthy and was evicted without a charge to PodDisruptionBudget a/calm';

test.each([
  {
    what: 'one that began before the budget was there and stood still for minutes',
    beganMs: BUDGET_CREATED_MS - 10_000,
    markedMs: BUDGET_CREATED_MS + 130_000,
    found: undefined,
  },
  {
    what: 'one that began after the budget was created, as soon as it is marked',
    beganMs: BUDGET_CREATED_MS + 6_000,
    markedMs: BUDGET_CREATED_MS + 6_010,
    found: UNCHARGED,
  },
  {
    what: 'one that began after the budget was created and stood still for minutes',
    beganMs: BUDGET_CREATED_MS + 6_000,
    markedMs: BUDGET_CREATED_MS + 130_000,
    found: UNCHARGED,
  },
  {
    what: 'one of a pod that the budget has selected since the eviction began',
    beganMs: BUDGET_CREATED_MS + 10_000,
    attachedMs: BUDGET_CREATED_MS + 10_100,
    markedMs: BUDGET_CREATED_MS + 10_800,
    found: undefined,
  },
  {
    what: 'one of a pod that the budget selected again long before the eviction began',
    beganMs: BUDGET_CREATED_MS + 60_000,
    attachedMs: BUDGET_CREATED_MS + 10_100,
    markedMs: BUDGET_CREATED_MS + 60_800,
    found: UNCHARGED,
  },
])('judges an eviction without a charge by its begin: $what', ({ found, ...story }) => {
  expect(judge(story)).toBe(found);
});
