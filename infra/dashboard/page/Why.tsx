import { useEffect, useState } from 'preact/hooks';
import type { WhyView } from '../server/explainRolloutOf.ts';
import { readFromServer } from './callServer.ts';
import type { Told } from './useStream.ts';

/** An explanation is asked for at most so often, and so often while time alone passes. */
const ASK_MS = 1_000;

/** What `driftless explain` says of the rollout, with the pods that are stuck on top. */
export function Why({ place, told }: { readonly place: string; readonly told: Told }) {
  const [why, setWhy] = useState<WhyView | null>();
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (document.visibilityState !== 'hidden')
        await readFromServer<WhyView | null>(`${place}/why`).then(
          (said) => isOver || setWhy(said),
          () => {},
        );
      if (!isOver) timer = setTimeout(() => void ask(), ASK_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [place]);
  if (!why) return <h2>Why?</h2>;
  const { rollout, stuckPods, lastSync, isOwn } = why;
  return (
    <>
      <h2>Why?</h2>
      {stuckPods.map(({ reason, message, count, owner, example }) => (
        <p class="stuck" key={owner + reason}>
          <b>
            {count} {count === 1 ? 'pod' : 'pods'}: {reason}
          </b>{' '}
          {message} <span class="quiet">such as {example}</span>
        </p>
      ))}
      {rollout && (
        <>
          <p>{rollout.summary}</p>
          <List title="Now" lines={[...rollout.why, ...rollout.wouldWrite.map((one) => `It would ${one}.`)]} />
          <List title="Waits" lines={rollout.waitsFor} />
        </>
      )}
      {lastSync && <List title="Last sync" lines={[...lastSync.why, ...lastSync.writes]} />}
      {!isOwn && <p class="quiet">Computed here from what the API shows: this server explains nothing itself.</p>}
      {told.isVirtual && <p class="quiet">The clock stands still until it is moved.</p>}
    </>
  );
}

function List({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
