import { useState } from 'preact/hooks';
import type { ServerView } from '../views/PageViews.ts';
import { reasonOf, sendToServer } from './callServer.ts';
import { TestObjects } from './TestObjects.tsx';

interface TestControlsProps {
  readonly server: ServerView | undefined;
  readonly nowMs: number;
  /** Images that a behaviour is probably about. */
  readonly images: readonly string[];
}

const STEPS = ['1s', '5s', '1m', '10m'];

/** What a cluster for tests has besides: a clock that is moved, faults, and behaviours of pods. */
export function TestControls({ server, nowMs, images }: TestControlsProps) {
  if (!server?.hasTestControls) return null;
  return (
    <div class="controls">
      {server.isVirtual && <Clock nowMs={nowMs} />}
      <TestObjects images={images} />
    </div>
  );
}

/** A virtual clock, which moves when it is told to. */
function Clock({ nowMs }: { readonly nowMs: number }) {
  const [problem, setProblem] = useState('');
  const [other, setOther] = useState('30s');
  const [isMoving, setMoving] = useState(false);
  const advance = async (duration: string) => {
    setMoving(true);
    setProblem('');
    await sendToServer('/controls/advance', { duration }).catch((error: unknown) => setProblem(reasonOf(error)));
    setMoving(false);
  };
  return (
    <div class="bar clock" role="group" aria-label="Virtual clock">
      <span>
        Virtual clock <time>{new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}</time>
      </span>
      {STEPS.map((duration) => (
        <button type="button" key={duration} disabled={isMoving} onClick={() => void advance(duration)}>
          + {duration}
        </button>
      ))}
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          void advance(other);
        }}
      >
        <input aria-label="Duration" size={6} value={other} onInput={(event) => setOther(event.currentTarget.value)} />
        <button disabled={isMoving}>Advance</button>
      </form>
      <span role="status" class="warning">
        {problem}
      </span>
    </div>
  );
}
