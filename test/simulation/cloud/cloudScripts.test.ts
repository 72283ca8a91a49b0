import { expect, test } from 'vitest';
import { CloudSimulation } from './CloudSimulation.ts';

test('users of the stack have workloads of every kind, scale and evict them, and nodes come and go', () => {
  const scripts = Array.from({ length: 40 }, (_, seed) => new CloudSimulation({ seed, withFaults: true }).script);
  const drawn = new Set<string>(scripts.flatMap(({ ops }) => ops.map(({ op }) => op.op)));
  const workloads = ['create', 'createStatefulSet', 'createDaemonSet', 'createJob', 'createCronJob', 'createCrowd'];
  const others = ['createAutoscaler', 'createBudget', 'evict', 'addNode', 'taintNode', 'removeNode', 'createWaiters'];
  expect([...workloads, ...others].filter((op) => !drawn.has(op))).toEqual([]);
});
