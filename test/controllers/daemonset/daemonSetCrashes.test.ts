import { describe, expect, test } from 'vitest';
import { targetNodeName } from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodReady, isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import { type Crash, type CrashFate, DaemonCrashBench, type Deed } from '../../support/DaemonCrashBench.ts';

const STEPS = 44;
const rolling = (maxSurge: number, maxUnavailable: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

interface Story {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly deeds: Readonly<Record<number, Deed>>;
  /** How many pods that are not being deleted a node may have. */
  readonly mostOnNode: number;
  /** How many nodes may be without a ready pod after the first pods are ready; absent where something else than the controller takes pods away. */
  readonly mostUnavailable?: number;
  /** The nodes that have a ready pod of this image at the end. */
  readonly end: readonly [nodes: readonly string[], image: string];
}

const NODES = ['node-1', 'node-2', 'node-3'];

const STORIES: readonly Story[] = [
  {
    name: 'an update in place',
    spec: rolling(0, 1),
    deeds: { 8: (bench) => bench.setImage('agent:2') },
    mostOnNode: 1,
    mostUnavailable: 1,
    end: [NODES, 'agent:2'],
  },
  {
    name: 'an update of two nodes at a time that is undone',
    spec: rolling(0, 2),
    deeds: { 8: (bench) => bench.setImage('agent:2'), 12: (bench) => bench.setImage('agent:1') },
    mostOnNode: 1,
    mostUnavailable: 2,
    end: [NODES, 'agent:1'],
  },
  {
    name: 'an update by surge',
    spec: rolling(1, 0),
    deeds: { 8: (bench) => bench.setImage('agent:2') },
    mostOnNode: 2,
    mostUnavailable: 0,
    end: [NODES, 'agent:2'],
  },
  {
    name: 'nodes that are tainted, come and go',
    spec: rolling(0, 1),
    deeds: {
      6: (bench) => bench.taint('node-2', 'NoExecute'),
      9: (bench) => bench.addNode('node-4'),
      11: (bench) => bench.taint('node-2', undefined),
      13: (bench) => bench.removeNode('node-4'),
      14: (bench) => bench.taint('node-1', 'NoSchedule'),
      15: (bench) => bench.taint('node-1', undefined),
    },
    mostOnNode: 1,
    end: [NODES, 'agent:1'],
  },
  {
    name: 'pods that fail',
    spec: rolling(0, 1),
    deeds: {
      6: (bench) => bench.fail('node-1'),
      10: (bench) => bench.fail('node-1'),
      11: (bench) => bench.fail('node-2'),
    },
    mostOnNode: 1,
    end: [NODES, 'agent:1'],
  },
];

interface Seen {
  mostOnNode: number;
  /** Pods that run or stop, of a DaemonSet without a surge. */
  mostAlive: number;
  mostUnavailable: number;
}

async function run(story: Story, crash: Crash | undefined) {
  const bench = new DaemonCrashBench();
  await bench.start(NODES, story.spec);
  const seen: Seen = { mostOnNode: 0, mostAlive: 0, mostUnavailable: 0 };
  let wereReady = false;
  await bench.run(STEPS, story.deeds, crash, async () => {
    const pods = await bench.pods();
    const counts = NODES.map((node) => countsOf(pods.filter((pod) => targetNodeName(pod) === node)));
    seen.mostOnNode = Math.max(seen.mostOnNode, ...counts.map(({ staying }) => staying));
    seen.mostAlive = Math.max(seen.mostAlive, ...counts.map(({ alive }) => alive));
    const unavailable = counts.filter(({ ready }) => ready === 0).length;
    wereReady ||= unavailable === 0;
    if (wereReady) seen.mostUnavailable = Math.max(seen.mostUnavailable, unavailable);
  });
  return { bench, seen, end: await endOf(bench) };
}

function countsOf(pods: readonly Pod[]) {
  const staying = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod));
  return {
    staying: staying.length,
    alive: pods.filter((pod) => !isPodTerminal(pod)).length,
    ready: staying.filter(isPodReady).length,
  };
}

/** What is left: each pod as `node-1 agent:1`, the numbers in the status, and whether the key has an unfinished intent. */
async function endOf(bench: DaemonCrashBench) {
  const pods = (await bench.pods()).filter((pod) => isPodReady(pod) && pod.spec?.nodeName !== 'node-4');
  const { status } = await bench.daemonSet();
  const { intent } = bench;
  return {
    pods: pods.map((pod) => `${pod.spec?.nodeName} ${pod.spec?.containers[0]?.image}`).toSorted(),
    available: status?.numberAvailable,
    updated: status?.updatedNumberScheduled,
    unfinished: intent ? intent.count + intent.deletes.length : 0,
  };
}

const FATES: readonly CrashFate[] = ['lost', 'unanswered', 'late', 'dead'];
const AWAY: readonly [awaySteps: number, lateSteps: number][] = [
  [0, 2],
  [3, 6],
];

describe.each(STORIES)('$name', (story) => {
  const { mostOnNode, mostUnavailable = NODES.length, end } = story;
  const expected = { pods: end[0].map((node) => `${node} ${end[1]}`), available: 3, updated: 3, unfinished: 0 };

  test.each(FATES.flatMap((fate) => AWAY.map(([away, late]) => [fate, away, late] as const)))(
    'keeps its bounds, whichever of its writes is %s and nobody works for %i steps after it',
    async (fate, awaySteps, lateSteps) => {
      const calm = await run(story, undefined);
      expect(calm.end).toEqual(expected);
      expect(calm.seen.mostOnNode).toBe(mostOnNode);
      for (let nth = 0; nth < calm.bench.crashing.writes; nth++) {
        const { seen, end: left } = await run(story, { nth, fate, awaySteps, lateSteps });
        expect({ nth, ...left }).toEqual({ nth, ...expected });
        expect([nth, seen.mostOnNode <= mostOnNode, seen.mostUnavailable <= mostUnavailable]).toEqual([
          nth,
          true,
          true,
        ]);
        // Without a surge not even a pod that is being deleted has another one beside it.
        if (mostOnNode === 1) expect([nth, seen.mostAlive]).toEqual([nth, 1]);
      }
    },
    120_000,
  );
});
