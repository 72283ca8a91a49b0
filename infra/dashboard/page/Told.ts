import type { CountSample, EventView, PageMessage, PodView, ReplicaSetView, WorkloadView } from '../views/PageViews.ts';

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
  /** One more with each message. */
  messageCount: number;
}

const LISTS = ['workloads', 'replicaSets', 'pods', 'events'] as const;
/** The chart keeps so many points; older ones are dropped. */
const MOST_SAMPLES = 5_000;

export function nothingTold(): Told {
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
    messageCount: 0,
  };
}

/** Adds what a message says. */
export function takeMessage(told: Told, message: PageMessage): void {
  if (message.isStart) {
    for (const list of LISTS) told[list].clear();
    told.isKnown = true;
  }
  for (const list of LISTS) {
    const known = told[list] as Map<string, object>;
    for (const view of message[list]) known.set(view.id, view);
    for (const id of message.gone) known.delete(id);
  }
  told.samples.push(...message.samples);
  if (told.samples.length > MOST_SAMPLES) told.samples.splice(0, told.samples.length - MOST_SAMPLES);
  told.nowMs = message.nowMs;
  told.isVirtual = message.isVirtual;
  told.problem = message.problem;
  told.messageCount += 1;
}

/** All that is told now as one message. Of the samples it has the last. */
export function messageOfAll({ workloads, replicaSets, pods, events, samples, nowMs, isVirtual }: Told): PageMessage {
  return {
    nowMs,
    isVirtual,
    isStart: true,
    workloads: [...workloads.values()],
    replicaSets: [...replicaSets.values()],
    pods: [...pods.values()],
    events: [...events.values()],
    gone: [],
    samples: samples.slice(-1),
  };
}
