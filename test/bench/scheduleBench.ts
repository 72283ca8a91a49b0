import { ClusterPods } from '../../lambdas/controllers/scheduler/framework/ClusterPods.ts';
import { Snapshot } from '../../lambdas/controllers/scheduler/framework/Snapshot.ts';
import { decideSchedule } from '../../lambdas/controllers/scheduler/decideSchedule.ts';
import type { Node, Pod } from '../../lambdas/objects/kinds.ts';
import { node, pod } from '../controllers/scheduler/schedulerObjects.ts';
import { fitPower } from './fitPower.ts';

/** How large a cluster is. */
interface Size {
  readonly pods: number;
  readonly nodes: number;
  readonly deployments: number;
}

const USUAL: Size = { pods: 5_000, nodes: 50, deployments: 50 };
/** What grows, while the rest is as usual. */
const GROWING: Readonly<Record<keyof Size, readonly number[]>> = {
  pods: [1_000, 7_000, 50_000],
  nodes: [50, 500, 5_000],
  deployments: [50, 500, 5_000],
};
/** What the pods say of others. */
const WISHES = {
  'with requests alone': () => ({}),
  'spread over the nodes': (app: string) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app } } },
    ],
  }),
  'kept apart by an anti-affinity': (app: string) => ({
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: HOST, labelSelector: { matchLabels: { app } } } },
        ],
      },
    },
  }),
} as const;
type Wish = keyof typeof WISHES;

const HOST = 'kubernetes.io/hostname';
const ZONES = 3;
/** So many pods wait, and are decided about at once. */
const WAITING = 200;
/** The quickest of so many tries counts: the others were interrupted. */
const TRIES = 3;
/** The work for a pod may grow a little with pods and Deployments, since what is remembered is looked up in larger tables. With nodes it grows as kube-scheduler's sample of them does, from 50 of 50 to 500 of 5,000. */
const MOST_EXPONENTS: Readonly<Record<keyof Size, number>> = { pods: 0.25, nodes: 0.75, deployments: 0.25 };

/** Shows how the scheduler's work for one pod grows with the cluster: `npm run bench -- --schedule`. Resolves to a line for each exponent that is too large. */
export async function scheduleBench(): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const wish of Object.keys(WISHES) as Wish[]) {
    console.log(`pods ${wish}: microseconds of a decision`);
    for (const what of Object.keys(GROWING) as (keyof Size)[]) {
      const points = GROWING[what].map((size) => ({ size, cost: decisionMs(wish, { ...USUAL, [what]: size }) }));
      const { exponent } = fitPower(points);
      const figures = points.map(({ size, cost }) => `${size}: ${(cost * 1_000).toFixed(0)}`).join(', ');
      console.log(`  ${what.padEnd(12)} ${figures}; to the power of ${exponent.toFixed(2)}`);
      if (exponent > MOST_EXPONENTS[what]) wrong.push(`pods ${wish}: ${what} to the power of ${exponent.toFixed(2)}`);
    }
  }
  return wrong;
}

/** Returns what one decision takes, in milliseconds. */
function decisionMs(wish: Wish, size: Size): number {
  const nodes = Array.from({ length: size.nodes }, (_, at) => nodeNumber(at));
  const pods = ClusterPods.of(podsOf(wish, size));
  // The picture is made before: a sync finds it.
  const times = Array.from({ length: TRIES }, () => {
    const beganMs = performance.now();
    const cluster = Snapshot.of(nodes, pods, {});
    const { decisions } = decideSchedule({ pods, cluster, budgets: [], isLeft, mayRepel: true, limit: WAITING });
    const tookMs = performance.now() - beganMs;
    const bound = decisions.filter(({ decided }) => decided.decision === 'bind').length;
    if (bound !== WAITING) throw new Error(`${bound} of ${WAITING} pods were given a node`);
    return tookMs / WAITING;
  });
  return Math.min(...times);
}

const isLeft = () => false;

function* podsOf(wish: Wish, { pods, nodes, deployments }: Size): Generator<Pod> {
  for (let at = 0; at < pods; at += 1) yield podNumber(at, wish, `web-${at % deployments}`, `node-${at % nodes}`);
  for (let at = 0; at < WAITING; at += 1) yield podNumber(pods + at, wish, `web-${at % deployments}`);
}

function podNumber(at: number, wish: Wish, app: string, on?: string): Pod {
  const labels = { app, 'pod-template-hash': 'abc' };
  const requests = { cpu: '1m', memory: '1Mi' };
  return pod(`${app}-${at}`, { labels, requests, ownerUid: `uid-${app}`, spec: WISHES[wish](app), ...(on && { on }) });
}

function nodeNumber(at: number): Node {
  const labels = { 'topology.kubernetes.io/zone': `zone-${at % ZONES}` };
  return node(`node-${at}`, { labels, allocatable: { pods: '100000', cpu: '1000', memory: '1Ti' } });
}
