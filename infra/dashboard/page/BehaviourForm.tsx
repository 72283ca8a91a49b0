import { useState } from 'preact/hooks';
import type { StoredPodBehaviour } from '../../testCluster/controls/TestingObjects.ts';

type Behave = StoredPodBehaviour['spec']['behave'];

interface Choice {
  readonly label: string;
  /** `duration`: what the user wrote. */
  readonly behave: (duration: string) => Behave;
  readonly takesDuration?: boolean;
}

const CHOICES: readonly Choice[] = [
  { label: 'cannot pull their image', behave: () => ({ failPull: true }) },
  { label: 'never become ready', behave: () => ({ neverReady: true }) },
  { label: 'become ready after', takesDuration: true, behave: (readyAfter) => ({ readyAfter }) },
  { label: 'crash after', takesDuration: true, behave: (crashAfter) => ({ crashAfter }) },
  { label: 'take to start', takesDuration: true, behave: (startDelay) => ({ startDelay }) },
  { label: 'take to end', takesDuration: true, behave: (terminationDelay) => ({ terminationDelay }) },
  { label: 'ignore SIGTERM', behave: () => ({ ignoreSigterm: true }) },
];

interface BehaviourFormProps {
  readonly images: readonly string[];
  readonly add: (spec: StoredPodBehaviour['spec']) => void;
}

/** Makes a PodBehaviour. */
export function BehaviourForm({ images, add }: BehaviourFormProps) {
  const [image, setImage] = useState(images[0] ?? '');
  const [chosen, setChosen] = useState(0);
  const [duration, setDuration] = useState('30s');
  const choice = CHOICES[chosen];
  return (
    <form
      class="bar"
      aria-label="Behaviour of pods"
      onSubmit={(event) => {
        event.preventDefault();
        if (choice) add({ ...(image !== '' && { image }), behave: choice.behave(duration) });
      }}
    >
      Pods of
      <input
        aria-label="Image of the pods"
        placeholder="any image"
        value={image}
        onInput={(event) => setImage(event.currentTarget.value)}
      />
      <select aria-label="What they do" onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
        {CHOICES.map(({ label }, index) => (
          <option key={label} selected={index === chosen}>
            {label}
          </option>
        ))}
      </select>
      {choice?.takesDuration && (
        <input
          aria-label="How long"
          size={6}
          value={duration}
          onInput={(event) => setDuration(event.currentTarget.value)}
        />
      )}
      <button>Add behaviour</button>
    </form>
  );
}
