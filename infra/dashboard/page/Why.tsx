import { useEffect, useState } from 'preact/hooks';
import type { WhyView } from '../server/explainRolloutOf.ts';
import { readFromServer } from './callServer.ts';

/** An explanation is asked for at most so often, and so often while time alone passes. */
const ASK_MS = 1_000;
/** Older answers are dropped. */
const MOST_ANSWERS = 1_000;

interface WhyProps {
  readonly path: string;
  readonly isVirtual: boolean;
  /** The time that one looks back at; `undefined`: now. */
  readonly lookedAtMs: number | undefined;
}

/** What `driftless explain` says of the rollout, or said at an earlier time, with the pods that are stuck on top. */
export function Why({ path, isVirtual, lookedAtMs }: WhyProps) {
  const answers = useAnswers(path);
  const why = lookedAtMs === undefined ? answers.at(-1) : answers.findLast(({ nowMs }) => nowMs <= lookedAtMs);
  if (!why)
    return (
      <>
        <h2>Why?</h2>
        {lookedAtMs !== undefined && <p class="quiet">This page had not asked yet.</p>}
      </>
    );
  const { rollout, stuckPods, lastSync, waited, isOwn, nowMs } = why;
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
      {waited !== undefined && <List title="Last traced change" lines={[waited]} />}
      {lookedAtMs !== undefined && <p class="quiet">As of {new Date(nowMs).toISOString().slice(11, 19)}.</p>}
      {!isOwn && <p class="quiet">Computed here from what the API shows.</p>}
      {isVirtual && <p class="quiet">The clock stands still until it is moved.</p>}
    </>
  );
}

/** The answers so far, the newest last. Equal ones are kept once, with the time of the first. */
function useAnswers(path: string): readonly WhyView[] {
  const [answers, setAnswers] = useState<readonly WhyView[]>([]);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (document.visibilityState !== 'hidden') {
        const said = await readFromServer<WhyView | null>(`${path}/why`).catch(() => null);
        if (said && !isOver) setAnswers((before) => withAnswer(before, said));
      }
      if (!isOver) timer = setTimeout(() => void ask(), ASK_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path]);
  return answers;
}

function withAnswer(before: readonly WhyView[], said: WhyView): readonly WhyView[] {
  const textOf = (one: WhyView) => JSON.stringify({ ...one, nowMs: 0 });
  const last = before.at(-1);
  return last && textOf(last) === textOf(said) ? before : [...before.slice(1 - MOST_ANSWERS), said];
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
