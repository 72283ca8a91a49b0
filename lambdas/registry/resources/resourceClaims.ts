import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { type Draft, childDraft, isDraft, itemDrafts } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { fields } from '../validation/checks.ts';
import { deviceClaim } from '../validation/storage/deviceClaims.ts';
import { fieldsOf } from '../validation/fieldsOf.ts';

interface ResourceClaimStatus {
  readonly allocation?: object;
  readonly reservedFor?: readonly object[];
}

/** One device of a request, unless it says otherwise. */
function applyClaimDefaults(claim: Draft): void {
  for (const request of itemDrafts(childDraft(claim, 'devices'), 'requests')) {
    if (isDraft(request['exactly'])) applyRequestDefaults(request['exactly']);
    for (const alternative of itemDrafts(request, 'firstAvailable')) applyRequestDefaults(alternative);
  }
}

function applyRequestDefaults(request: Draft): void {
  fillDefaults(request, { allocationMode: 'ExactCount', 'tolerations[].operator': 'Equal' });
  if (request['allocationMode'] === 'ExactCount') fillDefaults(request, { count: 1 });
}

/** `allocated,reserved`: how far the claim has come. */
function stateCell({ metadata, status }: KubernetesObject): string {
  const { allocation, reservedFor } = fieldsOf<ResourceClaimStatus>(status);
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const isReserved = Array.isArray(reservedFor) && reservedFor.length > 0;
  return [
    ...(isDeleted ? ['deleted'] : []),
    ...(allocation ? ['allocated'] : isDeleted ? [] : ['pending']),
    ...(isReserved ? ['reserved'] : []),
  ].join(',');
}

/** Claims on devices. They are kept for a scheduler and for drivers that allocate devices; the scheduler here does not. */
export const resourceClaims = defineResource({
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  since: 34,
  namespaced: true,
  status: true,
  applyDefaults: (draft) => applyClaimDefaults(childDraft(draft, 'spec')),
  check: fields({ spec: fields({ devices: deviceClaim }) }),
  immutable: ['spec'],
  table: tableOf<KubernetesObject>(nameCell, cell('State', 'How far the claim has come.', stateCell), ageCell),
});

export const resourceClaimTemplates = defineResource({
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  since: 34,
  namespaced: true,
  applyDefaults: (draft) => applyClaimDefaults(childDraft(childDraft(draft, 'spec'), 'spec')),
  check: fields({ spec: fields({ spec: fields({ devices: deviceClaim }) }) }),
  immutable: ['spec'],
});
