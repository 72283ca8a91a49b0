import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import type { Gate } from './Gate.ts';

/** The logs of the store as it is open now: everything may restart. */
export interface CurrentLogs {
  readonly changeLog: ChangeLog;
}

/** What controllers read of a log that is never behind. */
export type ExactLog = Pick<ChangeLog, 'head' | 'changesSince'>;

/** The log as one controller in one worker reaches it. */
export function gatedLog(logs: CurrentLogs, gate: Gate, by: string): ExactLog {
  return {
    head: (resource) => gate.call(`[${by}] head of ${resource}`, () => logs.changeLog.head(resource)),
    changesSince: (resource, ...rest) =>
      gate.call(`[${by}] changes of ${resource}`, () => logs.changeLog.changesSince(resource, ...rest)),
  };
}
