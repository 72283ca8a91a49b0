import type { StreamMappingFaults } from './lambda/StreamMapping.ts';
import type { QueueFaults } from './sqs/QueueModel.ts';

/** Queues and streams that only take their time. */
export const NO_SERVICE_FAULTS: QueueFaults & StreamMappingFaults = {
  duplicateMessage: 0,
  lateMessage: 0,
  redelivery: 0,
  lostWakeUp: 0,
  skewMs: 0,
  duplicateBatch: 0,
  lateBatch: 0,
  restingShard: 0,
  heldBatch: 0,
  lateNotice: 0,
};
