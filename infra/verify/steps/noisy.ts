import { ALARM_GROUPS } from '../../cdk/alarms/alarmGroups.ts';
import { cloudOf, type Place, unlessInCloud } from '../Place.ts';
import { poll } from '../RunClock.ts';
import { type DeployedStack, deployedOfType } from '../StackAccount.ts';
import { failed, ok, type Step, type Verdict } from '../Step.ts';

const REASON = 'npm run verify: a test, nothing is wrong';
const UNTIL_TOLD = { everyMs: 5_000, patienceMs: 120_000 };
/** A metric alarm looks at whole periods of five minutes, and lines of a log come a minute late. */
const UNTIL_NOTICED = { everyMs: 15_000, patienceMs: 12 * 60_000 };
/** A suppressed group waits for six minutes before it would tell. */
const UNTIL_SUPPRESSED = { everyMs: 10_000, patienceMs: 120_000 };

function alarmName(stack: DeployedStack, id: string): string | undefined {
  return deployedOfType(stack, 'AWS::CloudWatch::Alarm', `${id}Alarm`)[0]?.physicalId;
}

function groupName(stack: DeployedStack, id: string): string | undefined {
  return deployedOfType(stack, 'AWS::CloudWatch::CompositeAlarm', `${id}Group`)[0]?.physicalId;
}

/** Sets an alarm off, and back to what it was at the end of the step. CloudWatch sets it right by itself when it looks the next time, too. */
async function setOff(place: Place, name: string): Promise<void> {
  const { changes, observations } = cloudOf(place).account;
  const before = (await observations.alarms([name]))[name]?.state ?? 'OK';
  const back = `aws cloudwatch set-alarm-state --alarm-name ${name} --state-value ${before} --state-reason 'after a test'`;
  place.cleanups.add(back, () => changes.setAlarmState(name, before, 'npm run verify: the test is over'));
  await changes.setAlarmState(name, 'ALARM', REASON);
}

/** What tells of an alarm: its group, if there are groups. */
function tellerOf(stack: DeployedStack): { readonly alarm: string; readonly teller: string } | undefined {
  const alarm = alarmName(stack, 'DeadLetters');
  const teller = groupName(stack, 'Objects') ?? alarm;
  return alarm === undefined || teller === undefined ? undefined : { alarm, teller };
}

export interface AlarmFacts {
  /** Whether it was in alarm before, so that nobody is told once more. */
  readonly wasInAlarm: boolean;
  readonly hasActions: boolean;
  readonly actions: readonly ('succeeded' | 'failed')[];
}

/** Whether an alarm that goes off is told to somebody. */
export const alarm: Step<AlarmFacts> = {
  id: 'alarm',
  expects: 'An alarm that goes off is told to `alarmEmail` or `alarmTopicArn` within two minutes.',
  optIn: {
    kind: 'noisy',
    why: 'it sets the alarm DeadLetters off for a moment, and whoever carries the pager is told',
  },
  unavailable: (place) => unlessInCloud(place, ({ stack }) => (tellerOf(stack) ? undefined : '`alarms` is off')),
  async observe(place) {
    const { account, stack } = cloudOf(place);
    const { alarm: name, teller } = tellerOf(stack) ?? { alarm: '', teller: '' };
    const { hasActions = false, state } = (await account.observations.alarms([teller]))[teller] ?? {};
    const wasInAlarm = state === 'ALARM';
    if (!hasActions || wasInAlarm) return { wasInAlarm, hasActions, actions: [] };
    const sinceMs = place.clock.now();
    await setOff(place, name);
    const told = await poll(place.clock, UNTIL_TOLD, async () => {
      const actions = await account.observations.alarmActions(teller, sinceMs);
      return actions.length > 0 ? actions : undefined;
    });
    return { wasInAlarm, hasActions, actions: told ?? [] };
  },
  judge: judgeAlarm,
};

export function judgeAlarm({ wasInAlarm, hasActions, actions }: AlarmFacts): Verdict {
  if (!hasActions) return failed('Nobody is told of alarms: set `alarmEmail` or `alarmTopicArn`.');
  if (wasInAlarm)
    return failed('The alarm is off already: look at docs/runbook.md, and run this again when it is over.');
  if (actions.length === 0) return failed('The alarm was set off, and CloudWatch has told nobody.');
  if (actions.includes('failed'))
    return failed('CloudWatch could not tell everybody: the topic’s policy, or its subscription, is wrong.');
  return ok('CloudWatch has told the topic. Look whether the mail has come: AWS does not say.');
}

export interface GroupFacts {
  readonly isCauseInAlarm: boolean;
  readonly isSuppressed: boolean;
}

/** A member of the group that is the cause, and one of a group that is quiet while that is in alarm. */
const [CAUSE, EFFECT] = ['Throttles', 'Errors'] as const;
const [CAUSES, EFFECTS] = ['Limits', 'Progress'] as const satisfies readonly (typeof ALARM_GROUPS)[number]['id'][];

/** Whether one cause is one call. */
export const alarmGroups: Step<GroupFacts> = {
  id: 'alarm-groups',
  expects: 'While the group Limits is in alarm, CloudWatch keeps the group Progress from telling anybody.',
  optIn: {
    kind: 'noisy',
    why: 'it sets the alarms Throttles and Errors off for a moment, and whoever carries the pager is told once',
  },
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) =>
      groupName(stack, EFFECTS) === undefined ? "`alarms` is not 'all'" : undefined,
    ),
  async observe(place) {
    const { account, stack } = cloudOf(place);
    const [causes = '', effects = ''] = [groupName(stack, CAUSES), groupName(stack, EFFECTS)];
    const states = async () => account.observations.alarms([causes, effects]);
    await setOff(place, alarmName(stack, CAUSE) ?? '');
    const isInAlarm = async () => ((await states())[causes]?.state === 'ALARM' ? true : undefined);
    const isCauseInAlarm = (await poll(place.clock, UNTIL_SUPPRESSED, isInAlarm)) ?? false;
    await setOff(place, alarmName(stack, EFFECT) ?? '');
    const isQuiet = async () => ((await states())[effects]?.isSuppressed ? true : undefined);
    return { isCauseInAlarm, isSuppressed: (await poll(place.clock, UNTIL_SUPPRESSED, isQuiet)) ?? false };
  },
  judge: judgeGroups,
};

export function judgeGroups({ isCauseInAlarm, isSuppressed }: GroupFacts): Verdict {
  if (!isCauseInAlarm) return failed(`${CAUSE} is in alarm, and its group ${CAUSES} is not.`);
  if (!isSuppressed) return failed(`${CAUSES} is in alarm, and CloudWatch does not suppress ${EFFECTS}.`);
  return ok(`While ${CAUSES} is in alarm, ${EFFECTS} tells nobody.`);
}

export interface ThrottleFacts {
  /** The HTTP status of a request to a function that may not run. */
  readonly status: number;
  /** Undefined if the stack has no alarms. */
  readonly isAlarmOff: boolean | undefined;
}

const [TOO_MANY, SERVER_ERROR] = [429, 500];

/** What a client is answered, and who is told, if the API's function is throttled. */
export const throttle: Step<ThrottleFacts> = {
  id: 'throttle',
  expects:
    'If the function of the API is throttled, a client is answered 429, and the alarm SetupProblems goes off within twelve minutes.',
  optIn: {
    kind: 'noisy',
    why: 'for up to twelve minutes nobody can use the API, and whoever carries the pager is told',
  },
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) =>
      stack.physicalIds['ApiFunction'] === undefined ? 'the API is a container' : undefined,
    ),
  observe: observeThrottle,
  judge: judgeThrottle,
};

async function observeThrottle(place: Place): Promise<ThrottleFacts> {
  const { account, stack } = cloudOf(place);
  const { reads, changes, observations } = account;
  const functionName = stack.physicalIds['ApiFunction'] ?? '';
  const reserved = await reads.reservedConcurrency(functionName);
  const byHand =
    reserved === undefined
      ? `aws lambda delete-function-concurrency --function-name ${functionName}`
      : `aws lambda put-function-concurrency --function-name ${functionName} --reserved-concurrent-executions ${reserved}`;
  place.cleanups.add(byHand, () => changes.reserveConcurrency(functionName, reserved));
  await changes.reserveConcurrency(functionName, 0);
  // The instances that run finish what they do, and Lambda takes a moment to know of it everywhere.
  const refused = await poll(place.clock, UNTIL_SUPPRESSED, async () => {
    const status = await place.api.statusOf('/api/v1/namespaces/default');
    return status >= 400 ? status : undefined;
  });
  const name = alarmName(stack, 'SetupProblems');
  if (name === undefined) return { status: refused ?? 200, isAlarmOff: undefined };
  const isOff = await poll(place.clock, UNTIL_NOTICED, async () =>
    (await observations.alarms([name]))[name]?.state === 'ALARM' ? true : undefined,
  );
  return { status: refused ?? 200, isAlarmOff: isOff ?? false };
}

export function judgeThrottle({ status, isAlarmOff }: ThrottleFacts): Verdict {
  if (status >= SERVER_ERROR)
    return failed(`A throttled function answers ${status}, which clients do not take for "later".`);
  if (status !== TOO_MANY) return failed(`A throttled function answers ${status}, not ${TOO_MANY}.`);
  if (isAlarmOff === false) return failed(`A client is answered ${TOO_MANY}, but SetupProblems did not go off.`);
  const told = isAlarmOff ? ', and SetupProblems went off' : '; the stack has no alarms';
  return ok(`A client is answered ${TOO_MANY}${told}.`);
}
