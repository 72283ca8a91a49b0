import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from './applyPodSpecDefaults.ts';
import { childDraft, type Draft, fillAbsent, fillZero, isDraft, itemDrafts, presentDraft } from './drafts.ts';

const CONTAINER_LISTS = ['containers', 'initContainers'];

/** Defaults of a pod: those of its template, and what Kubernetes fills in for pods only, so that templates stay as they were written. */
export function applyPodDefaults(draft: KubernetesObject): void {
  applyPodTemplateDefaults(draft);
  const spec = childDraft(draft, 'spec');
  const containers = CONTAINER_LISTS.flatMap((list) => itemDrafts(spec, list));
  for (const container of containers) requestWhatIsLimited(container);
  fillAbsent(spec, 'enableServiceLinks', true);
  if (spec['hostNetwork'] === true) for (const container of containers) exposePortsOnHost(container);
}

function requestWhatIsLimited(container: Draft): void {
  const resources = presentDraft(container, 'resources') ?? {};
  const limits = presentDraft(resources, 'limits');
  if (limits === undefined) return;
  const requests = childDraft(resources, 'requests');
  if (isDraft(resources['requests'])) resources['requests'] = { ...limits, ...requests };
}

function exposePortsOnHost(container: Draft): void {
  for (const port of itemDrafts(container, 'ports')) fillZero(port, 'hostPort', port['containerPort']);
}
