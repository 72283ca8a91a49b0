import type { Cloud } from './openCloud.ts';
import { LateHeartbeats, type LateHeartbeatParts } from './LateHeartbeats.ts';
import { requestResync } from './requestResync.ts';

/** Creates what notices, in a function that reads the objects' stream, that its trigger read nothing for about a day. */
export function createLateHeartbeats<Item>(
  { givenUpQueueUrl }: { readonly givenUpQueueUrl: string },
  { clock, sqs, log }: Pick<Cloud, 'clock' | 'sqs' | 'log'>,
  timeOf: LateHeartbeatParts<Item>['timeOf'],
): LateHeartbeats<Item> {
  const because = 'a heartbeat was a day late';
  const requestGivenUp = () => requestResync(sqs, givenUpQueueUrl, { what: 'givenUp' }, because);
  return new LateHeartbeats({ clock, timeOf, requestGivenUp, log });
}
