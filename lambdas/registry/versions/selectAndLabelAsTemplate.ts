import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { labelAsTemplate, templateLabels } from '../defaulting/applyReplicationControllerDefaults.ts';
import { childDraft, fillAbsent } from '../defaulting/drafts.ts';

/** What versions before apps/v1beta2 do for who names no selector, or puts no labels on the object itself: both are the template's labels. */
export function selectAndLabelAsTemplate(draft: KubernetesObject): void {
  const labels = templateLabels(draft);
  if (labels === undefined) return;
  fillAbsent(childDraft(draft, 'spec'), 'selector', { matchLabels: { ...labels } });
  labelAsTemplate(draft);
}
