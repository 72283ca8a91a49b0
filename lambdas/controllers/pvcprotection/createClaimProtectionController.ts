import type { Pod } from '../../objects/kinds.ts';
import { CLAIM_PROTECTION, protectionStep } from '../../objects/storageProtection.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { protectionReport, writeProtection } from './writeProtection.ts';

const CLAIMS = 'persistentvolumeclaims';

/** Kubernetes' controller that keeps a claim that is being deleted until no pod uses it. */
export function createClaimProtectionController(): Controller<SyncContext> {
  return {
    name: 'pvcprotection',
    resources: [CLAIMS],
    watches: [CLAIMS, 'pods'],
    keysFor: keysForChange,
    keysToResync: (claim) => (protectionStep(claim, CLAIM_PROTECTION) ? [keyOf(claim.metadata)] : []),
    sync: syncClaim,
  };
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): WorkKey {
  return { controller: 'pvcprotection', namespace, name };
}

/** Of a pod, only its end can set a claim free. */
function keysForChange(change: Change): readonly KeyToSend[] {
  const subject = subjectOf(change);
  if (change.resource === CLAIMS)
    return change.after && protectionStep(subject, CLAIM_PROTECTION) ? [{ key: keyOf(subject.metadata) }] : [];
  if (change.type !== 'DELETED') return [];
  const { namespace } = subject.metadata;
  return claimsOf(subject).map((name) => ({ key: keyOf({ ...(namespace !== undefined && { namespace }), name }) }));
}

/** The names of the claims that a pod uses, those that were made for it included. */
function claimsOf({ metadata, spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [persistentVolumeClaim.claimName];
    return ephemeral ? [`${metadata.name}-${name}`] : [];
  });
}

/** Kubernetes' `processPVC`. */
async function syncClaim({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const claim = await registry.get({ resource: CLAIMS, namespace, name });
  if (!claim) return protectionReport({ reason: 'isGone' });
  const step = protectionStep(claim, CLAIM_PROTECTION);
  if (!step) return protectionReport({ reason: 'protectionIsRight' });
  if (step === 'release') {
    const { items } = await registry.list<Pod>('pods', { namespace });
    const pod = items.find((one) => usesClaim(one, name));
    if (pod) return protectionReport({ reason: 'isUsedBy', name: `pod ${pod.metadata.name}` });
  }
  return await writeProtection(registry, CLAIMS, claim, CLAIM_PROTECTION, step);
}

/** A pod without a node does not count: a kubelet does not start one whose claim is being deleted. */
function usesClaim(pod: Pod, name: string): boolean {
  return (pod.spec?.nodeName ?? '') !== '' && claimsOf(pod).includes(name);
}
