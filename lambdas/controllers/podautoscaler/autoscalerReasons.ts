import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';
import type { Arithmetic } from './calculateReplicas.ts';

export interface MetricAsksFor {
  readonly name: string;
  /** As a user reads it, like the target: `75%`, `250m`. */
  readonly measured: string;
  readonly target: string;
  readonly replicas: number;
  readonly arithmetic: Arithmetic;
}

/** Why an autoscaler changes the replicas, or does not. Messages are Kubernetes'. */
export const autoscalerReasons = {
  ...sharedReasons,
  scaleIsUnknown: ({ message }: { readonly message: string }) =>
    `it changes nothing, because the scale of its target cannot be read: ${message}`,
  scalingIsDisabled: () => 'it changes nothing, because its target has 0 replicas, which switches it off',
  replicasOutOfBounds: ({
    replicas,
    min,
    max,
  }: {
    readonly replicas: number;
    readonly min: number;
    readonly max: number;
  }) => `its target has ${replicas} replicas, which is outside of its bounds, ${min} to ${max}`,
  podsAreUnknown: ({ message }: { readonly message: string }) =>
    `it changes nothing, because it cannot tell which pods it scales: ${message}`,
  metricIsUnknown: ({ message }: { readonly message: string }) => `a metric is not known: ${message}`,
  metricsAreUnknown: ({ message }: { readonly message: string }) => `it changes nothing: ${message}`,
  metricAsksFor: arithmeticInWords,
  /** Recent recommendations hold the replicas back. */
  isStabilized: ({ desired, stabilized }: { readonly desired: number; readonly stabilized: number }) =>
    `the metrics ask for ${desired} replicas; recent recommendations allow ${stabilized}`,
  /** A bound or a rate does. */
  isLimited: ({ message, replicas }: { readonly message: string; readonly replicas: number }) =>
    `${message}, so it is ${replicas}`,
  replicasStay: ({ replicas }: { readonly replicas: number }) => `the ${replicas} replicas stay`,
  rescales: ({ from, to }: { readonly from: number; readonly to: number }) =>
    `the replicas change from ${from} to ${to}`,
};

export type Reason = ReasonOf<typeof autoscalerReasons>;

export const { reasonInWords } = wordsOf(autoscalerReasons);

/** `cpu resource utilization (percentage of request): 75% is 1.5 times the wanted 50%; 1.5 × 3 pods = 4.5, so it asks for 5`. */
function arithmeticInWords(because: MetricAsksFor): string {
  const { name, measured, target, replicas, arithmetic } = because;
  const { ratio, filledRatio, unready, missing, kept, counted } = arithmetic;
  const result = kept === undefined ? `so it asks for ${replicas}` : `so it asks for the ${replicas} that there are`;
  const used = filledRatio ?? ratio;
  const product = counted === undefined ? [] : [`${inWords(used)} × ${counted} pods = ${inWords(used * counted)}`];
  const steps = [
    ...(filledRatio === undefined
      ? []
      : [
          `with the pods whose values do not count yet (${unready} not ready, ${missing} not measured) ${inWords(filledRatio)} times`,
        ]),
    ...(kept === 'tolerance' ? ['that is within the tolerance'] : []),
    ...(kept === 'direction' ? ['that would turn the change round'] : []),
    ...(kept === undefined ? product : []),
  ];
  return `${name}: ${measured} is ${inWords(ratio)} times the wanted ${target}${steps.map((step) => `; ${step}`).join('')}, ${result}`;
}

/** At most three digits after the point. */
function inWords(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}
