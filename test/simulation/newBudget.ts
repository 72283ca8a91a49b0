import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { BudgetSpec, Target } from './ClientOp.ts';

/** Returns the object that a script's `createBudget` sends. */
export function newBudget({ namespace, name, app }: Target, spec: BudgetSpec): NewObject {
  const selector = { matchLabels: { app } };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace, name },
    spec: { selector, ...spec },
  };
}
