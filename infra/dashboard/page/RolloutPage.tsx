import { useEffect, useState } from 'preact/hooks';
import type { EventView, ServerView } from '../views/PageViews.ts';
import { Actions } from './Actions.tsx';
import { BoundsChart } from './BoundsChart.tsx';
import { sendToServer } from './callServer.ts';
import { Lanes } from './Lanes.tsx';
import { Bar, Problem } from './Overview.tsx';
import { Revisions } from './Revisions.tsx';
import { useStream } from './useStream.ts';
import { Why } from './Why.tsx';

const MOST_EVENTS = 40;

interface RolloutPageProps {
  readonly namespace: string;
  readonly name: string;
  readonly server: ServerView | undefined;
}

/** One Deployment and its rollout, live. */
export function RolloutPage({ namespace, name, server }: RolloutPageProps) {
  const place = `/deployments/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const { told, isLost } = useStream(`${place}/stream`);
  const [workload] = told.workloads.values();
  useEffect(() => {
    document.title = workload ? `${name}: ${workload.state}` : name;
    return () => {
      document.title = 'Driftless';
    };
  }, [name, workload?.state]);
  if (!told.isKnown)
    return (
      <main>
        <Problem isLost={isLost} problem={told.problem} />
      </main>
    );
  if (!workload)
    return (
      <main>
        <p class="nothing">
          There is no Deployment {namespace}/{name}. <a href="#/">All workloads</a>
        </p>
      </main>
    );
  const { state, says, images } = workload;
  return (
    <main>
      <div class="bar">
        <h1>
          <a class="quiet" href="#/">
            {namespace}
          </a>{' '}
          / {name}
        </h1>
        <span class={`state ${state.replace(' ', '-')}`}>{state}</span>
        <span class="quiet">{images.join(', ')}</span>
        <Bar workload={workload} />
      </div>
      <p class="lead" role="status">
        {says}
      </p>
      <Problem isLost={isLost} problem={told.problem} />
      {server?.isVirtual && <Clock nowMs={told.nowMs} />}
      <Actions place={place} workload={workload} revisions={[...told.replicaSets.values()]} />
      <div class="columns">
        <section aria-label="Pods">
          <Lanes told={told} />
          <h2>Counts in time</h2>
          <BoundsChart samples={told.samples} version={told.version} />
          <Revisions place={place} revision={workload.revision} />
        </section>
        <section aria-label="Why">
          <Why place={place} told={told} />
          <h2>Conditions</h2>
          <ul class="plain">
            {workload.conditions.map(({ type, status, reason, message }) => (
              <li key={type}>
                <b>{type}</b> is {status}
                {reason && <span class="quiet"> ({reason})</span>}: {message}
              </li>
            ))}
          </ul>
          <Events events={[...told.events.values()]} />
        </section>
      </div>
    </main>
  );
}

function Events({ events }: { readonly events: readonly EventView[] }) {
  const newest = events.toSorted((a, b) => b.lastAtMs - a.lastAtMs).slice(0, MOST_EVENTS);
  return (
    <>
      <h2>Events</h2>
      {newest.length === 0 && <p class="quiet">None are kept.</p>}
      <ul class="plain">
        {newest.map(({ id, isWarning, reason, message, about, count, lastAtMs }) => (
          <li key={id} class={isWarning ? 'warning' : ''}>
            <time>{timeOfDay(lastAtMs)}</time> <b>{reason}</b> {message}{' '}
            <span class="quiet">
              {about}
              {count > 1 && `, ${count} times`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A virtual clock, which moves when it is told to. */
function Clock({ nowMs }: { readonly nowMs: number }) {
  const [problem, setProblem] = useState('');
  const advance = (duration: string) => {
    setProblem('');
    sendToServer('/advance', { duration }).catch((error: unknown) => setProblem(String(error)));
  };
  return (
    <div class="bar clock" role="group" aria-label="Virtual clock">
      <span>
        Virtual clock <time>{new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}</time>
      </span>
      {['1s', '5s', '1m', '10m'].map((duration) => (
        <button type="button" key={duration} onClick={() => advance(duration)}>
          + {duration}
        </button>
      ))}
      {problem && <span class="warning">{problem}</span>}
    </div>
  );
}

function timeOfDay(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(11, 19);
}
