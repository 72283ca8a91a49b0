import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isPodLevelResource } from '../../objects/pods/podLevelResources.ts';
import { containerAmounts } from '../../objects/quantities/quota.ts';
import { formatAmounts } from '../../objects/quantities/resourceAmounts.ts';
import { isOvercommitAllowed } from '../validation/resourceNames.ts';
import { applyContainerDefaults } from './applyContainerDefaults.ts';
import { applyVolumeDefaults } from './applyVolumeDefaults.ts';
import {
  canonicalizeResourceList,
  childDraft,
  type Draft,
  fillAbsent,
  fillZero,
  isDraft,
  itemDrafts,
  presentDraft,
} from './drafts.ts';
import { dropZeroValues } from './dropZeroValues.ts';

const REGULAR_AND_INIT = ['containers', 'initContainers'];
const ALL_CONTAINERS = [...REGULAR_AND_INIT, 'ephemeralContainers'];

/** Fills in the defaults of a pod: those of a template, and those that Kubernetes fills in for pods only and never in templates. */
export function applyPodDefaults(draft: KubernetesObject): void {
  applyPodTemplateDefaults(draft);
  const spec = childDraft(draft, 'spec');
  const containers = REGULAR_AND_INIT.flatMap((list) => itemDrafts(spec, list));
  for (const container of containers) requestWhatIsLimited(container);
  requestForPod(spec);
  fillAbsent(spec, 'enableServiceLinks', true);
  if (spec['hostNetwork'] === true) for (const container of containers) exposePortsOnHost(container);
  applyStatusDefaults(presentDraft(draft, 'status'));
}

/** A status that a client sends may tell its only address in the older way. */
function applyStatusDefaults(status: Draft | undefined): void {
  if (status?.['podIP']) fillAbsent(status, 'podIPs', [{ ip: status['podIP'] }]);
}

function requestWhatIsLimited(container: Draft): void {
  const resources = presentDraft(container, 'resources') ?? {};
  const limits = presentDraft(resources, 'limits');
  if (limits === undefined) return;
  const requests = childDraft(resources, 'requests');
  if (isDraft(resources['requests'])) resources['requests'] = { ...limits, ...requests };
}

/** A pod that is limited as a whole requests what its containers request together, or else what it may use. */
function requestForPod(spec: Draft): void {
  const resources = presentDraft(spec, 'resources') ?? {};
  const limits = presentDraft(resources, 'limits');
  if (limits === undefined || Object.keys(limits).length === 0) return;
  const requests = childDraft(resources, 'requests');
  const together = formatAmounts(containerAmounts(spec as unknown as PodSpec, 'requests'));
  const missing = (amounts: Draft, isRequested: (name: string) => boolean) =>
    Object.entries(amounts).filter(([name]) => requests[name] === undefined && isRequested(name));
  for (const [name, amount] of missing(together, (one) => isPodLevelResource(one) && isOvercommitAllowed(one)))
    requests[name] = amount;
  for (const [name, amount] of missing(limits, isPodLevelResource)) requests[name] = amount;
}

function exposePortsOnHost(container: Draft): void {
  for (const port of itemDrafts(container, 'ports')) fillZero(port, 'hostPort', port['containerPort']);
}

/** Fills in the defaults that pods and pod templates share. `template` is the object that holds `metadata` and `spec`. */
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
  const resources = presentDraft(spec, 'resources');
  if (resources) for (const list of ['requests', 'limits']) canonicalizeResourceList(resources, list);
  for (const volume of itemDrafts(spec, 'volumes')) applyVolumeDefaults(volume);
  for (const list of ALL_CONTAINERS) {
    for (const container of itemDrafts(spec, list)) applyContainerDefaults(container);
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`. Both are always served; if they differ, the new one wins. */
function copyServiceAccount(spec: Draft): void {
  const name = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (name === undefined) return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}
