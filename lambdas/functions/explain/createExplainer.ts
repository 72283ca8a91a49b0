import { SyncHistory } from '../../explain/SyncHistory.ts';
import type { KubeletMeasurements } from '../../ports/KubeletMeasurements.ts';
import type { KeyLocks } from '../../ports/KeyLocks.ts';
import type { Ports } from '../../ports/Ports.ts';
import { roomNamed } from '../../controllers/controllerRooms.ts';
import { encodeWorkKey, type WorkKey } from '../../ports/WorkKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Explanation, KeyState } from '../../explain/Explanation.ts';
import { formatExplainKey } from './explainKey.ts';

/** What a queue says of its keys, where it can be asked. */
export interface QueueView {
  /** Whether a worker has a message of the key, and when the others become visible. */
  peek(key: WorkKey): {
    readonly isOut: boolean;
    readonly waiting: readonly { readonly visibleAtMs: number; readonly isBackoff: boolean }[];
  };
  deadLetters(): readonly { readonly key: WorkKey; readonly why: string }[];
}

export interface ExplainerParts {
  readonly ports: Pick<Ports, 'clock' | 'workClock'> & { readonly keyLocks: Pick<KeyLocks, 'peek'> };
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
  /** Absent: the queue shows no single key. */
  readonly queue?: QueueView;
  /** The last syncs. Absent: other processes run them, and their log has them. */
  readonly history?: SyncHistory;
  readonly kubelets?: KubeletMeasurements | undefined;
  /** By how much the clocks may differ that measure what changes wait for. */
  readonly clocksDifferMs: number;
}

/** Explains one key; resolves to `undefined` if there is no such object and no sync of the key is remembered. Only reads. */
export type Explainer = (key: WorkKey) => Promise<Explanation | undefined>;

export function createExplainer(parts: ExplainerParts): Explainer {
  return async (key) => {
    const { registry, catalog, history, kubelets, ports, clocksDifferMs } = parts;
    const room = roomNamed(key.controller);
    const resource = room?.about;
    const object = resource && (await registry.get({ ...key, resource }));
    const syncs = history?.of(key).toReversed();
    if (!room || (!object && !syncs?.length)) return undefined;
    const nowMs = ports.clock.now();
    const item = await ports.keyLocks.peek(key);
    const known = { registry, catalog, kubelets, history: history ?? new SyncHistory() };
    const facts = { ...known, clock: ports.clock, intent: item?.intent, nowMs };
    return {
      key: formatExplainKey(key),
      nowMs,
      ...(resource && { exists: object !== undefined }),
      state: stateOf(parts, key, item),
      ...(item?.waited && { lastChange: { waits: item.waited, clocksDifferMs } }),
      ...(object && room.explain ? await room.explain({ ...facts, object }) : { stuckPods: [] }),
      ...(syncs && { syncs }),
    };
  };
}

function stateOf(
  { ports, queue }: ExplainerParts,
  key: WorkKey,
  item: Awaited<ReturnType<KeyLocks['peek']>>,
): KeyState {
  const nowMs = ports.workClock.now();
  const timeOfDay = (workMs: number) => workMs - nowMs + ports.clock.now();
  const { isOut, waiting } = queue?.peek(key) ?? { isOut: false, waiting: [] };
  const { heldUntilMs, intent, failures = 0 } = item ?? {};
  const backoff = waiting.find(({ isBackoff, visibleAtMs }) => isBackoff && visibleAtMs > nowMs);
  const retryAtMs = backoff?.visibleAtMs ?? (failures > 0 ? item?.wakeAtMs : undefined);
  const wakeAtMs = failures > 0 ? undefined : item?.wakeAtMs;
  const letter = queue?.deadLetters().find(isAbout(key));
  return {
    ...(heldUntilMs !== undefined && { syncingUntilMs: timeOfDay(heldUntilMs) }),
    ...(queue && { isQueued: !isOut && waiting.some(({ visibleAtMs }) => visibleAtMs <= nowMs) }),
    failures,
    ...(retryAtMs !== undefined && { retryAtMs: timeOfDay(retryAtMs) }),
    ...(wakeAtMs !== undefined && { wakeAtMs: timeOfDay(wakeAtMs) }),
    ...(intent && intent.count + intent.deletes.length > 0 && { unfinishedPods: intent.count + intent.deletes.length }),
    ...(letter && { deadLetter: letter.why }),
  };
}

function isAbout(key: WorkKey): (letter: { readonly key: WorkKey }) => boolean {
  return (letter) => encodeWorkKey(letter.key) === encodeWorkKey(key);
}
