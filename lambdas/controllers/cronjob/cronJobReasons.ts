import { formatTime } from '../../ports/Clock.ts';
import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a CronJob starts a run, or none. Times are milliseconds since the epoch. */
export const cronJobReasons = {
  ...sharedReasons,
  cronJobIsBeingDeleted: () => 'it is being deleted, so it starts no run',
  cronJobIsSuspended: () => 'it is suspended, so it starts no run',
  timeZoneIsUnknown: ({ timeZone }: { readonly timeZone: string }) =>
    `it starts no run, because the time zone ${timeZone} is unknown`,
  scheduleIsInvalid: ({ message }: { readonly message: string }) =>
    `it starts no run, because its schedule is invalid: ${message}`,
  noRunIsDue: () => 'no run is due',
  /** The last run is older than `startingDeadlineSeconds`. */
  runIsTooLate: ({ runMs, deadlineSeconds }: { readonly runMs: number; readonly deadlineSeconds: number }) =>
    `the run of ${formatTime(runMs)} is not started, because its startingDeadlineSeconds of ${deadlineSeconds} are over`,
  runHasStarted: ({ runMs }: { readonly runMs: number }) => `the run of ${formatTime(runMs)} has been started already`,
  /** Runs before a change of the schedule are not made up for. */
  runIsOfOtherSchedule: ({ runMs }: { readonly runMs: number }) =>
    `the run of ${formatTime(runMs)} is not started, because the schedule has changed since`,
  runIsForbidden: ({ runMs, active }: { readonly runMs: number; readonly active: readonly string[] }) =>
    `the run of ${formatTime(runMs)} is not started: the concurrency policy is Forbid, and these jobs are active: ${active.join(', ')}`,
  runStarts: ({
    runMs,
    name,
    replaces,
  }: {
    readonly runMs: number;
    readonly name: string;
    readonly replaces: readonly string[];
  }) =>
    `the run of ${formatTime(runMs)} starts: create job ${name}${replaces.length > 0 ? ` in place of ${replaces.join(', ')}` : ''}`,
  runNameIsTaken: ({ name }: { readonly name: string }) =>
    `another job has the name ${name}, so this run is not started`,
  lateCreateBurned: ({ name }: { readonly name: string }) =>
    `an earlier sync asked for job ${name}, which must not come any more`,
};

export type Reason = ReasonOf<typeof cronJobReasons>;

export const { reasonInWords } = wordsOf(cronJobReasons);
