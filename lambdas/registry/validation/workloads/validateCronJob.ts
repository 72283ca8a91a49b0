import type { CronJobSpec, JobSpec, JobTemplateSpec } from 'kubernetes-types/batch/v1.js';
import { parseCronSchedule } from '../../../objects/schedules/cronSchedule.ts';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isTimeZone } from '../../../objects/schedules/timeZones.ts';
import { all, type Check, fields, ifPresent, nonEmptyText, notNegative, oneInOrder } from '../checks.ts';
import { invalid, notSupported } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { jobSpec } from './validateJob.ts';

/** The name of a Job is that of its CronJob with eleven characters more, and at most a DNS label. */
const MAX_NAME_LENGTH = 52;

/** Returns the errors of a new CronJob, as `ValidateCronJobCreate`. Pure. */
export function validateCronJob(object: KubernetesObject): FieldError[] {
  const { name } = object.metadata;
  return [
    ...specErrors(object['spec'], undefined),
    ...(name.length > MAX_NAME_LENGTH
      ? [invalid('metadata.name', name, `must be no more than ${MAX_NAME_LENGTH} characters`)]
      : []),
  ];
}

/** Returns the errors of a changed CronJob, as `ValidateCronJobUpdate`. A zone in the stored schedule may stay there, and so may the stored time zone. Pure. */
export function validateCronJobUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return specErrors(object['spec'], fieldsOf<CronJobSpec>(old['spec']));
}

function specErrors(spec: unknown, old: ReturnType<typeof fieldsOf<CronJobSpec>> | undefined): FieldError[] {
  const { timeZone: zone } = fieldsOf<CronJobSpec>(spec);
  const isZoneNew = old === undefined || old.timeZone !== zone;
  return fields({
    schedule: nonEmptyText('', all(schedule, zoneInSchedule(textOf(old?.schedule).includes('TZ'), isPresent(zone)))),
    startingDeadlineSeconds: notNegative,
    timeZone: isZoneNew ? ifPresent(timeZone) : () => [],
    concurrencyPolicy: nonEmptyText('', oneInOrder('Allow', 'Forbid', 'Replace')),
    jobTemplate: all(fields({ spec: jobSpec }), ownSelector),
    successfulJobsHistoryLimit: notNegative,
    failedJobsHistoryLimit: notNegative,
  } satisfies Partial<Record<keyof CronJobSpec, Check>>)(spec, 'spec');
}

const schedule: Check = (value, path) => {
  const error = scheduleError(textOf(value));
  return error === undefined ? [] : [invalid(path, value, error)];
};

/** The Go library reads a zone before the fields. */
function scheduleError(text: string): string | undefined {
  const [, zone = '', fieldsInZone] = /^(?:CRON_)?TZ=(\S*) (.*)$/s.exec(text) ?? [];
  if (zone !== '' && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  const parsed = parseCronSchedule(fieldsInZone?.trim() ?? text);
  return parsed.type === 'invalid' ? parsed.error : undefined;
}

/** A schedule names no time zone, unless the stored one did. Then it may, as long as there is no other zone. */
function zoneInSchedule(mayStay: boolean, hasTimeZone: boolean): Check {
  return (value, path) => {
    if (!textOf(value).includes('TZ')) return [];
    if (!mayStay) return [invalid(path, value, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
    return hasTimeZone ? [invalid(path, value, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')] : [];
  };
}

const timeZone: Check = (value, path) => {
  const name = textOf(value);
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local')
    return [
      invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
      ...(name === 'Local' ? [] : [invalid(path, name, `unknown time zone ${name}`)]),
    ];
  return isTimeZone(name) ? [] : [invalid(path, name, `unknown time zone ${name}`)];
};

/** Every Job of the template gets a selector of its own. */
const ownSelector: Check = (value, path) => {
  const { selector, manualSelector } = fieldsOf<JobSpec>(fieldsOf<JobTemplateSpec>(value).spec);
  return [
    ...(isPresent(selector) ? [invalid(`${path}.spec.selector`, selector, '`selector` will be auto-generated')] : []),
    ...(manualSelector === true ? [notSupported(`${path}.spec.manualSelector`, true, ['nil', 'false'])] : []),
  ];
};
