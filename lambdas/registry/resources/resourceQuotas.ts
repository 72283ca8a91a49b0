import type { ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { immutableField } from '../validation/fieldErrors.ts';
import { validateQuotaAmounts, validateResourceQuota } from '../validation/admission/validateResourceQuota.ts';
import { STANDARD_VERBS } from './standardRules.ts';

type ResourceQuota = Stored<ApiResourceQuota>;

const resourceQuotasTable: TableRules = {
  columns: [
    nameColumn,
    column('Request', 'What is used and allowed of everything but limits.'),
    column('Limit', 'What is used and allowed of the containers\u2019 limits.'),
    ageColumn,
  ],
  cells(object, nowMs) {
    const { status } = object as ResourceQuota;
    const hard = Object.entries(status?.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const usage = hard.map(([name, allowed]) => ({ name, text: `${name}: ${status?.used?.[name] ?? 0}/${allowed}` }));
    const textOf = (limits: boolean) =>
      usage
        .filter(({ name }) => name.includes('limits') === limits)
        .map(({ text }) => text)
        .join(', ');
    return [object.metadata.name, textOf(false), textOf(true), ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

export const resourceQuotas: ResourceEntry = {
  groupResource: 'resourcequotas',
  group: '',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  kind: 'ResourceQuota',
  shortNames: ['quota'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = {};
    },
    validate: validateResourceQuota,
    validateUpdate: (object, old) => [
      ...validateResourceQuota(object),
      ...immutableField(
        'spec.scopes',
        [...((object as ResourceQuota).spec?.scopes ?? [])].sort(),
        [...((old as ResourceQuota).spec?.scopes ?? [])].sort(),
      ),
    ],
    validateStatusUpdate: (object) => [
      ...validateQuotaAmounts((object as ResourceQuota).status?.hard, 'status.hard'),
      ...validateQuotaAmounts((object as ResourceQuota).status?.used, 'status.used'),
    ],
  },
  status: true,
  table: resourceQuotasTable,
};
