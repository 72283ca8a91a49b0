import type { JobSpec, JobStatus } from 'kubernetes-types/batch/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import { JOB_UID_LABEL } from '../../objects/jobPods.ts';
import type { Job } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { compileLabelSelector } from '../../objects/labelSelector.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, fillAbsent } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { isEmptyMap, labelAsTemplate } from '../defaulting/templateLabels.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { humanDuration } from '../tables/humanDuration.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { fields, notNegative } from '../validation/checks.ts';
import { immutableField, invalid, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent } from '../validation/fieldsOf.ts';
import { readSelector } from '../validation/readSelector.ts';
import { jobSpec } from '../validation/validateJob.ts';
import { validateLabelSelector } from '../validation/validateLabels.ts';
import { mismatch } from '../validation/validateTemplateOwner.ts';
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
  const { name, uid } = draft.metadata;
  const generated = {
    'controller-uid': uid,
    [JOB_UID_LABEL]: uid,
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
  };
  const isOwn = isEmptyMap(draft.metadata.labels) || jsonEqual(draft.metadata.labels, labels);
  Object.assign(labels, generated);
  if (isOwn) draft.metadata.labels = { ...(labels as Record<string, string>) };
  fillAbsent(childDraft(childDraft(spec, 'selector'), 'matchLabels'), JOB_UID_LABEL, uid);
}

/** The selector must select the template, and only a manual one may say more than the UID. */
function selectorErrors(object: KubernetesObject): FieldError[] {
  const { selector, template, manualSelector } = (object as Job).spec ?? ({} as Partial<JobSpec>);
  if (!isPresent(selector)) return [required('spec.selector')];
  const errors = validateLabelSelector(selector, 'spec.selector');
  if (errors.length > 0) return errors;
  const labels = template?.metadata?.labels;
  const isGenerated = jsonEqual(selector, { matchLabels: { [JOB_UID_LABEL]: object.metadata.uid } });
  return [
    ...(compileLabelSelector(readSelector(selector))(labels ?? {}) ? [] : [mismatch(labels, 'spec.template')]),
    ...(manualSelector === true || isGenerated
      ? []
      : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

/** The number of completions of a Job with indexes changes together with its parallelism; another Job's never. */
function completionsErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, before] = [fieldsOf<JobSpec>(object['spec']), fieldsOf<JobSpec>(old['spec'])];
  const isElastic =
    spec.completionMode === 'Indexed' && spec.completions === spec.parallelism && isPresent(spec.completions);
  return isElastic ? [] : immutableField('spec.completions', spec.completions, before.completions);
}

/** A suspended Job that has not started may still change where its pods may run. */
function templateErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [{ spec }, { spec: before, status }] = [object as Job, old as Job];
  const isUnstarted = before?.suspend === true && status?.startTime === undefined;
  const fixed = (one: JobSpec | undefined) => {
    if (!isUnstarted || !one?.template) return one?.template;
    const { nodeSelector: _n, tolerations: _t, affinity: _a, schedulingGates: _g, ...rest } = one.template.spec ?? {};
    return { metadata: {}, spec: rest };
  };
  return jsonEqual(fixed(spec), fixed(before)) ? [] : immutableField('spec.template', spec?.template, before?.template);
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
  check: fields({ spec: jobSpec }),
  immutable: [
    'spec.completionMode',
    'spec.podFailurePolicy',
    'spec.backoffLimitPerIndex',
    'spec.managedBy',
    'spec.successPolicy',
    'spec.selector',
  ],
  checkStatus: fields({
    active: notNegative,
    succeeded: notNegative,
    failed: notNegative,
    ready: notNegative,
    terminating: notNegative,
  }),
  strategy: {
    prepareForCreate: generateSelector,
    validate: selectorErrors,
    validateUpdate: (object, old) => [...completionsErrors(object, old), ...templateErrors(object, old)],
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
