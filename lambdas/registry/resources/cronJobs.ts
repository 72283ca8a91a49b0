import type { CronJob } from 'kubernetes-types/batch/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { cronJobWarnings } from '../validation/workloads/jobWarnings.ts';
import { validateCronJob, validateCronJobUpdate } from '../validation/workloads/validateCronJob.ts';

function applyTemplateDefaults(draft: KubernetesObject): void {
  const jobTemplate = childDraft(childDraft(draft, 'spec'), 'jobTemplate');
  applyPodTemplateDefaults(childDraft(childDraft(jobTemplate, 'spec'), 'template'));
}

const podTemplate = ({ spec }: CronJob) => spec?.jobTemplate.spec?.template;

export const cronJobs = defineResource({
  group: 'batch',
  kind: 'CronJob',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  applyDefaults: applyTemplateDefaults,
  defaults: {
    'spec.concurrencyPolicy': 'Allow',
    'spec.suspend': false,
    'spec.successfulJobsHistoryLimit': 3,
    'spec.failedJobsHistoryLimit': 1,
    'spec.jobTemplate.spec.podFailurePolicy?.rules[].onPodConditions[].status': 'True',
  },
  strategy: { validate: validateCronJob, warnings: cronJobWarnings, validateUpdate: validateCronJobUpdate },
  table: tableOf<CronJob>(
    nameCell,
    cell('Schedule', 'When Jobs are created, in the notation of cron.', ({ spec }) => spec?.schedule ?? ''),
    cell('Timezone', 'The time zone of the schedule.', ({ spec }) => spec?.timeZone ?? '<none>'),
    cell('Suspend', 'Whether it creates no Jobs for now.', ({ spec }) => (spec?.suspend === true ? 'True' : 'False')),
    cell('Active', 'How many of its Jobs run.', ({ status }) => status?.active?.length ?? 0, 'integer'),
    cell('Last Schedule', 'How long ago it created a Job.', ({ status }, nowMs) =>
      status?.lastScheduleTime === undefined ? '<none>' : ageOf(status.lastScheduleTime, nowMs),
    ),
    ageCell,
    ...containerCells(podTemplate),
    wideCell('Selector', 'Which pods belong to its Jobs, by their labels.', ({ spec }) =>
      formatSelector(spec?.jobTemplate.spec?.selector),
    ),
  ),
});
