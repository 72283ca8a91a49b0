import { useEffect, useRef } from 'preact/hooks';
import type { ActionOutcome } from '../server/actOn.ts';
import type { PageAction } from '../views/planAction.ts';
import { Diff } from './Diff.tsx';

interface ConfirmationProps {
  readonly action: PageAction;
  readonly outcome: ActionOutcome;
  /** `generation`: that of what the dry run looked at. */
  readonly confirm: (generation: number) => void;
  readonly close: () => void;
}

/** What an action would do, or has done. Escape closes it. */
export function Confirmation({ action, outcome, confirm, close }: ConfirmationProps) {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  return (
    <div
      class="asked"
      role="alertdialog"
      aria-label="Confirm"
      tabIndex={-1}
      ref={dialog}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <b>{labelOf(action)}</b> {outcome.says}{' '}
      {outcome.is === 'planned' && <Planned outcome={outcome} confirm={confirm} />}
      {outcome.is === 'refused' && <span class="warning">It was refused; nothing has changed.</span>}
      {outcome.is === 'done' && <span class="quiet">Done.</span>}{' '}
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  );
}

interface PlannedProps {
  readonly outcome: Extract<ActionOutcome, { is: 'planned' }>;
  readonly confirm: (generation: number) => void;
}

function Planned({ outcome: { diff, generation }, confirm }: PlannedProps) {
  return (
    <>
      <span class="quiet">The API has tried it and would accept it.</span>
      {diff.length > 0 && <Diff lines={diff} />}{' '}
      <button type="button" class="confirm" onClick={() => confirm(generation)}>
        Confirm
      </button>
    </>
  );
}

function labelOf(action: PageAction): string {
  switch (action.act) {
    case 'undo':
      return `Undo to revision ${action.revision}.`;
    case 'scale':
      return `Scale to ${action.replicas}.`;
    case 'setImage':
      return `Set the image of ${action.container} to ${action.image}.`;
    case 'pause':
      return 'Pause.';
    case 'resume':
      return 'Resume.';
    case 'restart':
      return 'Restart.';
    case 'delete':
      return 'Delete.';
  }
}
