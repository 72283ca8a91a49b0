import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp } from './ClientOp.ts';
import { newJobTemplate } from './newJobTemplate.ts';

/** Returns the Job that a script's `createJob` sends. Its pods have the target's label `app`. */
export function newJob(op: Extract<ClientOp, { op: 'createJob' }>): NewObject {
  const { target, habits, parallelism, completions, isIndexed, backoffLimit, backoffLimitPerIndex, suspended } = op;
  const labels = { app: target.app };
  const template = newJobTemplate(target, habits);
  const spec = {
    parallelism,
    completions,
    backoffLimit,
    suspend: suspended,
    ...(isIndexed && { completionMode: 'Indexed' }),
    ...(backoffLimitPerIndex !== undefined && { backoffLimitPerIndex }),
    ...(op.replacesFailedOnly && { podReplacementPolicy: 'Failed' }),
    template,
  };
  const { namespace, name } = target;
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace, name, labels }, spec };
}
