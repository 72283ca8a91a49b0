import type { ControllerRoom, RoomParts } from '../ControllerRoom.ts';
import { KeptPods } from './KeptPods.ts';
import { openPlainBinds } from './PlainBinds.ts';
import { openPlainChoice } from './PlainChoice.ts';
import { createSchedulerController } from './createSchedulerController.ts';
import type { NoticeDelays } from './decideNotice.ts';
import { schedulerReasons } from './schedulerReasons.ts';

/** While a sync decides, nothing else goes on in the process. Where the pods are kept, the next sync costs little. */
const MOST_PODS_AT_ONCE = 100;

export const schedulerRoom = {
  name: 'scheduler',
  needs: ['pods', 'nodes', 'configmaps'],
  /** All pods that wait have one key. */
  workers: 1,
  isPaced: true,
  component: 'default-scheduler',
  reasons: schedulerReasons,
  create: (parts) =>
    createSchedulerController({
      registry: parts.registry,
      clock: parts.ports.clock,
      events: parts.events,
      rememberMs: parts.nodesRememberMs,
      delays: noticeDelays(parts),
      eventLimits: parts.podEventLimits,
      leavesPlainPods: parts.isStarted('pod'),
      binds: parts.share(openPlainBinds),
      choice: parts.share(openPlainChoice),
      ...(parts.exactLog && { readPods: new KeptPods(parts.exactLog).read, mostPods: MOST_PODS_AT_ONCE }),
    }),
} as const satisfies ControllerRoom;

/** Clocks of two machines differ by less than this, in milliseconds. */
const CLOCK_MARGIN_MS = 2_000;

/** A process that remembers nothing sees the notice at once. */
function noticeDelays({ nodesRememberMs = 0, plainHoldMs = 0 }: RoomParts): NoticeDelays {
  return { seenMs: nodesRememberMs === 0 ? 0 : nodesRememberMs + CLOCK_MARGIN_MS, heldMs: plainHoldMs };
}
