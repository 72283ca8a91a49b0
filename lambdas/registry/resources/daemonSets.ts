import type { DaemonSet, DaemonSetSpec } from 'kubernetes-types/apps/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { formatLabels, formatSelector } from '../tables/columns.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { fieldsOf } from '../validation/fieldsOf.ts';
import { templateWarnings } from '../validation/pods/podWarnings.ts';
import {
  validateDaemonSet,
  validateDaemonSetStatusUpdate,
  validateDaemonSetUpdate,
} from '../validation/workloads/validateDaemonSet.ts';

/** Counts the changes of the template, as a field of a version of the past did. */
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

function applyTemplateDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillDefaults(draft, { 'spec.updateStrategy.type': 'RollingUpdate' });
  const strategy = childDraft(spec, 'updateStrategy');
  if (strategy['type'] === 'RollingUpdate')
    fillDefaults(strategy, { 'rollingUpdate.maxUnavailable': 1, 'rollingUpdate.maxSurge': 0 });
}

/** 0 if the annotation is missing, or is not an integer. */
function generationOf({ metadata: { annotations } }: KubernetesObject): number {
  const text = annotations?.[GENERATION_ANNOTATION] ?? '';
  return /^-?\d+$/.test(text) ? Number(text) : 0;
}

function annotateGeneration(draft: KubernetesObject, generation: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [GENERATION_ANNOTATION]: String(generation) };
}

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
  strategy: {
    prepareForCreate(draft) {
      draft['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
      annotateGeneration(draft, Math.max(generationOf(draft), 1));
    },
    prepareForUpdate(draft, old) {
      const before = generationOf(old);
      const [template, oldTemplate] = [draft, old].map((one) => fieldsOf<DaemonSetSpec>(one['spec']).template);
      annotateGeneration(draft, jsonEqual(template, oldTemplate) ? before : before + 1);
    },
    validate: validateDaemonSet,
    warnings: templateWarnings,
    validateUpdate: validateDaemonSetUpdate,
    validateStatusUpdate: validateDaemonSetStatusUpdate,
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
