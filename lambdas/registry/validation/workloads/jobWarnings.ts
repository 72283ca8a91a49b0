import type { CronJobSpec, JobSpec } from 'kubernetes-types/batch/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { fieldsOf, numberOf, textOf } from '../fieldsOf.ts';
import { podNamesWarnings, warningsOfTemplate } from '../pods/podWarnings.ts';

/** With more of both, the list of failed indexes may not fit into a status. */
const MANY_COMPLETIONS = 100_000;
const MUCH_PARALLELISM = 10_000;
const TOO_MANY =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** What a client is told of a new or changed Job. Pure. */
export function jobWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  return [...podNamesWarnings(object, old), ...(hasNewSpec(object, old) ? specWarnings(object['spec'], 'spec') : [])];
}

/** What a client is told of a new or changed CronJob. Pure. */
export function cronJobWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const { jobTemplate, schedule } = fieldsOf<CronJobSpec>(object['spec']);
  const { spec } = fieldsOf<{ spec: object }>(jobTemplate);
  const hasZone = old !== undefined && textOf(schedule).includes('TZ');
  return [
    ...podNamesWarnings(object, old),
    ...(hasNewSpec(object, old) ? specWarnings(spec, 'spec.jobTemplate.spec') : []),
    // The path is misspelled in Kubernetes, too.
    ...(hasZone
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ];
}

function hasNewSpec({ metadata }: KubernetesObject, old: KubernetesObject | undefined): boolean {
  return metadata.generation !== old?.metadata.generation || old === undefined;
}

function specWarnings(spec: unknown, path: string): string[] {
  const { completionMode, completions, parallelism, template } = fieldsOf<JobSpec>(spec);
  const isLarge =
    completionMode === 'Indexed' &&
    numberOf(completions) > MANY_COMPLETIONS &&
    numberOf(parallelism) > MUCH_PARALLELISM;
  return [...(isLarge ? [`${path}: ${TOO_MANY}`] : []), ...warningsOfTemplate(template, `${path}.template`)];
}
