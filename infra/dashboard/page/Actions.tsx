import { useEffect, useState } from 'preact/hooks';
import type { PageAction } from '../views/planAction.ts';
import type { ReplicaSetView, WorkloadView } from '../views/PageViews.ts';
import { readFromServer } from './callServer.ts';

interface ActionsProps {
  /** The path of the Deployment on the page's server. */
  readonly path: string;
  readonly workload: WorkloadView;
  readonly revisions: readonly ReplicaSetView[];
  /** Asks what an action would do. */
  readonly choose: (action: PageAction) => void;
}

type Forbidden = Readonly<Partial<Record<'patch' | 'scale' | 'delete', string>>>;

/** What can be done to a Deployment. Each is tried first, and done when it is confirmed. */
export function Actions({ path, workload, revisions, choose }: ActionsProps) {
  const [forbidden, setForbidden] = useState<Forbidden>({});
  useEffect(() => {
    // A server that cannot say what is forbidden refuses the action itself.
    readFromServer<Forbidden>(`${path}/forbidden`).then(setForbidden, () => {});
  }, [path]);
  const older = revisions.filter(({ isNew }) => !isNew).sort((a, b) => Number(b.revision) - Number(a.revision));
  const { isPaused, desired, containers, images } = workload;
  return (
    <>
      <div class="bar actions" role="group" aria-label="Actions">
        <Button
          label={isPaused ? 'Resume' : 'Pause'}
          why={forbidden.patch}
          act={() => choose({ act: isPaused ? 'resume' : 'pause' })}
        />
        <Button label="Restart" why={forbidden.patch} act={() => choose({ act: 'restart' })} />
        {older.map(({ revision }) => (
          <Button
            key={revision}
            label={`Undo to ${revision}`}
            why={forbidden.patch}
            act={() => choose({ act: 'undo', revision: Number(revision) })}
          />
        ))}
        <Field
          label="Scale"
          value={String(desired)}
          why={forbidden.scale}
          act={(text) => choose({ act: 'scale', replicas: text.trim() === '' ? Number.NaN : Number(text) })}
        />
        {containers.map((container, index) => (
          <Field
            key={container}
            label={`Set image of ${container}`}
            value={images[index] ?? ''}
            why={forbidden.patch}
            act={(image) => choose({ act: 'setImage', container, image })}
          />
        ))}
        <Button label="Delete" why={forbidden.delete} act={() => choose({ act: 'delete' })} />
      </div>
      <Reasons forbidden={forbidden} />
    </>
  );
}

/** Why some buttons are grey, for those who see no tooltip. */
function Reasons({ forbidden }: { readonly forbidden: Forbidden }) {
  const reasons = [...new Set(Object.values(forbidden))];
  if (reasons.length === 0) return null;
  return <p class="quiet">What is grey is forbidden: {reasons.join(' ')}</p>;
}

interface ButtonProps {
  readonly label: string;
  /** Why it may not be used. */
  readonly why: string | undefined;
  readonly act: () => void;
}

function Button({ label, why, act }: ButtonProps) {
  return (
    <button type="button" disabled={why !== undefined} title={why} onClick={act}>
      {label}
    </button>
  );
}

interface FieldProps extends Omit<ButtonProps, 'act'> {
  readonly value: string;
  readonly act: (text: string) => void;
}

/** A value that is edited before it is sent; it follows the cluster until somebody writes. */
function Field({ label, value, why, act }: FieldProps) {
  const [text, setText] = useState<string>();
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        act(text ?? value);
        setText(undefined);
      }}
    >
      <input
        aria-label={label}
        size={Math.max(3, (text ?? value).length)}
        disabled={why !== undefined}
        value={text ?? value}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button disabled={why !== undefined} title={why}>
        {label}
      </button>
    </form>
  );
}
