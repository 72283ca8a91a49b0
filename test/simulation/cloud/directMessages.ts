import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { type Causes, decodeCauses } from '../../../lambdas/ports/Causes.ts';
import type { Service } from '../../model/cloud/modelClients.ts';

export type Entry = SendMessageBatchRequestEntry;

/** The changes for which a message is sent. */
export function causesOf({ MessageAttributes }: Entry): Causes {
  return decodeCauses(MessageAttributes?.['causes']?.StringValue);
}

/** Only messages that are sent for changes name any. Those of another function than `enqueue` are sent by the changes' writers. */
export function isDirect(entry: Entry): boolean {
  return causesOf(entry).size > 0;
}

/** A queue that never gets some messages, although their sender is told that it has them. `sent`: the message as the queue gets it, if it does. */
export function sendingOnly(service: Service, sent: (entry: Entry) => Entry | undefined): Service {
  return {
    execute: (command) => {
      if (!(command instanceof SendMessageBatchCommand)) return service.execute(command);
      const Entries = (command.input.Entries ?? []).flatMap((entry) => sent(entry) ?? []);
      return Entries.length > 0 ? service.execute(new SendMessageBatchCommand({ ...command.input, Entries })) : {};
    },
  };
}

/** Loses each tenth of the messages that the process sends for its own changes. */
export function everyTenthDirect(processName: string): (entry: Entry) => Entry | undefined {
  let count = 0;
  return (entry) => {
    if (processName.startsWith('enqueue-') || !isDirect(entry)) return entry;
    count += 1;
    return count % 10 === 0 ? undefined : entry;
  };
}

/** Loses all of them. */
export function noneDirect(processName: string): (entry: Entry) => Entry | undefined {
  return (entry) => (processName.startsWith('enqueue-') || !isDirect(entry) ? entry : undefined);
}
