import { burnPairs } from './serviceLevels.ts';

/** Alarms that probably have one cause. Somebody is told of the group, once; the dashboard shows which of its alarms it is. */
export interface AlarmGroup {
  readonly id: string;
  readonly description: string;
  /** The ids of alarms. */
  readonly of: readonly string[];
  /** The ids of alarms of which those in one list count only together. */
  readonly together?: readonly (readonly string[])[];
  /** While that group is in alarm, it is probably the cause, and nobody is told of this one. */
  readonly after?: string;
}

export const ALARM_GROUPS: readonly AlarmGroup[] = [
  {
    id: 'Limits',
    description: 'The account or the setup does not give the control plane what it needs.',
    of: ['SetupProblems', 'Throttles', 'TableThrottles', 'FunctionThrottles', 'Concurrency'],
  },
  {
    id: 'Progress',
    description: 'Changes are not followed, or too late: no rollout goes on.',
    of: ['Errors', 'IteratorAge', 'OldestKey', 'GivenUp'],
    together: burnPairs('EdgeBurn'),
    after: 'Limits',
  },
  {
    id: 'Requests',
    description: 'The API fails, refuses, or is slow.',
    of: ['ApiErrors', 'SlowWrites', 'RefusedRequests', 'DeniedRequests'],
    together: [...burnPairs('ApiBurn'), ...burnPairs('WriteBurn')],
    after: 'Limits',
  },
  {
    id: 'Objects',
    description: 'Some objects cannot be synced. All others go on.',
    of: ['DeadLetters', 'RetryingReplicaSets'],
  },
  {
    id: 'Records',
    description: 'The audit log or the backups have a gap. The control plane works.',
    of: ['LostAuditEvents', 'FailedBackups'],
  },
];
