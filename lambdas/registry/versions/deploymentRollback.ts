import { ROLLBACK_TO } from '../../objects/deploymentAnnotations.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isDraft } from '../defaulting/drafts.ts';
import { nonNegative, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textEntriesOf, textOf } from '../validation/fieldsOf.ts';
import { validateAnnotations } from '../validation/validateLabels.ts';

/** `extensions/v1beta1` and `apps/v1beta1` DeploymentRollback: what is posted to `deployments/rollback`. */
interface DeploymentRollback {
  /** The Deployment's name. */
  name: string;
  /** To be put on the Deployment, over what it has. */
  updatedAnnotations: Readonly<Record<string, string>>;
  /** Revision 0, or none, is the last one before the present. */
  rollbackTo: { revision: number };
}

/** Everything wrong with a posted DeploymentRollback. Pure. */
export function validateDeploymentRollback(rollback: unknown): FieldError[] {
  const { name, updatedAnnotations, rollbackTo } = fieldsOf<DeploymentRollback>(rollback);
  const { revision } = fieldsOf<DeploymentRollback['rollbackTo']>(rollbackTo);
  return [
    ...validateAnnotations(updatedAnnotations, 'updatedAnnotations'),
    ...(textOf(name) === '' ? [required('name', 'name is required')] : []),
    ...nonNegative('rollback.version', numberOf(revision)),
  ];
}

/**
 * Writes a DeploymentRollback into the Deployment that it is about, in the storage version: its annotations, and the revision as the annotation that the deployment controller
 * acts on and removes. `draft` is the callee's to change.
 */
export function applyDeploymentRollback(draft: KubernetesObject, rollback: unknown): void {
  const { updatedAnnotations, rollbackTo } = fieldsOf<DeploymentRollback>(rollback);
  const { revision } = fieldsOf<DeploymentRollback['rollbackTo']>(isPresent(rollbackTo) ? rollbackTo : {});
  const annotations: unknown = draft.metadata.annotations;
  draft.metadata.annotations = {
    ...(isDraft(annotations) ? draft.metadata.annotations : {}),
    ...Object.fromEntries(textEntriesOf(updatedAnnotations)),
    [ROLLBACK_TO]: String(numberOf(revision)),
  };
}
