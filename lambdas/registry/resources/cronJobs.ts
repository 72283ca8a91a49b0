import type { CronJob, JobSpec, JobTemplateSpec } from 'kubernetes-types/batch/v1.js';
import { parseCronSchedule } from '../../objects/cronSchedule.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { isTimeZone } from '../../objects/timeZones.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { ageCell, cell, containerCells, nameCell, tableOf, wideCell } from '../tables/tableOf.ts';
import { all, type Check, enumOf, fields, ifPresent, nonEmptyText, notNegative } from '../validation/checks.ts';
import { invalid, notSupported } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { jobSpec } from '../validation/validateJob.ts';

/** The name of a Job is that of its CronJob with eleven characters more, and at most a DNS label. */
const MAX_NAME_LENGTH = 52;

const schedule: Check = (value, path) => {
  const text = textOf(value);
  if (text.includes('TZ'))
    return [invalid(path, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  const parsed = parseCronSchedule(text);
  return parsed.type === 'invalid' ? [invalid(path, text, parsed.error)] : [];
};

const timeZone: Check = (value, path) => {
  const name = textOf(value);
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local')
    return [
      invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    ];
  return isTimeZone(name) ? [] : [invalid(path, name, `unknown time zone ${name}`)];
};

/** Every Job of the template gets a selector of its own. */
const ownSelectors: Check = (value, path) => {
  const { manualSelector } = fieldsOf<JobSpec>(fieldsOf<JobTemplateSpec>(value).spec);
  return manualSelector === true ? [notSupported(`${path}.spec.manualSelector`, true, ['nil', 'false'])] : [];
};

function applyTemplateDefaults(draft: KubernetesObject): void {
  const jobTemplate = childDraft(childDraft(draft, 'spec'), 'jobTemplate');
  applyPodTemplateDefaults(childDraft(childDraft(jobTemplate, 'spec'), 'template'));
}

function nameErrors({ metadata: { name } }: KubernetesObject): FieldError[] {
  if (name.length <= MAX_NAME_LENGTH || isDns1123Subdomain(name).length > 0) return [];
  return [invalid('metadata.name', name, `must be no more than ${MAX_NAME_LENGTH} characters`)];
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
  },
  check: fields({
    spec: fields({
      schedule: nonEmptyText('', schedule),
      startingDeadlineSeconds: notNegative,
      timeZone: ifPresent(timeZone),
      concurrencyPolicy: nonEmptyText('', enumOf('Allow', 'Forbid', 'Replace')),
      jobTemplate: all(ownSelectors, fields({ spec: jobSpec })),
      successfulJobsHistoryLimit: notNegative,
      failedJobsHistoryLimit: notNegative,
    }),
  }),
  strategy: { validate: nameErrors },
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
