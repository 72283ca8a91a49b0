import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Service } from './modelClients.ts';

type Note = (bodies: readonly string[]) => void;

/** Tells which messages the processes have received themselves, and when they have ended with them. */
export class MessagesAtHand {
  readonly #onReceive: Note;
  readonly #onHandled: Note;
  readonly #bodies = new Map<string, string[]>();

  constructor(onReceive: Note, onHandled: Note) {
    this.#onReceive = onReceive;
    this.#onHandled = onHandled;
  }

  /** The service as the process has it. */
  observe(service: Service, processName: string): Service {
    return {
      execute: (command) => {
        const answer = service.execute(command);
        if (command instanceof ReceiveMessageCommand) this.#note(processName, answer);
        return answer;
      },
    };
  }

  /** The process has ended its invocation, or has died. */
  end(processName: string): void {
    const bodies = this.#bodies.get(processName) ?? [];
    this.#bodies.delete(processName);
    this.#onHandled(bodies);
  }

  #note(processName: string, { Messages = [] }: { readonly Messages?: readonly Message[] }): void {
    const bodies = Messages.map(({ Body = '' }) => Body);
    this.#bodies.set(processName, [...(this.#bodies.get(processName) ?? []), ...bodies]);
    this.#onReceive(bodies);
  }
}
