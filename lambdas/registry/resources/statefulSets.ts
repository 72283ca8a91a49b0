import type { StatefulSet, StatefulSetSpec } from 'kubernetes-types/apps/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, itemDrafts } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, containerCells, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, enumOf, fields, ifPresent, notNegative } from '../validation/checks.ts';
import { forbidden, invalid, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../validation/fieldsOf.ts';
import { intOrPercent, notMoreThanAll } from '../validation/validateIntOrPercent.ts';
import { selectorAndTemplate } from '../validation/validateTemplateOwner.ts';
import { validateReplicaCounts } from '../validation/validateWorkload.ts';
import { CLAIM_DEFAULTS } from './persistentVolumeClaims.ts';
import { scaleRules } from './scaleRules.ts';

const COUNTS = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
const BOUNDED_COUNTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
/** The fields of the spec that may change, in the order in which the message lists them. */
const MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function applyTemplateDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillDefaults(draft, { 'spec.updateStrategy.type': 'RollingUpdate' });
  const strategy = childDraft(spec, 'updateStrategy');
  if (strategy['type'] === 'RollingUpdate') fillDefaults(strategy, { 'rollingUpdate.partition': 0 });
  for (const claim of itemDrafts(spec, 'volumeClaimTemplates')) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    fillDefaults(claim, { ...CLAIM_DEFAULTS, 'status.phase': 'Pending' });
  }
}

const podManagementPolicy: Check = (value, path) => {
  const policy = textOf(value);
  if (policy === '') return [required(path)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
};

const rollingUpdate: Check = fields({
  partition: notNegative,
  maxUnavailable: ifPresent(all(intOrPercent, notMoreThanAll)),
});

const updateStrategy: Check = (value, path) => {
  const { type, rollingUpdate: given } = fieldsOf<NonNullable<StatefulSetSpec['updateStrategy']>>(value);
  switch (textOf(type)) {
    case '':
      return [required(path)];
    case 'OnDelete':
      return isPresent(given)
        ? [invalid(`${path}.rollingUpdate`, given, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    case 'RollingUpdate':
      return rollingUpdate(given, `${path}.rollingUpdate`);
    default:
      return [invalid(path, value, "must be 'RollingUpdate' or 'OnDelete'")];
  }
};

const retention = enumOf('Delete', 'Retain');

function fixedSpec(object: KubernetesObject): unknown {
  const spec = Object.entries(fieldsOf<Record<string, unknown>>(object['spec']));
  return Object.fromEntries(spec.filter(([field]) => !MUTABLE.includes(field)));
}

function specErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  if (jsonEqual(fixedSpec(object), fixedSpec(old))) return [];
  const named = MUTABLE.map((field) => `'${field}'`);
  const list = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

export const statefulSets = defineResource({
  group: 'apps',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scaleRules((selector) => selector),
  hasGeneration: true,
  applyDefaults: applyTemplateDefaults,
  defaults: {
    'spec.podManagementPolicy': 'OrderedReady',
    'spec.replicas': 1,
    'spec.revisionHistoryLimit': 10,
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted': 'Retain',
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled': 'Retain',
  },
  check: fields({
    spec: all(
      fields({
        podManagementPolicy,
        updateStrategy,
        persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: retention, whenScaled: retention }),
        replicas: notNegative,
        minReadySeconds: notNegative,
        ordinals: fields({ start: notNegative }),
        revisionHistoryLimit: notNegative,
      }),
      selectorAndTemplate('StatefulSet'),
    ),
  }),
  checkStatus: (status, path) => validateReplicaCounts(status, COUNTS, BOUNDED_COUNTS, path),
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { replicas: 0, availableReplicas: 0 };
    },
    validateUpdate: specErrors,
  },
  table: tableOf<StatefulSet>(
    nameCell,
    cell(
      'Ready',
      'How many of the wanted pods are ready.',
      ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ),
    ageCell,
    ...containerCells<StatefulSet>(({ spec }) => spec?.template),
  ),
});
