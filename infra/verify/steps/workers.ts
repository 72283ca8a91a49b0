import type { Pod } from 'kubernetes-types/core/v1.js';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { deployedOfType } from '../StackAccount.ts';
import { knobOf, type Place, unlessInCloud } from '../Place.ts';
import { poll } from '../RunClock.ts';
import { listNodes } from '../simulatedDeployment.ts';
import { failed, ok, type Step, type Verdict } from '../Step.ts';

export interface WorkerFacts {
  /** The nodes that a kubelet owns, and whether they are ready. */
  readonly nodes: readonly { readonly isReady: boolean; readonly version: string }[];
  /** The phase of a pod that was put on the first one; undefined if there is none. */
  readonly phase: string | undefined;
  /** What the API has read of its log. */
  readonly log: string;
}

const WORD = 'driftless-was-here';
const IMAGE = 'public.ecr.aws/docker/library/busybox:stable';
/** An image is pulled meanwhile. */
const PATIENCE = { everyMs: 2_000, patienceMs: 180_000 };

/** Whether kubelets have joined, run a pod, and can be asked for its log. */
export const workers: Step<WorkerFacts> = {
  id: 'workers',
  expects: 'Each real node is ready, runs a pod, and the API reads its log.',
  unavailable: (place) =>
    unlessInCloud(place, (cloud) => (hasNodes(place, cloud.stack) ? undefined : 'the stack has no real nodes')),
  observe: observeWorkers,
  judge: judgeWorkers,
};

function hasNodes(place: Place, stack: Parameters<typeof deployedOfType>[0]): boolean {
  return (
    deployedOfType(stack, 'AWS::AutoScaling::AutoScalingGroup').length > 0 || knobOf(place, 'nodeNetwork') !== undefined
  );
}

async function observeWorkers({ api, clock, namespace }: Place): Promise<WorkerFacts> {
  const { real } = await listNodes(api);
  const nodes = real.map((node) => ({ isReady: isReady(node), version: node.status?.nodeInfo?.kubeletVersion ?? '' }));
  const chosen = real.find(isReady)?.metadata?.name;
  if (chosen === undefined) return { nodes, phase: undefined, log: '' };
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.post(pods, podOn(chosen));
  const phase = await poll(clock, PATIENCE, async () => {
    const { status } = await api.get<Pod>(`${pods}/logged`);
    return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? status.phase : undefined;
  });
  const log = phase === 'Succeeded' ? await api.text(`${pods}/logged/log`) : '';
  return { nodes, phase: phase ?? 'not finished', log };
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

function podOn(nodeName: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'logged' },
    spec: {
      nodeName,
      restartPolicy: 'Never',
      containers: [{ name: 'echo', image: IMAGE, command: ['echo', WORD] }],
    },
  };
}

export function judgeWorkers({ nodes, phase, log }: WorkerFacts): Verdict {
  if (nodes.length === 0) return failed('No kubelet has joined.');
  const unready = nodes.filter((node) => !node.isReady).length;
  if (unready > 0) return failed(`${unready} of ${nodes.length} real nodes are not ready.`);
  if (phase !== 'Succeeded') return failed(`A pod on a real node is ${phase ?? 'not started'}.`);
  if (!log.includes(WORD)) return failed('The log of a pod on a real node is not what the pod has written.');
  const versions = [...new Set(nodes.map(({ version }) => version))].join(', ');
  return ok(`${nodes.length} real nodes (${versions}) are ready, one has run a pod, and its log can be read.`);
}
