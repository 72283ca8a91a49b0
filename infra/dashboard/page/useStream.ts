import { useEffect, useRef, useState } from 'preact/hooks';
import type { CountSample, EventView, PageMessage, PodView, ReplicaSetView, WorkloadView } from '../views/PageViews.ts';
import { followStream } from './callServer.ts';

/** What a page has been told so far. */
export interface Told {
  readonly workloads: Map<string, WorkloadView>;
  readonly replicaSets: Map<string, ReplicaSetView>;
  readonly pods: Map<string, PodView>;
  readonly events: Map<string, EventView>;
  readonly samples: CountSample[];
  nowMs: number;
  isVirtual: boolean;
  isKnown: boolean;
  problem: string | undefined;
  /** One more with each change. */
  version: number;
}

/** The chart keeps so many points; older ones are dropped. */
const MOST_SAMPLES = 5_000;

/** Follows a stream, and draws again at most once a frame. */
export function useStream(path: string): { readonly told: Told; readonly isLost: boolean } {
  const told = useRef<Told>(nothingTold());
  const [, draw] = useState(0);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    told.current = nothingTold();
    let isDue = false;
    const stop = followStream<PageMessage>(
      path,
      (message) => {
        take(told.current, message);
        if (isDue) return;
        isDue = true;
        requestAnimationFrame(() => {
          isDue = false;
          draw(told.current.version);
        });
      },
      setLost,
    );
    return stop;
  }, [path]);
  return { told: told.current, isLost };
}

function nothingTold(): Told {
  return {
    workloads: new Map(),
    replicaSets: new Map(),
    pods: new Map(),
    events: new Map(),
    samples: [],
    nowMs: 0,
    isVirtual: false,
    isKnown: false,
    problem: undefined,
    version: 0,
  };
}

function take(told: Told, message: PageMessage): void {
  const lists = ['workloads', 'replicaSets', 'pods', 'events'] as const;
  if (message.isStart) {
    for (const list of lists) told[list].clear();
    told.isKnown = true;
  }
  for (const list of lists) {
    const known = told[list] as Map<string, object>;
    for (const view of message[list]) known.set(view.id, view);
    for (const id of message.gone) known.delete(id);
  }
  told.samples.push(...message.samples);
  if (told.samples.length > MOST_SAMPLES) told.samples.splice(0, told.samples.length - MOST_SAMPLES);
  told.nowMs = message.nowMs;
  told.isVirtual = message.isVirtual;
  told.problem = message.problem;
  told.version += 1;
}
