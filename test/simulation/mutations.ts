import { BUDGET_MUTATIONS } from './budgetMutations.ts';
import { AUTOSCALER_MUTATIONS } from './autoscalerMutations.ts';
import { CONTROLLER_MUTATIONS } from './controllerMutations.ts';
import { CRON_JOB_MUTATIONS } from './cronJobMutations.ts';
import { DAEMON_SET_MUTATIONS } from './daemonSetMutations.ts';
import { DELIVERY_MUTATIONS } from './deliveryMutations.ts';
import { JOB_MUTATIONS } from './jobMutations.ts';
import { LOCK_MUTATIONS } from './lockMutations.ts';
import type { Mutation } from './Mutation.ts';
import { REFERENCE_MUTATIONS } from './referenceMutations.ts';
import { SCHEDULER_MUTATIONS } from './schedulerMutations.ts';
import { STATEFUL_SET_MUTATIONS } from './statefulSetMutations.ts';
import { STORE_MUTATIONS } from './storeMutations.ts';
import { WATCH_MUTATIONS } from './watchMutations.ts';

/** All deliberate defects, each of which the simulation must find. */
export const MUTATIONS: readonly Mutation[] = [
  ...LOCK_MUTATIONS,
  ...DELIVERY_MUTATIONS,
  ...STORE_MUTATIONS,
  ...CONTROLLER_MUTATIONS,
  ...JOB_MUTATIONS,
  ...CRON_JOB_MUTATIONS,
  ...STATEFUL_SET_MUTATIONS,
  ...BUDGET_MUTATIONS,
  ...DAEMON_SET_MUTATIONS,
  ...AUTOSCALER_MUTATIONS,
  ...SCHEDULER_MUTATIONS,
  ...REFERENCE_MUTATIONS,
  ...WATCH_MUTATIONS,
];
