import type { JobStatus } from 'kubernetes-types/batch/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import { JOB_UID_LABEL } from '../../objects/pods/jobPods.ts';
import type { Job } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, fillAbsent } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { isEmptyMap, labelAsTemplate } from '../defaulting/templateLabels.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { humanDuration } from '../tables/humanDuration.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { isPresent } from '../validation/fieldsOf.ts';
import { jobWarnings } from '../validation/workloads/jobWarnings.ts';
import { generatedLabels, validateJobObject } from '../validation/workloads/validateJobObject.ts';
import { validateJobStatusUpdate } from '../validation/workloads/validateJobStatus.ts';
import { validateJobUpdate } from '../validation/workloads/validateJobUpdate.ts';
import { selectFields } from './standardRules.ts';

const MAX_INT32 = 2_147_483_647;

/** The defaults that depend on nothing. */
const DEFAULTS = {
  'spec.completionMode': 'NonIndexed',
  'spec.suspend': false,
  'spec.manualSelector': false,
  'spec.podFailurePolicy?.rules[].onPodConditions[].status': 'True',
};

function applyJobDefaults(draft: KubernetesObject): void {
  fillDefaults(draft, DEFAULTS);
  const spec = childDraft(draft, 'spec');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  labelAsTemplate(draft);
  // Without both numbers a Job runs one pod. With only `parallelism` it is a work queue.
  if (!isPresent(spec['parallelism'])) fillAbsent(spec, 'completions', 1);
  fillAbsent(spec, 'parallelism', 1);
  fillAbsent(spec, 'backoffLimit', isPresent(spec['backoffLimitPerIndex']) ? MAX_INT32 : 6);
  fillAbsent(spec, 'podReplacementPolicy', isPresent(spec['podFailurePolicy']) ? 'Failed' : 'TerminatingOrFailed');
}

/** Selects the pods by the Job's UID, unless the client selects them itself. */
function generateSelector(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  if (spec['manualSelector'] === true) return;
  const labels = childDraft(childDraft(childDraft(spec, 'template'), 'metadata'), 'labels');
  const isOwn = isEmptyMap(draft.metadata.labels) || jsonEqual(draft.metadata.labels, labels);
  // What the client has set itself stays, and may be refused.
  for (const [label, value] of Object.entries(generatedLabels(draft))) fillAbsent(labels, label, value);
  if (isOwn) draft.metadata.labels = { ...(labels as Record<string, string>) };
  fillAbsent(childDraft(childDraft(spec, 'selector'), 'matchLabels'), JOB_UID_LABEL, draft.metadata.uid);
}

function statusCell({ metadata, status }: Job): string {
  const has = (type: string) => status?.conditions?.some((one) => one.type === type && one.status === 'True');
  const ended = ['Complete', 'Failed'].find(has);
  if (ended !== undefined) return ended;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (isPresent(spec?.completions)) return `${succeeded}/${spec?.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ startTime, completionTime }: JobStatus, nowMs: number): string {
  if (startTime === undefined) return '';
  return humanDuration((completionTime === undefined ? nowMs : Date.parse(completionTime)) - Date.parse(startTime));
}

export const jobs = defineResource({
  group: 'batch',
  kind: 'Job',
  categories: ['all'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  versions: [{ version: 'v1', applyDefaults: applyJobDefaults, defaultPropagation: 'Orphan' }],
  strategy: {
    prepareForCreate: generateSelector,
    validate: (object) => validateJobObject(object),
    warnings: jobWarnings,
    validateUpdate: validateJobUpdate,
    validateStatusUpdate: validateJobStatusUpdate,
  },
  table: tableOf<Job>(
    nameCell,
    cell('Status', 'How far the Job has come.', statusCell),
    cell('Completions', 'How many pods have succeeded, and how many should.', completionsCell),
    cell('Duration', 'How long the Job has run.', ({ status }, nowMs) => durationCell(status ?? {}, nowMs)),
    ageCell,
    ...containerCells<Job>(({ spec }) => spec?.template),
    wideCell('Selector', 'Which pods belong to the Job, by their labels.', ({ spec }) =>
      formatSelector(spec?.selector),
    ),
  ),
  selectableFields: (object) => selectFields(object, ['status.successful'], { 'status.successful': '0' }),
});
