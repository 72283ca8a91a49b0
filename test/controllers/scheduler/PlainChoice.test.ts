import { describe, expect, test } from 'vitest';
import { PlainChoice } from '../../../lambdas/controllers/scheduler/PlainChoice.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { node, pod } from './schedulerObjects.ts';

const BOUNDLESS = node('boundless', { allocatable: { pods: '1000000', cpu: '100M' } });
const ASKING = pod('p', { requests: { cpu: '1' } });

describe('a pod is bound by the sync that starts it', () => {
  test.each<[string, ReturnType<typeof pod>, readonly Node[], boolean]>([
    ['if the nodes have room without bound', ASKING, [BOUNDLESS], true],
    ['but not if one of them can be full', ASKING, [BOUNDLESS, node('a')], false],
    ['but not if no node is there', ASKING, [], false],
    [
      'but not if other pods matter to it',
      pod('p', { spec: { schedulingGates: [{ name: 'wait' }] } }),
      [BOUNDLESS],
      false,
    ],
  ])('%s', async (_what, asking, nodes, expected) => {
    expect(await new PlainChoice().isBoundAtStart(asking, async () => nodes)).toBe(expected);
  });

  test('if it requests nothing, without a look at the nodes', () => {
    const nodes = async () => {
      throw new Error('it looks');
    };
    expect(new PlainChoice().isBoundAtStart(pod('p'), nodes)).toBe(true);
  });
});

test('both controllers get the same answer about one state of a pod, whatever happens to the nodes in between', async () => {
  const choice = new PlainChoice();
  const first = await choice.isBoundAtStart(ASKING, async () => [BOUNDLESS]);
  const second = await choice.isBoundAtStart(ASKING, async () => [node('a')]);
  expect([first, second]).toEqual([true, true]);
  const next = pod('p', { requests: { cpu: '1' } });
  expect(await choice.isBoundAtStart(next, async () => [node('a')])).toBe(false);
});

test('an answer that failed is asked for again', async () => {
  const choice = new PlainChoice();
  const failing = choice.isBoundAtStart(ASKING, () => Promise.reject(new Error('unavailable')));
  await expect(failing).rejects.toThrow('unavailable');
  expect(await choice.isBoundAtStart(ASKING, async () => [BOUNDLESS])).toBe(true);
});
