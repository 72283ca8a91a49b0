import type { ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { parseQuantity, QUANTITY_FORMAT_MESSAGE } from '../../objects/quantity.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { immutableField, invalid } from '../validation/fieldErrors.ts';
import { STANDARD_VERBS } from './standardRules.ts';

type ResourceQuota = Stored<ApiResourceQuota>;

function validateResourceQuota(object: KubernetesObject): FieldError[] {
  return amountErrors((object as ResourceQuota).spec?.hard, 'spec.hard');
}

function amountErrors(list: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, text]) => {
    const quantity = parseQuantity(text);
    if (quantity === undefined) return [invalid(`${path}[${name}]`, text, QUANTITY_FORMAT_MESSAGE)];
    return quantity.nanos < 0n ? [invalid(`${path}[${name}]`, text, 'must be greater than or equal to 0')] : [];
  });
}

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
      ...amountErrors((object as ResourceQuota).status?.hard, 'status.hard'),
      ...amountErrors((object as ResourceQuota).status?.used, 'status.used'),
    ],
  },
  status: true,
  table: resourceQuotasTable,
};
