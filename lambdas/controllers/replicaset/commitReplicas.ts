import type { Pod } from '../../objects/kinds.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { burnName, type CreateResult, createPod, deletePod, type DeleteResult, type PodWriter } from './PodWriter.ts';
import type { PlannedPod } from './plannedPod.ts';
import type { ReplicasPlan } from './decideReplicas.ts';
import { slowStartBatches } from './slowStart.ts';

/** What committing a plan came to. */
export interface CommittedReplicas {
  readonly created: readonly Pod[];
  readonly deletedUids: ReadonlySet<string>;
  /** Of the deleted ones, how many are still on their way out. */
  readonly terminating: number;
  /** The first error; the others are likely the same, and each has its event. */
  readonly failure: Error | undefined;
  /** True when no request of this plan, or of the intent that it settles, can have an effect any more. */
  readonly settled: boolean;
  /** True when the world turned out to be another one than was decided about. */
  readonly surprised: boolean;
  /** True when time ran out with something left to do. */
  readonly unfinished: boolean;
  readonly events: readonly EventToRecord[];
  readonly writes: readonly string[];
}

/** Burns, then creates in slow-start batches, then deletes; what the sync's deadline keeps from beginning is left for the next sync. */
export async function commitReplicas(writer: PodWriter, plan: ReplicasPlan): Promise<CommittedReplicas> {
  const burned = await burnAll(writer, plan.burns);
  // A create of the earlier holder landed after the pods were listed: it must be counted before any other is made.
  if (!burned.settled || burned.surprised) return collect([], [], { ...burned, unfinished: false });
  const { results, skipped } = await createInBatches(writer, plan.creates);
  const leftovers = plan.inherited ? await burnAll(writer, notCreated(plan.creates, results)) : NOTHING_BURNED;
  const deletes = await Promise.all(plan.deletes.map((victim) => deletePod(writer, victim)));
  const unfinished = (skipped > 0 && !results.some(hasFailed)) || deletes.some(({ status }) => status === 'notTried');
  return collect(results, deletes, { ...leftovers, unfinished });
}

interface Burned {
  readonly settled: boolean;
  readonly surprised: boolean;
}

const NOTHING_BURNED: Burned = { settled: true, surprised: false };

async function burnAll(writer: PodWriter, names: readonly PlannedPod[]): Promise<Burned> {
  const outcomes = await Promise.all(names.map((name) => burnName(writer, name)));
  const landed = outcomes.includes('landed');
  return { settled: !landed && !outcomes.includes('notTried'), surprised: landed };
}

/** A failing batch is the last: what fails once would mostly fail for all, and each attempt makes an event. */
async function createInBatches(writer: PodWriter, pods: readonly PlannedPod[]) {
  const results: CreateResult[] = [];
  for (const batch of slowStartBatches(pods)) {
    if (results.some((result) => hasFailed(result) || result.status === 'notTried')) break;
    results.push(...(await Promise.all(batch.map((planned) => createPod(writer, planned)))));
  }
  const tried = results.filter(({ status }) => status !== 'notTried');
  return { results, skipped: pods.length - tried.length };
}

function hasFailed({ status }: CreateResult): boolean {
  return status === 'refused' || status === 'unknown';
}

/** Those whose create was refused, or not tried. One whose outcome is unknown stays in the intent, for the next holder. */
function notCreated(pods: readonly PlannedPod[], results: readonly CreateResult[]): PlannedPod[] {
  return pods.filter((_, index) => {
    const status = results[index]?.status;
    return status === undefined || status === 'notTried' || status === 'refused' || status === 'taken';
  });
}

function collect(
  creates: readonly CreateResult[],
  deletes: readonly DeleteResult[],
  rest: Burned & { readonly unfinished: boolean },
): CommittedReplicas {
  const results = [...creates, ...deletes];
  const gone = deletes.filter(({ status }) => status === 'deleted' || status === 'absent');
  return {
    created: creates.flatMap((result) => (result.status === 'created' ? [result.pod] : [])),
    deletedUids: new Set(gone.map(({ victim }) => victim.uid)),
    terminating: deletes.filter((result) => result.status === 'deleted' && result.terminating).length,
    failure: results.flatMap((result) => ('error' in result ? [result.error] : []))[0],
    settled: rest.settled && !results.some(({ status }) => status === 'unknown'),
    surprised: rest.surprised || results.some(({ status }) => status === 'taken' || status === 'changed'),
    unfinished: rest.unfinished,
    events: results.flatMap(({ event }) => (event ? [event] : [])),
    writes: results.flatMap(({ write }) => (write === undefined ? [] : [write])),
  };
}
