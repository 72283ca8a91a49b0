import { describe, expect, test } from 'vitest';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { cronJobs } from '../../../lambdas/registry/resources/cronJobs.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5' }] };
const template = { spec: podSpec };

describe('a CronJob', () => {
  const cron = (spec: Members = {}): Members => ({
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } }, ...spec },
  });

  test('gets the defaults of batch/v1, its Jobs get theirs when they are created', () => {
    expect(objectOf(cronJobs, cron())['spec']).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { template: { spec: { schedulerName: 'default-scheduler' } } } },
    });
    expect(
      (objectOf(cronJobs, cron())['spec'] as { jobTemplate: { spec: Members } }).jobTemplate.spec,
    ).not.toHaveProperty('completions');
  });

  test.each<[string, Members, string[]]>([
    ['with a schedule (valid)', cron({ timeZone: 'Europe/Berlin' }), []],
    ['without a schedule', cron({ schedule: undefined }), ['spec.schedule: Required value']],
    [
      'with a bad schedule',
      cron({ schedule: 'often' }),
      ['spec.schedule: Invalid value: "often": expected exactly 5 fields, found 1: [often]'],
    ],
    [
      'with a time zone in its schedule',
      cron({ schedule: 'TZ=UTC * * * * *' }),
      [
        'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'with an unknown time zone',
      cron({ timeZone: 'Mars/Olympus' }),
      ['spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus'],
    ],
    [
      'with an unknown policy',
      cron({ concurrencyPolicy: 'Hope' }),
      ['spec.concurrencyPolicy: Unsupported value: "Hope": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'with a time zone in its schedule that does not exist',
      cron({ schedule: 'CRON_TZ=Mars/Olympus * * * * *' }),
      [
        'spec.schedule: Invalid value: "CRON_TZ=Mars/Olympus * * * * *": provided bad location Mars/Olympus: unknown time zone Mars/Olympus',
        'spec.schedule: Invalid value: "CRON_TZ=Mars/Olympus * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    ...['europe/berlin', '+01', '../etc', 'A/-B', 'Europe/'].map((zone): [string, Members, string[]] => [
      `with a name that is no time zone: ${zone}`,
      cron({ timeZone: zone }),
      [`spec.timeZone: Invalid value: "${zone}": unknown time zone ${zone}`],
    ]),
    ...['UTC', 'Etc/GMT+5', 'US/Eastern', 'America/Argentina/Buenos_Aires'].map((zone): [string, Members, string[]] => [
      `with a time zone: ${zone}`,
      cron({ timeZone: zone }),
      [],
    ]),
    [
      'with the time zone of the server',
      cron({ timeZone: 'Local' }),
      [
        'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
    ],
    [
      'whose Jobs select their pods themselves',
      cron({ jobTemplate: { spec: { template, manualSelector: true, selector: { matchLabels: { a: 'b' } } } } }),
      [
        'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      ],
    ],
    [
      'whose pods would run for ever',
      cron({ jobTemplate: { spec: { template: { spec: { containers: podSpec.containers } } } } }),
      ['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(cronJobs, members)).toEqual(messages);
  });

  test.each<[string, Members, Members, string[]]>([
    ['the zone in its schedule', { schedule: 'TZ=UTC 1 * * * *' }, { schedule: 'TZ=UTC 2 * * * *' }, []],
    [
      'it, but not beside another zone',
      { schedule: 'TZ=UTC 1 * * * *', timeZone: 'UTC' },
      { schedule: 'TZ=UTC 1 * * * *' },
      [
        'spec.schedule: Invalid value: "TZ=UTC 1 * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
      ],
    ],
    ['a time zone that is unknown by now', { timeZone: 'Mars/Olympus' }, { timeZone: 'Mars/Olympus' }, []],
  ])('may keep %s when it changes', (_, members, old, messages) => {
    expect(updateErrors(cronJobs, cron(members), cron(old))).toEqual(messages);
  });

  test('may keep a name that is too long by now', () => {
    const object = objectOf(cronJobs, cron(), { name: 'a'.repeat(53) });
    expect(cronJobs.strategy.validateUpdate?.(object, object, new RequestBudget())).toEqual([]);
  });

  test('has a name that leaves room for the names of its Jobs', () => {
    const name = 'a'.repeat(53);
    expect(createErrors(cronJobs, cron(), { name })).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ]);
  });

  test('is printed', () => {
    const status = { active: [{}], lastScheduleTime: '2026-01-31T11:58:00Z' };
    expect(rowOf(cronJobs, { ...cron(), status })).toEqual({
      Name: 'x',
      Schedule: '*/5 * * * *',
      Timezone: '<none>',
      Suspend: 'False',
      Active: 1,
      'Last Schedule': '2m',
      Age: '60s',
      Containers: 'pi',
      Images: 'perl:5',
      Selector: '<none>',
    });
  });
});
