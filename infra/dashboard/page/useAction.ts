import { useState } from 'preact/hooks';
import type { ActionOutcome } from '../server/actOn.ts';
import type { PageAction } from '../views/planAction.ts';
import { reasonOf, sendToServer } from './callServer.ts';

interface AskedAction {
  readonly action: PageAction;
  readonly outcome: ActionOutcome;
}

interface ActionInHand {
  readonly asked: AskedAction | undefined;
  /** Tries an action on the server, without a change. */
  readonly choose: (action: PageAction) => void;
  /** Does what was asked. `generation`: that of what the dry run looked at. */
  readonly confirm: (generation: number) => void;
  readonly close: () => void;
}

/**
 * The action that a person has asked for, and what became of it. `path`: that of the Deployment on the page's server.
 * It outlives the Deployment: the stream may say that it is gone before the server has answered its deletion.
 */
export function useAction(path: string): ActionInHand {
  const [asked, setAsked] = useState<AskedAction>();
  const send = async (action: PageAction, dryRun: boolean, generation?: number) => {
    const outcome = await sendToServer<ActionOutcome>(`${path}/act`, { ...action, dryRun, generation }).catch(
      (error: unknown): ActionOutcome => ({ is: 'refused', says: reasonOf(error) }),
    );
    setAsked({ action, outcome });
  };
  return {
    asked,
    choose: (action) => void send(action, true),
    confirm: (generation) => {
      if (asked) void send(asked.action, false, generation);
    },
    close: () => setAsked(undefined),
  };
}
