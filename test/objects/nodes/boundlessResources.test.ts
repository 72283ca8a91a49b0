import { expect, test } from 'vitest';
import { BOUNDLESS, boundlessResources, formatBoundless } from '../../../lambdas/objects/nodes/boundlessResources.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';

function nodeWith(annotation: string | undefined, allocatable?: Record<string, string>): Node {
  const annotations = annotation === undefined ? {} : { [BOUNDLESS]: annotation };
  return { metadata: { name: 'a', annotations }, ...(allocatable && { status: { allocatable } }) } as unknown as Node;
}

test.each<[string, string | undefined, Record<string, string> | undefined, readonly string[]]>([
  ['nothing is, without the annotation', undefined, { cpu: '4' }, []],
  ['what it names is', 'cpu=4,memory=8Gi', { cpu: '4', memory: '8Gi', pods: '110' }, ['cpu', 'memory']],
  ['amounts may be written otherwise', 'cpu=4000m, memory=8589934592', { cpu: '4', memory: '8Gi' }, ['cpu', 'memory']],
  ['what somebody has given another amount is not', 'cpu=896,memory=8Gi', { cpu: '4', memory: '8Gi' }, ['memory']],
  ['what the node does not have is not', 'cpu=4,example.com/gpu=1', { cpu: '4' }, ['cpu']],
  ['nothing is, of a node that does not say what it has', 'cpu=4', undefined, []],
  ['what cannot be read is not', 'cpu=many,=1,memory,cpu==4', { cpu: '4', memory: '8Gi' }, []],
])('%s', (_, annotation, allocatable, expected) => {
  expect([...boundlessResources(nodeWith(annotation, allocatable))]).toEqual(expected);
});

test('what is written can be read', () => {
  const amounts = { cpu: '896', memory: '34359738368Ki' };
  expect([...boundlessResources(nodeWith(formatBoundless(amounts), amounts))]).toEqual(['cpu', 'memory']);
});
