import { ROLLBACK_TO } from '../../objects/deployments/deploymentAnnotations.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { childDraft, type Draft, isDraft, presentDraft } from '../defaulting/drafts.ts';
import { nonNegative, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textEntriesOf, textOf } from '../validation/fieldsOf.ts';
import { validateAnnotations } from '../validation/validateLabels.ts';

/** `extensions/v1beta1` and `apps/v1beta1` DeploymentRollback: what is posted to `deployments/rollback`. */
interface DeploymentRollback {
  /** The Deployment's name. */
  name: string;
  /** Added to the Deployment's annotations, in place of those with the same keys. */
  updatedAnnotations: Readonly<Record<string, string>>;
  /** Revision 0, or none, means the last revision before the current one. */
  rollbackTo: { revision: number };
}

/** Returns the errors of a posted DeploymentRollback. Pure. */
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
 * Writes a DeploymentRollback into its Deployment, in the storage version: the annotations, and the revision as the annotation that the deployment
 * controller acts on and removes. Changes the draft.
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

/** Turns the field `spec.rollbackTo` of the old versions into the annotation. */
export function annotateRollback(draft: KubernetesObject): void {
  const spec = presentDraft(draft, 'spec');
  const rollbackTo = spec && presentDraft(spec, 'rollbackTo');
  if (spec === undefined || rollbackTo === undefined) return;
  const { revision } = rollbackTo;
  const annotations = childDraft(childDraft(draft, 'metadata'), 'annotations');
  annotations[ROLLBACK_TO] = String(Number.isInteger(revision) ? revision : 0);
  delete spec['rollbackTo'];
}

/** Turns the annotation into `spec.rollbackTo`. An annotation that is not a number stays as it is, since it names no revision. */
export function restoreRollback(draft: KubernetesObject): void {
  const metadata = childDraft(draft, 'metadata');
  const annotations: Draft = presentDraft(metadata, 'annotations') ?? {};
  const text = annotations[ROLLBACK_TO];
  if (typeof text !== 'string' || !/^-?\d+$/.test(text) || !Number.isSafeInteger(Number(text))) return;
  childDraft(draft, 'spec')['rollbackTo'] = { revision: Number(text) };
  const { [ROLLBACK_TO]: _, ...others } = annotations;
  if (Object.keys(others).length > 0) metadata['annotations'] = others;
  else delete metadata['annotations'];
}
