import type { LimitRange as ApiLimitRange } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defaultTable } from '../tables/columns.ts';
import { validateLimitRange } from '../validation/admission/validateLimitRange.ts';
import { STANDARD_VERBS } from './standardRules.ts';

type LimitRange = Stored<ApiLimitRange>;

/** Fills in a missing default limit with the maximum, and a missing default request with the default limit or, without one, the minimum. */
function applyLimitRangeDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  spec['limits'] ??= null;
  for (const item of (draft as LimitRange).spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    const limits = { ...item.max, ...item.default };
    const requests = { ...item.min, ...limits, ...item.defaultRequest };
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
}

export const limitRanges: ResourceEntry = {
  groupResource: 'limitranges',
  group: '',
  plural: 'limitranges',
  singular: 'limitrange',
  kind: 'LimitRange',
  shortNames: ['limits'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyLimitRangeDefaults }],
  strategy: { validate: validateLimitRange, validateUpdate: validateLimitRange },
  table: defaultTable,
};
