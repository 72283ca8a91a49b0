import { describe, expect, test } from 'vitest';
import { parsePageAction, planAction } from '../../../infra/dashboard/views/planAction.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import { webDeployment } from '../../support/webDeployment.ts';

function deployment(spec: object = {}): Deployment {
  const made = webDeployment();
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%' };
  return {
    ...made,
    metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: '' },
    spec: { ...made.spec, strategy: { type: 'RollingUpdate', rollingUpdate }, ...spec },
  };
}

describe('planAction', () => {
  test.each([
    [{ act: 'resume' }, {}, 'web is not paused'],
    [{ act: 'pause' }, { paused: true }, 'web is paused already'],
    [{ act: 'restart' }, { paused: true }, 'web is paused: resume it first'],
    [{ act: 'undo', revision: 3 }, {}, 'revision 3 is no longer kept'],
    [{ act: 'scale', replicas: 10 }, {}, 'web has 10 replicas already'],
    [{ act: 'setImage', container: 'other', image: 'a' }, {}, 'web has no container other'],
  ] as const)('finds the problem of %j', (action, spec, problem) => {
    expect(planAction(deployment(spec), [], action, 0)).toEqual({ problem });
  });

  test('says in which steps a restart replaces pods, and holds for one version', () => {
    expect(planAction(deployment(), [], { act: 'restart' }, 0)).toMatchObject({
      body: { metadata: { resourceVersion: '7' } },
      says: expect.stringContaining('never more than 13 pods, and never fewer than 8 available'),
    });
  });

  test.each([{ act: 'scale', replicas: -1 }, { act: 'scale', replicas: 'x' }, { act: 'drop' }, null, 'pause'])(
    'takes %j for no action',
    (value) => expect(parsePageAction(value)).toBeUndefined(),
  );
});
