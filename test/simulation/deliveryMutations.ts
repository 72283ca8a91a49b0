import type { Mutation } from './Mutation.ts';

/** Defects of what carries changes to keys, and keys to syncs. */
export const DELIVERY_MUTATIONS: readonly Mutation[] = [
  {
    name: 'acknowledge-first',
    what: 'a message is acknowledged before its sync has ended, so a worker that dies takes it along',
    seams: () => ({
      syncHandler: (handler, acknowledge) => async (messages) => {
        for (const message of messages) acknowledge(message);
        return await handler(messages);
      },
    }),
  },
  {
    name: 'failed-syncs-acknowledged',
    what: 'the message of a sync that failed is acknowledged',
    seams: () => ({
      syncHandler: (handler) => async (messages) =>
        (await handler(messages)).map(({ message }) => ({ message, outcome: 'acknowledge' })),
    }),
  },
  {
    name: 'failed-changes-passed-over',
    what: 'a change that could not be turned into keys is not handed in again',
    seams: () => ({
      enqueueHandler: (handler) => async (changes) => {
        await handler(changes);
        return [];
      },
    }),
  },
  {
    name: 'only-first-key-sent',
    what: 'of several keys that a batch of changes concerns only the first is queued',
    seams: () => ({
      workQueue: (queue) => ({
        send: (keys) => queue.send(keys.slice(0, 1)),
        hide: (message, delayMs) => queue.hide(message, delayMs),
        bury: (message, why) => queue.bury(message, why),
      }),
    }),
  },
];
