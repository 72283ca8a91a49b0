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
import { countLines, countLostEvents, countRequests, timeEdges } from './countLines.ts';
import { freeAlarms } from './freeAlarms.ts';
import { moreAlarms } from './moreAlarms.ts';
import { recordAlarms } from './recordAlarms.ts';
import { burnAlarms } from './serviceLevels.ts';

/** For so long a group waits for the alarm of its cause, which may come a period later, and is still silent after it. */
const SUPPRESSION = Duration.minutes(6);

/**
 * Creates the alarms that `alarms` asks for, and returns them by their ids. With `true` each tells by itself. With `'all'` groups tell, so that one cause is one call. `actions` are what telling is; without any, alarms show on the dashboard only.
 */
export function createAlarms(
  scope: Construct,
  parts: AlarmParts,
  actions: readonly IAlarmAction[],
): ReadonlyMap<string, Alarm> {
  countLines(scope, parts);
  if (parts.props.audit !== false) countLostEvents(scope, parts);
  const isAll = parts.props.alarms === 'all';
  if (isAll) {
    countRequests(scope, parts);
    timeEdges(scope, parts);
  }
  const always = [...freeAlarms(parts), ...recordAlarms(parts)];
  const specs = isAll ? [...always, ...moreAlarms(parts), ...burnAlarms(parts)] : always;
  const alarms = new Map(specs.map((spec) => [spec.id, createAlarm(scope, spec)]));
  const telling = isAll ? createGroups(scope, alarms) : [...alarms.values()];
  for (const alarm of telling) {
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
  }
  return alarms;
}

function createAlarm(
  scope: Construct,
  { id, section = id, description, metric, above, periods = 1 }: AlarmSpec,
): Alarm {
  return new Alarm(scope, `${id}Alarm`, {
    alarmDescription: `${description} docs/runbook.md, ${section}, says more.`,
    metric,
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

function createGroups(scope: Construct, alarms: ReadonlyMap<string, Alarm>): readonly AlarmBase[] {
  const groups = new Map<string, CompositeAlarm>();
  for (const { id, description, of, together = [], after } of ALARM_GROUPS) {
    const members = of.filter((member) => alarms.has(member));
    if (members.length === 0) continue;
    const pairs = together.filter((pair) => pair.every((member) => alarms.has(member)));
    const suppressor = after === undefined ? undefined : groups.get(after);
    const ruleOf = (member: string) => AlarmRule.fromAlarm(alarms.get(member) as Alarm, AlarmState.ALARM);
    const rules = [...members.map(ruleOf), ...pairs.map((pair) => AlarmRule.allOf(...pair.map(ruleOf)))];
    const group = new CompositeAlarm(scope, `${id}Group`, {
      // The CDK would name it after its place in the app, so a second stack in the region would want the same name.
      compositeAlarmName: `${Stack.of(scope).stackName}-${id}`,
      alarmDescription: `${description} One or more of ${[...members, ...pairs.map((pair) => pair.join(' with '))].join(', ')} are in alarm: docs/runbook.md has a section for each.`,
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
