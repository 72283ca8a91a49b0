import type { RolloutHistory } from './RolloutHistory.ts';

interface TimeLineProps {
  readonly history: RolloutHistory;
  /** The moment that is shown; `undefined`: that of now. */
  readonly moment: number | undefined;
  readonly choose: (moment: number | undefined) => void;
}

/** A slider over the moments that the page has seen. The arrow keys go from one to the next. */
export function TimeLine({ history, moment, choose }: TimeLineProps) {
  const { first, last } = history;
  const shown = Math.max(moment ?? last, first);
  const count = last - first + 1;
  return (
    <div class="bar time-line" role="group" aria-label="Time line">
      <input
        type="range"
        aria-label="Look back"
        aria-valuetext={moment === undefined ? 'now' : timeText(history.timeOf(shown))}
        min={first}
        max={Math.max(last, first + 1)}
        disabled={count < 2}
        value={moment === undefined ? Math.max(last, first + 1) : shown}
        onInput={(event) => {
          const chosen = Number(event.currentTarget.value);
          choose(chosen >= last ? undefined : chosen);
        }}
      />
      {moment === undefined ? (
        <span class="quiet">Now. Drag back over the {count} moments that this page has seen.</span>
      ) : (
        <>
          <b>
            <time>{timeText(history.timeOf(shown))}</time>
          </b>
          <span class="quiet">
            moment {shown - first + 1} of {count}
          </span>
          <button type="button" onClick={() => choose(undefined)}>
            Back to now
          </button>
        </>
      )}
    </div>
  );
}

function timeText(ms: number): string {
  return new Date(ms)
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '');
}
