import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { ROLLBACK_TO } from '../../objects/deploymentAnnotations.ts';
import { childDraft, type Draft, presentDraft } from '../defaulting/drafts.ts';

/** From `spec.rollbackTo` to the annotation, for versions that have it as a field. */
export function annotateRollback(draft: KubernetesObject): void {
  const spec = presentDraft(draft, 'spec');
  const rollbackTo = spec && presentDraft(spec, 'rollbackTo');
  if (spec === undefined || rollbackTo === undefined) return;
  const { revision } = rollbackTo;
  const annotations = childDraft(childDraft(draft, 'metadata'), 'annotations');
  annotations[ROLLBACK_TO] = String(Number.isInteger(revision) ? revision : 0);
  delete spec['rollbackTo'];
}

/** From the annotation to `spec.rollbackTo`. One that is no number stays where it is: nobody could say what it asks for. */
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
