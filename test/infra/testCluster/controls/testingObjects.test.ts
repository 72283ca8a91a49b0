import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../../infra/testCluster/Fault.ts';
import type { PodBehaviourRule } from '../../../../infra/testCluster/PodBehaviour.ts';
import { faultSchema } from '../../../../infra/testCluster/controls/faultSchema.ts';
import { podBehaviourSchema } from '../../../../infra/testCluster/controls/podBehaviourSchema.ts';
import { testingRules } from '../../../../infra/testCluster/controls/testingRules.ts';
import { compileImagePattern } from '../../../../infra/testCluster/controls/compileImagePattern.ts';
import {
  decodeFault,
  decodePodBehaviour,
  encodeFault,
  encodePodBehaviour,
} from '../../../../infra/testCluster/controls/TestingObjects.ts';
import { validateFault } from '../../../../infra/testCluster/controls/validateFault.ts';
import { validatePodBehaviour } from '../../../../infra/testCluster/controls/validatePodBehaviour.ts';
import { RequestBudget } from '../../../../lambdas/objects/RequestBudget.ts';

const objectOf = (spec: unknown) => ({
  apiVersion: 'testing.driftless.dev/v1',
  kind: 'Any',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
});

describe('what startCluster is given has an object that the API would take, and that means the same', () => {
  test.each<[Fault, object]>([
    [{ conflict: true }, { conflict: true }],
    [
      { verb: 'get', resource: 'pods', delay: '5s' },
      { verb: 'get', resource: 'pods', delay: '5s' },
    ],
    [
      { respond: { code: 503, retryAfterSeconds: 2 }, by: 'everyone', times: 3 },
      { by: 'everyone', times: 3 },
    ],
  ])('the fault %j', (fault, spec) => {
    const stored = encodeFault(fault);
    expect(stored).toMatchObject(spec);
    expect(decodeFault(stored)).toEqual(fault);
    expect(testingRules(faultSchema, validateFault).strategy.validate?.(objectOf(stored), new RequestBudget())).toEqual(
      [],
    );
  });

  test('a delay in milliseconds', () => {
    expect(encodeFault({ delay: 1_500 })).toEqual({ delay: '1500ms' });
  });

  test.each<[PodBehaviourRule, object]>([
    [{ image: 'nginx:1', behave: { failPull: true } }, { image: 'nginx:1' }],
    [{ image: /^nginx/, behave: {} }, { imagePattern: '^nginx' }],
    [{ image: /NGINX/i, namespace: 'a', labels: { app: 'web' }, behave: {} }, { imagePattern: '(?i)NGINX' }],
    [{ behave: { exitCode: 3, failAttempts: 2, crashAfter: '5s', log: 'hello' } }, { behave: { exitCode: 3 } }],
  ])('the rule %j', (rule, spec) => {
    const stored = encodePodBehaviour(rule);
    expect(stored).toMatchObject(spec);
    const decoded = decodePodBehaviour(stored, compileImagePattern);
    const { image } = decoded;
    if (!(rule.image instanceof RegExp)) return expect(decoded).toEqual(rule);
    expect({ ...decoded, image: rule.image }).toEqual(rule);
    for (const text of ['nginx:1', 'my/nginx', 'MY/NGINX', 'web'])
      expect(typeof image === 'object' && 'matches' in image && image.matches(text), text).toBe(rule.image.test(text));
    expect(
      testingRules(podBehaviourSchema, validatePodBehaviour).strategy.validate?.(objectOf(stored), new RequestBudget()),
    ).toEqual([]);
  });

  test('durations in milliseconds', () => {
    const { behave } = encodePodBehaviour({ behave: { readyAfter: 2_000, startDelay: '1s', exitCode: 7 } });
    expect(behave).toEqual({ readyAfter: '2000ms', startDelay: '1s', exitCode: 7 });
  });
});
