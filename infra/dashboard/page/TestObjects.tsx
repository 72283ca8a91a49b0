import { useEffect, useState } from 'preact/hooks';
import type { TestControlsView, TestControlView } from '../views/viewTestControls.ts';
import { BehaviourForm } from './BehaviourForm.tsx';
import { readFromServer, reasonOf, sendToServer } from './callServer.ts';
import { FaultForm } from './FaultForm.tsx';

/** Others add and remove them, too, and their counts grow. */
const READ_MS = 2_000;

/** The faults and the behaviours of pods, with forms to add some. */
export function TestObjects({ images }: { readonly images: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Faults and behaviours of pods</summary>
      {isOpen && <OpenTestObjects images={images} />}
    </details>
  );
}

function OpenTestObjects({ images }: { readonly images: readonly string[] }) {
  const [controls, setControls] = useState<TestControlsView>({ faults: [], podBehaviours: [] });
  const [problem, setProblem] = useState('');
  const read = () => readFromServer<TestControlsView>('/controls').then(setControls, () => {});
  useEffect(() => {
    void read();
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), READ_MS);
    return () => clearInterval(timer);
  }, []);
  const send = async (path: string, body: object) => {
    setProblem('');
    await sendToServer(`/controls/${path}`, body).catch((error: unknown) => setProblem(reasonOf(error)));
    await read();
  };
  const remove = (plural: string) => (name: string) => void send(`${plural}/${encodeURIComponent(name)}/remove`, {});
  return (
    <>
      <BehaviourForm images={images} add={(spec) => void send('podbehaviours', { spec })} />
      <List title="Behaviours" unit="pods" found={controls.podBehaviours} remove={remove('podbehaviours')} />
      <FaultForm add={(spec) => void send('faults', { spec })} />
      <List title="Faults" unit="requests" found={controls.faults} remove={remove('faults')} />
      <p role="status" class="warning">
        {problem}
      </p>
    </>
  );
}

interface ListProps {
  readonly title: string;
  readonly unit: string;
  readonly found: readonly TestControlView[];
  readonly remove: (name: string) => void;
}

function List({ title, unit, found, remove }: ListProps) {
  return (
    <ul class="plain" aria-label={title}>
      {found.map(({ name, says, acted }) => (
        <li key={name}>
          {says}{' '}
          <span class="quiet">
            {name}, {acted} {unit}
          </span>{' '}
          <button type="button" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}
