import type { DeadLetter, EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import type { SyncHistory } from '../../lambdas/explain/SyncHistory.ts';
import type { KubeletMeasurements } from '../../lambdas/ports/KubeletMeasurements.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import { roomNamed } from '../../lambdas/controllers/controllerRooms.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { Explanation, KeyState } from '../../lambdas/explain/Explanation.ts';
import { formatExplainKey } from './explainKey.ts';

export interface ExplainerParts {
  readonly ports: Ports & { readonly workQueue: EmbeddedWorkQueue };
  readonly registry: Registry;
  readonly catalog: ResourceCatalog;
  readonly history: SyncHistory;
  readonly kubelets?: KubeletMeasurements | undefined;
}

/** Explains one key; resolves to `undefined` if there is no such object and no sync of the key is remembered. Only reads. */
export type Explainer = (key: WorkKey) => Promise<Explanation | undefined>;

export function createExplainer(parts: ExplainerParts): Explainer {
  return async (key) => {
    const { registry, catalog, history, kubelets, ports } = parts;
    const room = roomNamed(key.controller);
    const resource = room?.about;
    const object = resource && (await registry.get({ ...key, resource }));
    const syncs = history.of(key).toReversed();
    if (!room || (!object && syncs.length === 0)) return undefined;
    const nowMs = ports.clock.now();
    const item = await ports.keyLocks.peek(key);
    const facts = { registry, catalog, clock: ports.clock, intent: item?.intent, nowMs, kubelets, history };
    return {
      key: formatExplainKey(key),
      nowMs,
      ...(resource && { exists: object !== undefined }),
      state: stateOf(parts, key, item),
      ...(item?.waited && { lastChange: { waits: item.waited, clocksDifferMs: 0 } }),
      ...(object && room.explain ? await room.explain({ ...facts, object }) : { stuckPods: [] }),
      syncs,
    };
  };
}

function stateOf(
  { ports }: ExplainerParts,
  key: WorkKey,
  item: Awaited<ReturnType<Ports['keyLocks']['peek']>>,
): KeyState {
  const nowMs = ports.workClock.now();
  const timeOfDay = (workMs: number) => workMs - nowMs + ports.clock.now();
  const { isOut, waiting } = ports.workQueue.peek(key);
  const { heldUntilMs, intent, failures = 0 } = item ?? {};
  const backoff = waiting.find(({ isBackoff, visibleAtMs }) => isBackoff && visibleAtMs > nowMs);
  const retryAtMs = backoff?.visibleAtMs ?? (failures > 0 ? item?.wakeAtMs : undefined);
  const wakeAtMs = failures > 0 ? undefined : item?.wakeAtMs;
  const letter = ports.workQueue.deadLetters().find(isAbout(key));
  return {
    ...(heldUntilMs !== undefined && { syncingUntilMs: timeOfDay(heldUntilMs) }),
    isQueued: !isOut && waiting.some(({ visibleAtMs }) => visibleAtMs <= nowMs),
    failures,
    ...(retryAtMs !== undefined && { retryAtMs: timeOfDay(retryAtMs) }),
    ...(wakeAtMs !== undefined && { wakeAtMs: timeOfDay(wakeAtMs) }),
    ...(intent && intent.count + intent.deletes.length > 0 && { unfinishedPods: intent.count + intent.deletes.length }),
    ...(letter && { deadLetter: letter.why }),
  };
}

function isAbout(key: WorkKey): (letter: DeadLetter) => boolean {
  return (letter) => encodeWorkKey(letter.key) === encodeWorkKey(key);
}
