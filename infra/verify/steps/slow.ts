import { LATENCY_LIMITS } from '../../promises.ts';
import { deployedOfType } from '../StackAccount.ts';
import { cloudOf, knobOf, type Place, unlessInCloud } from '../Place.ts';
import { ObjectMirror } from '../ObjectMirror.ts';
import { simulatedDeployment } from '../simulatedDeployment.ts';
import { differs, failed, ok, type Step, type Verdict } from '../Step.ts';
import { isContainer } from './deployment.ts';
import { isComplete } from './rollout.ts';

const PAUSE_MS = 20 * 60_000;
const MOST_BEYOND_MS = 300;

export interface PauseFacts {
  readonly firstMs: number;
  readonly nextMs: number;
}

/** Whether a first request after a pause finds functions that are kept warm. */
export const pause: Step<PauseFacts> = {
  id: 'pause',
  expects: `After 20 minutes without a request the first one takes at most ${MOST_BEYOND_MS} ms more than the next (the models: ${LATENCY_LIMITS['first request after a pause, beyond a warm one'].p95}).`,
  optIn: { kind: 'noisy', why: 'it takes 20 minutes, in which nobody else may use the stack' },
  unavailable: (place) => {
    if (place.isLocal) return 'the server is on this machine';
    return knobOf(place, 'keepWarm') === false ? '`keepWarm` is off' : undefined;
  },
  async observe({ api, clock }) {
    const timed = async () => {
      const beganMs = clock.now();
      await api.get('/api/v1/namespaces/default');
      return clock.now() - beganMs;
    };
    await clock.sleep(PAUSE_MS);
    return { firstMs: await timed(), nextMs: await timed() };
  },
  judge: judgePause,
};

/** The connection to the server may have been closed meanwhile, which adds the time to open one. */
export function judgePause({ firstMs, nextMs }: PauseFacts, { roundTripMs }: Pick<Place, 'roundTripMs'>): Verdict {
  const found = `The first request took ${Math.round(firstMs)} ms, the next ${Math.round(nextMs)}`;
  const beyondMs = firstMs - nextMs - CONNECTING_TRIPS * roundTripMs;
  return beyondMs <= MOST_BEYOND_MS ? ok(`${found}.`) : differs(`${found}: functions were not warm.`);
}

/** TCP and TLS 1.3. */
const CONNECTING_TRIPS = 2;

export interface WatchLengthFacts {
  /** How long the server held a watch that says nothing of its length, and one that asks for an hour; seconds. */
  readonly unresumedSeconds: number;
  readonly resumedSeconds: number;
}

/** Watches that are resumed end up to a fifth earlier or later than the knob says, so that they do not end together. */
const JITTER = 0.2;
const LATE_SECONDS = 5;

/** How long API Gateway and the function hold a watch in which nothing happens. */
export const watchLength: Step<WatchLengthFacts> = {
  id: 'watch-length',
  expects: 'A watch in which nothing happens is held as long as the knob `watchSeconds` says, and then ends in order.',
  optIn: { kind: 'noisy', why: 'two watches hold two of the account’s executions for more than a minute' },
  unavailable: (place) =>
    unlessInCloud(place, ({ stack, knobs }) => {
      if (isContainer(stack)) return 'a container holds watches for 14 minutes';
      return knobs ? undefined : 'the stack was deployed by a release that did not note its knobs';
    }),
  async observe({ api, clock, namespace }) {
    const held = async (timeoutSeconds?: number) => {
      const beganMs = clock.now();
      const path = `/api/v1/namespaces/${namespace}/secrets`;
      const options = { signal: clock.signal, ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
      // Bookmarks and what else comes says nothing of its length.
      for await (const event of api.watch(path, options)) void event;
      return (clock.now() - beganMs) / 1000;
    };
    const [unresumedSeconds, resumedSeconds] = await Promise.all([held(), held(3600)]);
    return { unresumedSeconds, resumedSeconds };
  },
  judge: (facts, place) => judgeWatchLength(facts, knobOf(place, 'watchSeconds') ?? { resumed: 0, unresumed: 0 }),
};

export function judgeWatchLength(
  { unresumedSeconds, resumedSeconds }: WatchLengthFacts,
  knob: { readonly resumed: number; readonly unresumed: number },
): Verdict {
  const found = `A watch was held for ${Math.round(unresumedSeconds)} s, and one that is resumed for ${Math.round(resumedSeconds)}; the knob says ${knob.unresumed} and ${knob.resumed}`;
  const isNear = (seconds: number, wanted: number) =>
    seconds >= wanted * (1 - JITTER) - LATE_SECONDS && seconds <= wanted * (1 + JITTER) + LATE_SECONDS;
  if (isNear(unresumedSeconds, knob.unresumed) && isNear(resumedSeconds, knob.resumed)) return ok(`${found}.`);
  return failed(`${found}.`);
}

export interface LoadFacts {
  /** From the acknowledged write until all are available; undefined if they never were. */
  readonly availableMs: number | undefined;
  /** How many instances of `sync` logged in each second, from the first on. */
  readonly instancesBySecond: readonly number[];
  /** How many writes each table has refused; by logical id. */
  readonly throttles: Readonly<Record<string, number>>;
}

const LOAD_REPLICAS = 1_000;
const LOAD_PATIENCE_MS = 10 * 60_000;
/** Until metrics and lines of the last minute are there. */
const SETTLE_MS = 150_000;
const TRIGGER = { batches: 5, perSecond: 5 } as const;

/** A thousand pods at once: how the trigger grows, and whether new tables take them. */
export const load: Step<LoadFacts> = {
  id: 'load',
  expects: `Of the queue's trigger ${TRIGGER.batches} batches run at first, and ${TRIGGER.perSecond} more each second; no table refuses a write of a thousand pods.`,
  optIn: {
    kind: 'noisy',
    why: 'a thousand pods are created and deleted, for about two cents, and others wait meanwhile',
  },
  unavailable: unlessInCloud,
  observe: observeLoad,
  judge: judgeLoad,
};

async function observeLoad(place: Place): Promise<LoadFacts> {
  const { api, clock, namespace } = place;
  const { account, stack } = cloudOf(place);
  const root = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const deployments = await ObjectMirror.open(api, clock, root);
  try {
    await api.post(root, await simulatedDeployment(api, { name: 'load', image: 'nginx:1', replicas: LOAD_REPLICAS }));
    const beganMs = clock.now();
    const doneMs = await deployments.until(
      () => isComplete(deployments.objects.get('load'), 'nginx:1'),
      LOAD_PATIENCE_MS,
    );
    await api.delete(`${root}/load`);
    await clock.sleep(SETTLE_MS);
    const period = { fromMs: beganMs, toMs: clock.now() };
    const [group] = deployedOfType(stack, 'AWS::Logs::LogGroup', 'SyncFunctionLog');
    const query =
      'filter message = "sync" | stats count_distinct(@logStream) as instances by bin(1s) as second | sort second asc';
    const rows = group ? await account.observations.queryLogs({ ...period, logGroup: group.physicalId, query }) : [];
    const throttles = deployedOfType(stack, 'AWS::DynamoDB::Table').map(async ({ logicalId, physicalId }) => {
      const metric = { namespace: 'AWS/DynamoDB', name: 'WriteThrottleEvents', statistic: 'Sum' } as const;
      const values = await account.observations.metric({ ...metric, ...period, dimensions: { TableName: physicalId } });
      return [logicalId, values.reduce((sum, value) => sum + value, 0)] as const;
    });
    return {
      availableMs: doneMs === undefined ? undefined : doneMs - beganMs,
      instancesBySecond: rows.map(({ instances }) => Number(instances)),
      throttles: Object.fromEntries(await Promise.all(throttles)),
    };
  } finally {
    await deployments.close();
  }
}

export function judgeLoad({ availableMs, instancesBySecond, throttles }: LoadFacts): Verdict {
  if (availableMs === undefined)
    return failed(`${LOAD_REPLICAS} replicas were not available after ${LOAD_PATIENCE_MS / 60_000} minutes.`);
  const [first = 0] = instancesBySecond;
  const most = Math.max(0, ...instancesBySecond);
  const refused = Object.entries(throttles).filter(([, count]) => count > 0);
  const found = `${LOAD_REPLICAS} replicas were available after ${(availableMs / 1000).toFixed(1)} s; ${first} instances of \`sync\` ran in the first second, and ${most} at most`;
  if (instancesBySecond.length === 0) return failed(`${found}: no line of \`sync\` was found.`);
  const tooMany = instancesBySecond.findIndex(
    (count, second) => count > TRIGGER.batches + TRIGGER.perSecond * (second + 1),
  );
  if (refused.length > 0)
    return differs(
      `${found}. Writes were refused by ${refused.map(([table, count]) => `${table} (${count})`).join(', ')}.`,
    );
  if (tooMany >= 0) return differs(`${found}. In second ${tooMany + 1} there were ${instancesBySecond[tooMany]}.`);
  return ok(`${found}. No table refused a write.`);
}
