import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { decodeKey } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
import { isPaced } from '../../../lambdas/functions/enqueue/KeyPacer.ts';
import type { Service } from '../../model/cloud/modelClients.ts';
import type { CloudMutation } from './CloudMutation.ts';

type Entry = SendMessageBatchRequestEntry;

/** Defects of how keys are sent after a change. */
export const KEY_MUTATIONS: readonly CloudMutation[] = [
  {
    name: 'left-out-after-due',
    what: '`enqueue` leaves out a message although the last one of its key was due at once, so a sync may have read the world before the change',
    create: () => ({
      sqs: (service, processName) =>
        processName.startsWith('enqueue-') ? sendingOnly(service, everySecondOfItsKey()) : service,
    }),
  },
];

/** A queue that never gets the other messages, although their sender is told that it has them. */
function sendingOnly(service: Service, isSent: (entry: Entry) => boolean): Service {
  return {
    execute: (command) => {
      if (!(command instanceof SendMessageBatchCommand)) return service.execute(command);
      const Entries = (command.input.Entries ?? []).filter(isSent);
      return Entries.length > 0 ? service.execute(new SendMessageBatchCommand({ ...command.input, Entries })) : {};
    },
  };
}

/** Of the messages of each paced key that are due at once, the one after each that was sent is left out. */
function everySecondOfItsKey(): (entry: Entry) => boolean {
  const sent = new Set<string>();
  return ({ MessageBody = '', DelaySeconds = 0 }) => {
    const key = decodeKey(MessageBody);
    if (!key || DelaySeconds > 0 || !isPaced({ key })) return true;
    if (sent.delete(MessageBody)) return false;
    sent.add(MessageBody);
    return true;
  };
}
