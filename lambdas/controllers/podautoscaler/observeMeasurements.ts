import type { ApiError } from '../../objects/ApiError.ts';
import type { HorizontalPodAutoscaler, Pod } from '../../objects/kinds.ts';
import { type LabelRequirement, matchesRequirements } from '../../objects/selectors/labelRequirement.ts';
import { parseLabelSelector } from '../../objects/selectors/parseLabelSelector.ts';
import type { MetricsClient } from '../../ports/MetricsClient.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { type Measurements, NO_SELECTOR, type SelectorProblem } from './decideScale.ts';
import { observeMetrics } from './observeMetrics.ts';
import type { ScaleTarget } from './ScaleTarget.ts';
import type { TargetSelectors } from './TargetSelectors.ts';

export interface MeasurementParts {
  readonly registry: RegistryReader;
  readonly metrics: MetricsClient;
  readonly selectors: TargetSelectors;
}

export const AUTOSCALERS = 'horizontalpodautoscalers.autoscaling';

/** Reads the pods that the scale's selector selects, and their metrics. Refuses a selector that does not tell whose pods they are: Kubernetes' `validateAndParseSelector`. */
export async function observeMeasurements(
  { registry, metrics, selectors }: MeasurementParts,
  autoscaler: HorizontalPodAutoscaler,
  { scale }: Pick<ScaleTarget, 'scale'>,
  nowMs: number,
): Promise<Measurements> {
  const { namespace = '' } = autoscaler.metadata;
  if (scale.selector === '') return { status: 'refused', problem: NO_SELECTOR };
  const parsed = parseSelector(scale.selector);
  if (!Array.isArray(parsed)) return { status: 'refused', problem: parsed };
  const [all, others] = await Promise.all([
    registry.list<Pod>('pods', { namespace }),
    observeOthers(registry, selectors, autoscaler),
  ]);
  const pods = all.items.filter(({ metadata }) => matchesRequirements(parsed, metadata.labels));
  const ambiguous = others.filter(({ requirements }) =>
    pods.some(({ metadata }) => matchesRequirements(requirements, metadata.labels)),
  );
  if (ambiguous.length > 0) {
    const names = [autoscaler, ...ambiguous.map((one) => one.autoscaler)].map(({ metadata }) => metadata.name);
    return { status: 'refused', problem: ambiguousSelector(scale.selector, namespace, names) };
  }
  const specs = autoscaler.spec?.metrics ?? [];
  return { status: 'read', pods, readings: await observeMetrics(metrics, specs, { namespace, pods, nowMs }) };
}

function parseSelector(selector: string): LabelRequirement[] | SelectorProblem {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    const why = (error as ApiError).message;
    return problem(
      'InvalidSelector',
      `couldn't convert selector into a corresponding internal selector object: ${why}`,
    );
  }
}

function ambiguousSelector(selector: string, namespace: string, names: readonly string[]): SelectorProblem {
  const keys = names.toSorted().map((name) => `{${namespace} ${name}}`);
  return problem(
    'AmbiguousSelector',
    `pods by selector ${selector} are controlled by multiple HPAs: [${keys.join(' ')}]`,
  );
}

function problem(reason: string, message: string): SelectorProblem {
  return {
    event: { type: 'Warning', reason, message },
    condition: { type: 'ScalingActive', status: 'False', reason, message },
  };
}

interface Other {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly requirements: readonly LabelRequirement[];
}

/** The other autoscalers of the namespace, with the selectors of what they scale. */
async function observeOthers(
  registry: RegistryReader,
  selectors: TargetSelectors,
  { metadata }: HorizontalPodAutoscaler,
): Promise<readonly Other[]> {
  const { namespace = '' } = metadata;
  const { items } = await registry.list<HorizontalPodAutoscaler>(AUTOSCALERS, { namespace });
  const others = items.filter((one) => one.metadata.name !== metadata.name);
  const found = await Promise.all(
    others.map(async (autoscaler) => {
      const requirements = await selectors.requirementsOf(autoscaler);
      return requirements ? [{ autoscaler, requirements }] : [];
    }),
  );
  return found.flat();
}
