import type {
  MutatingWebhook,
  MutatingWebhookConfiguration as ApiMutatingConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration as ApiValidatingConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { Stored } from '../../../objects/KubernetesObject.ts';
import type { Condition } from '../policies/Condition.ts';
import type { FailurePolicy } from '../policies/matchConditions.ts';

export type MutatingWebhookConfiguration = Stored<ApiMutatingConfiguration>;
export type ValidatingWebhookConfiguration = Stored<ApiValidatingConfiguration>;

export const MUTATING_CONFIGURATIONS = 'mutatingwebhookconfigurations.admissionregistration.k8s.io';
export const VALIDATING_CONFIGURATIONS = 'validatingwebhookconfigurations.admissionregistration.k8s.io';

/** Kubernetes' default, in seconds. */
const DEFAULT_TIMEOUT_SECONDS = 10;

/** One webhook of a configuration. */
export interface Webhook {
  /** Distinguishes it from all others. */
  readonly id: string;
  readonly name: string;
  /** The name of its configuration. */
  readonly configuration: string;
  readonly spec: MutatingWebhook & ValidatingWebhook;
  readonly failurePolicy: FailurePolicy;
  readonly timeoutMs: number;
  /** Its compiled match conditions. The expression language is loaded when they are first asked for. */
  conditions(): Promise<readonly Condition[]>;
}

/** Returns the webhooks of a configuration, in its order. Pure. */
export function webhooksOf({
  metadata,
  webhooks = [],
}: MutatingWebhookConfiguration | ValidatingWebhookConfiguration): readonly Webhook[] {
  return webhooks.map((spec) => {
    let conditions: Promise<readonly Condition[]> | undefined;
    return {
      id: `${metadata.uid}/${spec.name}`,
      name: spec.name,
      configuration: metadata.name,
      spec,
      failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
      timeoutMs: (spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      conditions: () => (conditions ??= compileConditions(spec)),
    };
  });
}

async function compileConditions({ matchConditions = [] }: Webhook['spec']): Promise<readonly Condition[]> {
  if (matchConditions.length === 0) return [];
  const { compileMatchConditions } = await import('../policies/matchConditions.ts');
  return compileMatchConditions(matchConditions);
}
