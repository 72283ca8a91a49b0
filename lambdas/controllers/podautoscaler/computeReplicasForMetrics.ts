import type { MetricSpec, MetricStatus } from 'kubernetes-types/autoscaling/v2.js';
import type { NewCondition } from './autoscalerConditions.ts';
import type { ReplicaFacts } from './calculateReplicas.ts';
import { computeReplicasForMetric, type MetricProposal } from './computeReplicasForMetric.ts';
import type { MetricReading } from './observeMetrics.ts';

/** What all metrics together ask for. */
export interface MetricsProposal {
  /** Absent: it is not known, and nothing may be changed. */
  readonly replicas?: number;
  /** The metric that asks for the most replicas, as messages name it. */
  readonly metricName: string;
  readonly statuses: readonly MetricStatus[];
  readonly condition: NewCondition;
  /** Each metric in the order of the spec. */
  readonly proposals: readonly MetricProposal[];
  /** The error about all metrics that failed; absent: none did. */
  readonly error?: string;
}

/** Kubernetes' `computeReplicasForMetrics`: the most that any metric asks for. As long as one of them is not known, pods are only added. Pure. */
export function computeReplicasForMetrics(
  specs: readonly MetricSpec[],
  readings: readonly MetricReading[],
  facts: ReplicaFacts,
): MetricsProposal {
  const proposals = specs.map((spec, nth) =>
    computeReplicasForMetric(spec, readings[nth] ?? { of: 'nothing', message: 'it was not read' }, facts),
  );
  const known = proposals.filter((one) => one.status === 'proposed');
  const failed = proposals.filter((one) => one.status === 'failed');
  const most = known.reduce<(typeof known)[number] | undefined>(
    (best, one) => (!best || best.replicas === 0 || one.replicas > best.replicas ? one : best),
    undefined,
  );
  const replicas = most?.replicas ?? 0;
  const [first] = failed;
  const common = {
    statuses: proposals.map(statusOf),
    proposals,
    ...(first && {
      error: `invalid metrics (${failed.length} invalid out of ${specs.length}), first error is: ${first.context}`,
    }),
  };
  if (first && (known.length === 0 || replicas < facts.currentReplicas))
    return { ...common, metricName: '', condition: unableToCompute(first.reason, first.message) };
  const metricName = most?.name ?? '';
  const message = `the HPA was able to successfully calculate a replica count from ${metricName}`;
  const condition = { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message } as const;
  return { ...common, replicas, metricName, condition };
}

function unableToCompute(reason: string, message: string): NewCondition {
  const text = `the HPA was unable to compute the replica count: ${message}`;
  return { type: 'ScalingActive', status: 'False', reason, message: text };
}

/** A metric that is not known has an entry without a type, as in Kubernetes: the n-th status is that of the n-th metric. */
function statusOf(proposal: MetricProposal): MetricStatus {
  return proposal.status === 'proposed' ? proposal.metricStatus : { type: '' };
}
