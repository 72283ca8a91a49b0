import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ConditionView, EventView, ServerView, WorkloadView } from '../views/PageViews.ts';
import { Actions } from './Actions.tsx';
import { BoundsChart } from './BoundsChart.tsx';
import { Confirmation } from './Confirmation.tsx';
import { Lanes } from './Lanes.tsx';
import { Bar, Problem } from './Overview.tsx';
import { Revisions } from './Revisions.tsx';
import { TestControls } from './TestControls.tsx';
import { TimeLine } from './TimeLine.tsx';
import { useAction } from './useAction.ts';
import { useStream } from './useStream.ts';
import { Why } from './Why.tsx';

const MOST_EVENTS = 40;

interface RolloutPageProps {
  readonly namespace: string;
  readonly name: string;
  readonly server: ServerView | undefined;
}

/** One Deployment and its rollout, live or at an earlier moment. */
export function RolloutPage({ namespace, name, server }: RolloutPageProps) {
  const path = `/deployments/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const { told: now, history, lost } = useStream(`${path}/stream`, { keepsHistory: true });
  const { asked, choose, confirm, close } = useAction(path);
  const [moment, setMoment] = useState<number>();
  const then = useMemo(() => (moment === undefined ? undefined : history?.at(moment)), [history, moment]);
  const told = then ?? now;
  const [current] = now.workloads.values();
  const workload = [...told.workloads.values()][0] ?? current;
  const confirmation = asked && (
    <Confirmation key={JSON.stringify(asked.action)} {...asked} confirm={confirm} close={close} />
  );
  useTitle(current ? `${name}: ${current.state}` : name);
  if (!now.isKnown || !workload || !history)
    return (
      <main>
        <Problem why={lost ?? now.problem} />
        {now.isKnown && (
          <p class="nothing">
            There is no Deployment {namespace}/{name}. <a href="#/">All workloads</a>
          </p>
        )}
        {confirmation}
      </main>
    );
  return (
    <main>
      <Head workload={workload} isLookingBack={then !== undefined} />
      <Problem why={lost ?? now.problem} />
      <TestControls server={server} nowMs={now.nowMs} images={workload.images} />
      {current && <Actions path={path} workload={current} revisions={[...now.replicaSets.values()]} choose={choose} />}
      {confirmation}
      <TimeLine history={history} moment={moment} choose={setMoment} />
      <div class="columns">
        <section aria-label="Pods">
          <Lanes told={told} />
          <h2>Counts in time</h2>
          <BoundsChart
            samples={now.samples}
            nowMs={now.nowMs}
            messageCount={now.messageCount}
            lookedAt={then?.samples.at(-1)}
            chooseTime={(timeMs) => setMoment(history.momentAt(timeMs))}
          />
          <Revisions path={path} revision={now === told ? workload.revision : ''} />
        </section>
        <section aria-label="Why">
          <Why path={path} isVirtual={now.isVirtual} lookedAtMs={then?.nowMs} />
          <Conditions conditions={workload.conditions} />
          <Events events={[...told.events.values()]} />
        </section>
      </div>
    </main>
  );
}

/** Shows the state on the tab, for those who look at another. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = 'Driftless';
    };
  }, [title]);
}

function Head({ workload, isLookingBack }: { readonly workload: WorkloadView; readonly isLookingBack: boolean }) {
  const { namespace, name, state, says, images } = workload;
  return (
    <>
      <div class="bar">
        <h1>
          <a class="quiet" href="#/">
            {namespace}
          </a>{' '}
          / {name}
        </h1>
        <span class={`state ${state.replace(' ', '-')}`} role={isLookingBack ? undefined : 'status'}>
          {state}
        </span>
        <span class="quiet">{images.join(', ')}</span>
        <Bar workload={workload} />
      </div>
      <p class="lead">{says}</p>
    </>
  );
}

function Conditions({ conditions }: { readonly conditions: readonly ConditionView[] }) {
  return (
    <>
      <h2>Conditions</h2>
      {conditions.length === 0 && <p class="quiet">None yet.</p>}
      <ul class="plain">
        {conditions.map(({ says, type, status, reason, message }) => (
          <li key={type}>
            {says}{' '}
            <span class="quiet">
              {type} is {status}
              {reason && ` (${reason})`}: {message}
            </span>
          </li>
        ))}
      </ul>
    </>
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

function timeOfDay(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(11, 19);
}
