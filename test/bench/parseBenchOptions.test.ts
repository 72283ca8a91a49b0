import { expect, it } from 'vitest';
import { parseBenchOptions } from './parseBenchOptions.ts';

it.each([
  [[], { run: 'speed', shape: 'full' }],
  [['--help'], { run: 'help' }],
  [['--emulate-cloud'], { run: 'cost', shape: 'full' }],
  [['--kubectl'], { run: 'kubectl' }],
  [['--watch-prices'], { run: 'watches' }],
  [['--node-prices'], { run: 'nodes' }],
  [['--schedule'], { run: 'schedule' }],
  [['--churn', '500'], { run: 'churn', pods: 500, shape: 'full' }],
  [['--list', '20000'], { run: 'list', pods: 20_000 }],
  [['--restart', '50000'], { run: 'restart', pods: 50_000, shape: 'full' }],
  [
    ['--pods', '1000,5000', '--watchers', '3', '--shape', 'bare'],
    {
      run: 'load',
      options: { sizes: [1_000, 5_000], deployments: 1, watchers: 3, profileInto: undefined, shape: 'bare' },
    },
  ],
  [['--model', '--target', 'latency'], { run: 'latency', options: { seeds: 40, largeSeeds: 10 } }],
  [['--model', '--target', 'latency', '--seeds', '3'], { run: 'latency', options: { seeds: 3, largeSeeds: 1 } }],
  [['--dashboard', '2000'], { run: 'dashboard', pods: 2_000, shape: 'full' }],
])('%j is read', (args, expected) => {
  expect(parseBenchOptions(args)).toEqual(expected);
});

it('fills in what a bench over models is not told, from its target if it has one', () => {
  expect(parseBenchOptions(['--model', '--pods', '20'])).toMatchObject({
    options: { pods: 20, namespaces: 1, deployments: 1, watches: 0, isOnlyCreated: false },
  });
  const target = ['--model', '--target', 'cluster', '--namespaces', '8', '--only-created'];
  expect(parseBenchOptions([...target, '--knobs', '{"syncMaxConcurrency":40}'])).toMatchObject({
    options: {
      pods: 40_000,
      namespaces: 8,
      podsPerSecond: 4_000,
      isOnlyCreated: true,
      knobs: { syncMaxConcurrency: 40 },
    },
  });
});

it.each([
  [['--nonsense'], /^Unknown option '--nonsense'/],
  [['--model', '--pods', '0'], /^--pods needs a whole number from 1 to 1000000, not "0"$/],
  [['--model', '--pods', 'many'], /^--pods needs a whole number/],
  [['--churn', '-5'], /churn/],
  [['--pods', '10,x'], /^--pods needs a whole number from 1 to 1000000, not "x"$/],
  [['--shape', 'round'], /^--shape must be one of full, requests, bare$/],
  [['--list', '0'], /^--list needs a whole number from 1/],
  [['--model', '--target', 'moon'], /^--target must be one of latency, namespace, cluster, replicaset, rollout$/],
  [['--model', '--target', 'latency', '--seeds', '0'], /^--seeds needs a whole number from 1/],
  [['--model', '--knobs', '{'], /^--knobs needs a JSON object, not "\{"$/],
  [['--model', '--knobs', '[]'], /^--knobs needs a JSON object/],
  [['--model', '--knobs', '{"nonsense":1}'], /nonsense/],
])('%j is refused in one line', (args, problem) => {
  expect(parseBenchOptions(args)).toEqual({ run: 'usage', problem: expect.stringMatching(problem) });
});
