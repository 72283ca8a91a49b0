import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  type AlarmBase,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { ALARM_GROUPS } from './alarmGroups.ts';
import type { AlarmParts, AlarmSpec } from './AlarmSpec.ts';
import { countLines, countRequests } from './countLines.ts';
import { freeAlarms } from './freeAlarms.ts';
import { moreAlarms } from './moreAlarms.ts';

/** For so long a group waits for the alarm of its cause, which may come a period later, and is still silent after it. */
const SUPPRESSION = Duration.minutes(6);

/**
 * Creates the alarms that `alarms` asks for, and returns them. With `true` each tells by itself. With `'all'` groups tell, so that one cause is one call. `actions` are what telling is; without any, alarms show on the dashboard only.
 */
export function createAlarms(scope: Construct, parts: AlarmParts, actions: readonly IAlarmAction[]): readonly Alarm[] {
  countLines(scope, parts);
  const isAll = parts.props.alarms === 'all';
  if (isAll) countRequests(scope, parts);
  const specs = isAll ? [...freeAlarms(parts), ...moreAlarms(parts)] : freeAlarms(parts);
  const alarms = new Map(specs.map((spec) => [spec.id, createAlarm(scope, spec)]));
  const telling = isAll ? createGroups(scope, alarms) : [...alarms.values()];
  for (const alarm of telling) {
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
  }
  return [...alarms.values()];
}

function createAlarm(scope: Construct, { id, description, metric, above, periods = 1 }: AlarmSpec): Alarm {
  return new Alarm(scope, `${id}Alarm`, {
    alarmDescription: `${description} docs/runbook.md, ${id}, says more.`,
    metric,
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

function createGroups(scope: Construct, alarms: ReadonlyMap<string, Alarm>): readonly AlarmBase[] {
  const groups = new Map<string, CompositeAlarm>();
  for (const { id, description, of, after } of ALARM_GROUPS) {
    const members = of.filter((member) => alarms.has(member));
    const suppressor = after === undefined ? undefined : groups.get(after);
    const rules = members.map((member) => AlarmRule.fromAlarm(alarms.get(member) as Alarm, AlarmState.ALARM));
    const group = new CompositeAlarm(scope, `${id}Group`, {
      // The CDK would name it after its place in the app, so a second stack in the region would want the same name.
      compositeAlarmName: `${Stack.of(scope).stackName}-${id}`,
      alarmDescription: `${description} One or more of ${members.join(', ')} are in alarm: docs/runbook.md has a section for each.`,
      alarmRule: AlarmRule.anyOf(...rules),
      ...(suppressor && {
        actionsSuppressor: suppressor,
        actionsSuppressorWaitPeriod: SUPPRESSION,
        actionsSuppressorExtensionPeriod: SUPPRESSION,
      }),
    });
    groups.set(id, group);
  }
  return [...groups.values()];
}
