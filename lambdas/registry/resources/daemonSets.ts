import type { DaemonSet, DaemonSetSpec, RollingUpdateDaemonSet } from 'kubernetes-types/apps/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { formatLabels, formatSelector } from '../tables/columns.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { all, type Check, fields, notNegative } from '../validation/checks.ts';
import { invalid, notSupported, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../validation/fieldsOf.ts';
import { amountOf, intOrPercent, notMoreThanAll } from '../validation/validateIntOrPercent.ts';
import { selectorAndTemplate } from '../validation/validateTemplateOwner.ts';

/** Counts the changes of the template, as extensions/v1beta1 did in a field. */
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

function applyTemplateDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillDefaults(draft, { 'spec.updateStrategy.type': 'RollingUpdate' });
  const strategy = childDraft(spec, 'updateStrategy');
  if (strategy['type'] === 'RollingUpdate')
    fillDefaults(strategy, { 'rollingUpdate.maxUnavailable': 1, 'rollingUpdate.maxSurge': 0 });
}

function annotateGeneration(draft: KubernetesObject, generation: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [GENERATION_ANNOTATION]: String(generation) };
}

/** Pods are replaced before or after they are deleted, never both. */
const oneDirection: Check = (value, path) => {
  const { maxSurge, maxUnavailable } = fieldsOf<RollingUpdateDaemonSet>(value);
  const [surge, unavailable] = [amountOf(maxSurge), amountOf(maxUnavailable)];
  if (surge !== 0 && unavailable !== 0)
    return [invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')];
  return surge === 0 && unavailable === 0 ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : [];
};

const amount = all(intOrPercent, notMoreThanAll);
const rollingUpdate = all(fields({ maxUnavailable: amount, maxSurge: amount }), oneDirection);

const updateStrategy: Check = (value, path) => {
  const { type, rollingUpdate: given } = fieldsOf<NonNullable<DaemonSetSpec['updateStrategy']>>(value);
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(`${path}.type`, textOf(type), ['RollingUpdate', 'OnDelete'])];
  return isPresent(given) ? rollingUpdate(given, `${path}.rollingUpdate`) : [required(`${path}.rollingUpdate`)];
};

const templateSpec = ({ spec }: DaemonSet) => spec?.template.spec;

export const daemonSets = defineResource({
  group: 'apps',
  kind: 'DaemonSet',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  applyDefaults: applyTemplateDefaults,
  defaults: { 'spec.revisionHistoryLimit': 10 },
  check: fields({
    spec: all(
      selectorAndTemplate('DaemonSet'),
      fields({ minReadySeconds: notNegative, updateStrategy, revisionHistoryLimit: notNegative }),
    ),
  }),
  immutable: ['spec.selector'],
  checkStatus: fields({
    currentNumberScheduled: notNegative,
    numberMisscheduled: notNegative,
    desiredNumberScheduled: notNegative,
    numberReady: notNegative,
    observedGeneration: notNegative,
    updatedNumberScheduled: notNegative,
    numberAvailable: notNegative,
    numberUnavailable: notNegative,
    collisionCount: notNegative,
  }),
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
      annotateGeneration(draft, 1);
    },
    prepareForUpdate(draft, old) {
      const before = Number(old.metadata.annotations?.[GENERATION_ANNOTATION] ?? 1);
      const [template, oldTemplate] = [draft, old].map((one) => fieldsOf<DaemonSetSpec>(one['spec']).template);
      annotateGeneration(draft, jsonEqual(template, oldTemplate) ? before : before + 1);
    },
  },
  table: tableOf<DaemonSet>(
    nameCell,
    cell('Desired', 'How many nodes should run a pod.', ({ status }) => status?.desiredNumberScheduled ?? 0, 'integer'),
    cell('Current', 'How many of them run one.', ({ status }) => status?.currentNumberScheduled ?? 0, 'integer'),
    cell('Ready', 'How many of these pods are ready.', ({ status }) => status?.numberReady ?? 0, 'integer'),
    cell(
      'Up-to-date',
      'How many have the newest template.',
      ({ status }) => status?.updatedNumberScheduled ?? 0,
      'integer',
    ),
    cell('Available', 'How many are available.', ({ status }) => status?.numberAvailable ?? 0, 'integer'),
    cell('Node Selector', 'Which nodes should run a pod.', (it) => formatLabels(templateSpec(it)?.nodeSelector)),
    ageCell,
    ...containerCells<DaemonSet>(({ spec }) => spec?.template),
    wideCell('Selector', 'Which pods belong to it, by their labels.', ({ spec }) => formatSelector(spec?.selector)),
  ),
});
