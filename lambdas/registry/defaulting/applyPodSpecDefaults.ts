import { applyContainerDefaults } from './applyContainerDefaults.ts';
import { applyVolumeDefaults } from './applyVolumeDefaults.ts';
import { canonicalizeResourceList } from './canonicalizeQuantities.ts';
import { childDraft, type Draft, fillAbsent, fillZero, itemDrafts } from './drafts.ts';
import { dropZeroValues } from './dropZeroValues.ts';

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Defaults that a pod and a pod template have in common, in the object that holds `metadata` and `spec`. */
export function applyPodTemplateDefaults(template: Draft): void {
  const spec = childDraft(template, 'spec');
  dropZeroValues(childDraft(template, 'metadata'));
  dropZeroValues(spec);
  applyPodSpecDefaults(spec);
}

function applyPodSpecDefaults(spec: Draft): void {
  fillZero(spec, 'dnsPolicy', 'ClusterFirst');
  fillZero(spec, 'restartPolicy', 'Always');
  fillAbsent(spec, 'securityContext', {});
  fillAbsent(spec, 'terminationGracePeriodSeconds', 30);
  fillZero(spec, 'schedulerName', 'default-scheduler');
  copyServiceAccount(spec);
  canonicalizeResourceList(spec, 'overhead');
  for (const volume of itemDrafts(spec, 'volumes')) applyVolumeDefaults(volume);
  for (const list of CONTAINER_LISTS) {
    for (const container of itemDrafts(spec, list)) applyContainerDefaults(container);
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are always served, and the new one wins. */
function copyServiceAccount(spec: Draft): void {
  const name = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (name === undefined) return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}
