import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import { CLUSTER_STORIES } from './clusterStories.ts';
import { NODE_STORIES } from './nodeStories.ts';
import type { Stories } from './Story.ts';
import { WORKLOAD_STORIES } from './workloadStories.ts';

/** What each controller has to do. A new one cannot do without a story. */
export const STORIES: Readonly<Record<ControllerName, Stories>> = {
  ...WORKLOAD_STORIES,
  ...NODE_STORIES,
  ...CLUSTER_STORIES,
};
