import { expect, test } from 'vitest';
import { keysForChange } from '../../../lambdas/controllers/podautoscaler/keysForChange.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { autoscalerManifest } from '../../support/autoscalerFixtures.ts';

const AUTOSCALER = autoscalerManifest() as unknown as KubernetesObject;
const COUNTED = { ...AUTOSCALER, status: { desiredReplicas: 3 } };
const CHANGED = autoscalerManifest({ maxReplicas: 3 }) as unknown as KubernetesObject;

test.each([
  ['is created', undefined, AUTOSCALER, true],
  ['is deleted', AUTOSCALER, undefined, true],
  ['has another spec', AUTOSCALER, CHANGED, true],
  ['has another status, which is its own doing', AUTOSCALER, COUNTED, false],
])('an autoscaler that %s: is looked at: %s', (_, before, after, isLookedAt) => {
  const change = { resource: 'horizontalpodautoscalers.autoscaling', before, after } as unknown as Change;
  const key = { controller: 'horizontalpodautoscaler', namespace: 'default', name: 'web' };
  expect(keysForChange(change)).toEqual(isLookedAt ? [{ key }] : []);
});
