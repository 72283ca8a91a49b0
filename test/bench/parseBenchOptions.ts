import { parseArgs } from 'node:util';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { POD_SHAPES, type PodShape } from './benchPods.ts';
import type { LatencyBenchOptions } from './latency/latencyBench.ts';
import type { LoadBenchOptions } from './loadBench.ts';
import type { ModelBenchOptions } from './modelBench.ts';
import { MODEL_TARGETS } from './modelTargets.ts';

export const USAGE = `usage: npm run bench
       npm run bench -- --emulate-cloud | --kubectl | --abandoned-watches | --watch-prices | --node-prices | --schedule |
                        --churn N | --list N | --restart N | --dashboard N
       npm run bench -- --pods N,… [--deployments D] [--watchers W] [--profile DIR]
       npm run bench -- --model --target latency [--seeds N]
       npm run bench -- --model [--target NAME] [--pods N] [--namespaces K] [--deployments D] [--watches M] [--only-created] [--knobs JSON]

  without options   time rollouts, a Job and a StatefulSet of our own server, or of the one at BASE_URL; REPLICAS pods (1000)
  --emulate-cloud   count what rollouts of PODS pods (100,1000,2000) cost over the emulators
  --kubectl         time what a new user does with kubectl over the emulated cloud
  --abandoned-watches  time a rollout while all places of watches are held by clients that have gone
  --watch-prices    compare what open watches cost, with the function and with the container
  --node-prices     count what a node with a kubelet costs a month, in simulated time
  --schedule        show how the scheduler's work for a pod grows with pods, nodes and Deployments
  --churn N         count what a list costs after N pods were created and removed
  --list N          measure a list of N pods: bytes, time and memory
  --restart N       time a start with N pods in the data directory
  --dashboard N     measure how smoothly a browser draws a rollout of N pods
  --pods N,…        time rollouts of these numbers of pods, each on a fresh server: CPU and memory a pod, late timers and
                    answers, and how the cost grows. The server at PEER_URL is measured beside it
  --deployments D   to which the pods belong (1)
  --watchers W      clients that watch the pods (0)
  --shape NAME      the pods of every bench but latency, list and kubectl: full (the default: as users write them, with requests,
                    probes, a ConfigMap, a token and a spread constraint), requests (nothing else), or bare
  --profile DIR     leave CPU profiles in this directory
  --model           run the stack over models of AWS' services, in simulated time
    --target NAME   a load that the stack must bear: ${Object.keys(MODEL_TARGETS).join(', ')}
                    latency: how long a person waits, in milliseconds
    --seeds N       worlds for the latency (40)
    --pods N        of all namespaces together (1000)
    --namespaces K  (1)
    --deployments D of each namespace (1)
    --watches M     open watches on the pods (0)
    --only-created  end when all pods are available
    --knobs JSON    knobs of the stack, as in cdk.json without "driftless:"`;

export type BenchOptions =
  | { readonly run: 'help' | 'kubectl' | 'abandoned' | 'watches' | 'nodes' | 'schedule' }
  | { readonly run: 'speed' | 'cost'; readonly shape: PodShape }
  | { readonly run: 'usage'; readonly problem: string }
  | { readonly run: 'list'; readonly pods: number }
  | { readonly run: 'churn' | 'restart' | 'dashboard'; readonly pods: number; readonly shape: PodShape }
  | { readonly run: 'load'; readonly options: Omit<LoadBenchOptions, 'peerUrl'> }
  | { readonly run: 'latency'; readonly options: LatencyBenchOptions }
  | { readonly run: 'model'; readonly options: ModelBenchOptions };

const OPTIONS = {
  help: { type: 'boolean' },
  'emulate-cloud': { type: 'boolean' },
  kubectl: { type: 'boolean' },
  'abandoned-watches': { type: 'boolean' },
  'watch-prices': { type: 'boolean' },
  'node-prices': { type: 'boolean' },
  schedule: { type: 'boolean' },
  model: { type: 'boolean' },
  churn: { type: 'string' },
  list: { type: 'string' },
  restart: { type: 'string' },
  dashboard: { type: 'string' },
  target: { type: 'string' },
  seeds: { type: 'string' },
  pods: { type: 'string' },
  namespaces: { type: 'string' },
  deployments: { type: 'string' },
  watches: { type: 'string' },
  watchers: { type: 'string' },
  profile: { type: 'string' },
  'only-created': { type: 'boolean' },
  knobs: { type: 'string' },
  shape: { type: 'string' },
} as const;

type Values = ReturnType<typeof readArguments>;
type CountName = 'pods' | 'namespaces' | 'deployments' | 'watches';

/** What the bench over models measures unless it is told otherwise. */
const DEFAULT_COUNTS = { pods: 1_000, namespaces: 1, deployments: 1, watches: 0 };
/** For so many worlds with a small Deployment there is one with a large one. */
const LATENCY_SEEDS_PER_LARGE = 4;
const MAX_COUNT = 1_000_000;

/** The command line as options; what cannot be read comes back as `usage`. Never throws. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  try {
    return optionsOf(readArguments(args));
  } catch (error) {
    return { run: 'usage', problem: (error as Error).message.split('\n', 1)[0] ?? '' };
  }
}

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS }).values;
}

function optionsOf(values: Values): BenchOptions {
  if (values.help) return { run: 'help' };
  const shape = shapeOf(values.shape ?? 'full');
  if (values.churn !== undefined) return { run: 'churn', pods: count('churn', values.churn, 1), shape };
  if (values.list !== undefined) return { run: 'list', pods: count('list', values.list, 1) };
  if (values.restart !== undefined) return { run: 'restart', pods: count('restart', values.restart, 1), shape };
  if (values.dashboard !== undefined) return { run: 'dashboard', pods: count('dashboard', values.dashboard, 1), shape };
  if (values.model && values.target === 'latency') return { run: 'latency', options: latencyOptions(values) };
  if (values.model) return { run: 'model', options: { ...modelOptions(values), shape } };
  if (values.pods !== undefined) return { run: 'load', options: { ...loadOptions(values, values.pods), shape } };
  if (values.kubectl) return { run: 'kubectl' };
  if (values['abandoned-watches']) return { run: 'abandoned' };
  if (values['watch-prices']) return { run: 'watches' };
  if (values['node-prices']) return { run: 'nodes' };
  if (values.schedule) return { run: 'schedule' };
  return { run: values['emulate-cloud'] ? 'cost' : 'speed', shape };
}

function loadOptions({ deployments = '1', watchers = '0', profile }: Values, pods: string) {
  return {
    sizes: pods.split(',').map((size) => count('pods', size, 1)),
    deployments: count('deployments', deployments, 1),
    watchers: count('watchers', watchers, 0),
    profileInto: profile,
  };
}

function latencyOptions({ seeds = '40' }: Values): LatencyBenchOptions {
  const number = count('seeds', seeds, 1);
  return { seeds: number, largeSeeds: Math.ceil(number / LATENCY_SEEDS_PER_LARGE) };
}

function modelOptions(values: Values): Omit<ModelBenchOptions, 'shape'> {
  const target = values.target === undefined ? undefined : MODEL_TARGETS[values.target];
  if (values.target !== undefined && !target)
    throw new Error(`--target must be one of latency, ${Object.keys(MODEL_TARGETS).join(', ')}`);
  const counted = { ...DEFAULT_COUNTS, ...target };
  const given = (name: CountName, least: number) => count(name, values[name] ?? String(counted[name]), least);
  return {
    ...target,
    pods: given('pods', 1),
    namespaces: given('namespaces', 1),
    deployments: given('deployments', 1),
    watches: given('watches', 0),
    isOnlyCreated: values['only-created'] === true,
    knobs: parseStackProps({ ...target?.knobs, ...knobsOf(values.knobs ?? '{}') }),
  };
}

function shapeOf(text: string): PodShape {
  const shape = POD_SHAPES.find((known) => known === text);
  if (shape) return shape;
  throw new Error(`--shape must be one of ${POD_SHAPES.join(', ')}`);
}

function count(name: string, value: string, least: number): number {
  if (/^\d{1,7}$/.test(value) && Number(value) >= least && Number(value) <= MAX_COUNT) return Number(value);
  throw new Error(`--${name} needs a whole number from ${least} to ${MAX_COUNT}, not ${JSON.stringify(value)}`);
}

function knobsOf(text: string): object {
  let knobs: unknown;
  try {
    knobs = JSON.parse(text);
  } catch {
    // Said below, as for any other JSON.
  }
  if (typeof knobs === 'object' && knobs !== null && !Array.isArray(knobs)) return knobs;
  throw new Error(`--knobs needs a JSON object, not ${JSON.stringify(text)}`);
}
