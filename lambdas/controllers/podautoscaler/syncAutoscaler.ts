import type { HorizontalPodAutoscalerStatus } from 'kubernetes-types/autoscaling/v2.js';
import { cloneJson, jsonEqual } from '../../objects/json.ts';
import { ApiError } from '../../objects/ApiError.ts';
import { type KubernetesObject, namespacedName } from '../../objects/KubernetesObject.ts';
import type { HorizontalPodAutoscaler } from '../../objects/kinds.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import { conclude, CONFLICT } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { updateStatus } from '../updateStatus.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reasonInWords } from './autoscalerReasons.ts';
import { type AutoscalerMemory, NOTHING_REMEMBERED, withScaleEvent } from './AutoscalerMemory.ts';
import {
  decideScale,
  type Happening,
  type Measurements,
  needsMetrics,
  type Rescale,
  type ScaleDecision,
  statusAfterRefusal,
  statusAfterRescale,
} from './decideScale.ts';
import { AUTOSCALERS, type MeasurementParts, observeMeasurements } from './observeMeasurements.ts';
import { observeScaleTarget, type ScaleTarget } from './ScaleTarget.ts';
import { settlePending, withoutPending } from './settlePending.ts';

/** kube-controller-manager's `--horizontal-pod-autoscaler-sync-period`. */
export const SYNC_PERIOD_MS = 15_000;

/** What an autoscaler is observed with. */
export type ObservationParts = MeasurementParts & { readonly catalog: ResourceCatalog };

type AutoscalerParts = Omit<ObservationParts, 'registry'> & { readonly events: EventRecorder; readonly clock: Clock };

/**
 * Syncs one autoscaler: Kubernetes' `reconcileAutoscaler`. Its steps: settle the change of replicas that an earlier sync left (`settlePending`); read the scale, and the metrics if they matter; decide (`decideScale`); remember what is
 * recommended, and the change that follows; change the replicas; write the status and the events. Then it waits for 15 seconds, whatever came of it.
 */
export async function syncAutoscaler(parts: AutoscalerParts, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const { registry, objectStore, nowMs } = context;
  const autoscaler = await registry.get<HorizontalPodAutoscaler>({ resource: AUTOSCALERS, namespace, name });
  if (!autoscaler) return await forgetAutoscaler(context);
  const remembered = memoryOf(autoscaler, context.item.intent);
  const settled = await settlePending(objectStore, namespace, remembered, nowMs);
  const { target, measurements } = await observeAutoscaler({ ...parts, registry }, autoscaler, nowMs);
  const decision = decideScale({ autoscaler, target, memory: settled, nowMs, ...(measurements && { measurements }) });
  const { rescale } = decision;
  const written =
    rescale && typeof target !== 'string'
      ? await commitRescale(parts.clock, context, { autoscaler, target, decision, rescale })
      : { ...NOTHING_WRITTEN, status: decision.status, memory: decision.memory };
  if (written.memory !== remembered && !jsonEqual(written.memory, remembered))
    await context.recordIntent(intentOf(autoscaler, written.memory));
  if (written.isStale) return { outcome: CONFLICT, why: decision.why.map(reasonInWords), writes: [] };
  return await concludeTurn(parts.events, autoscaler, decision, written, context);
}

/** Reads what an autoscaler's decision depends on: the scale of its target, or why it cannot be read, and the metrics if they matter. */
export async function observeAutoscaler(
  parts: ObservationParts,
  autoscaler: HorizontalPodAutoscaler,
  nowMs: number,
): Promise<{ readonly target: ScaleTarget | string; readonly measurements?: Measurements }> {
  const target = await observeScaleTarget(parts.registry, parts.catalog, autoscaler);
  if (typeof target === 'string' || !needsMetrics({ autoscaler, target })) return { target };
  return { target, measurements: await observeMeasurements(parts, autoscaler, target, nowMs) };
}

/** Returns what the key remembers of this autoscaler, and not of another one of its name. Pure. */
export function memoryOf({ metadata }: HorizontalPodAutoscaler, intent: Intent | undefined): AutoscalerMemory {
  const { autoscaling } = (intent?.memory ?? {}) as { readonly autoscaling?: AutoscalerMemory };
  return (intent?.ownerUid === metadata.uid ? autoscaling : undefined) ?? NOTHING_REMEMBERED;
}

function intentOf({ metadata: { uid } }: HorizontalPodAutoscaler, autoscaling: AutoscalerMemory): Intent {
  return { id: uid, ownerUid: uid, count: 0, deletes: [], memory: { autoscaling } };
}

async function forgetAutoscaler({ item, recordIntent }: SyncContext): Promise<SyncReport> {
  if (item.intent) await recordIntent(undefined);
  return { outcome: { status: 'done' }, why: [reasonInWords({ reason: 'isGone' })], writes: [] };
}

/** What became of the change of replicas, and what the status says after it. */
interface Written {
  readonly status: HorizontalPodAutoscalerStatus;
  readonly memory: AutoscalerMemory;
  readonly happened: readonly Happening[];
  readonly writes: readonly string[];
  /** Something else changed what is scaled in the meantime. */
  readonly isStale: boolean;
}

const NOTHING_WRITTEN = { happened: [], writes: [], isStale: false };

interface DecidedRescale {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly target: ScaleTarget;
  readonly decision: ScaleDecision;
  readonly rescale: Rescale;
}

/** Remembers the change before it is written. Once it is answered, it counts for the rates; without an answer, the next sync settles it. */
async function commitRescale(
  clock: Clock,
  context: SyncContext,
  { autoscaler, target, decision, rescale }: DecidedRescale,
): Promise<Written> {
  const { nowMs, registry } = context;
  const { object, resource } = target;
  const { name, uid, resourceVersion } = object.metadata;
  const change = rescale.to - rescale.from;
  const pending = { resource, name, uid, resourceVersion, change };
  await context.recordIntent(intentOf(autoscaler, { ...decision.memory, pending }));
  const outcome = await registry.update<KubernetesObject>(resource, resized(target, rescale.to), {
    from: object,
  });
  const memory = withoutPending(decision.memory);
  const { namespace = '' } = autoscaler.metadata;
  if (outcome.status === 'stored') {
    const message = `New size: ${rescale.to}; reason: ${rescale.reason}`;
    // The write may have taken long, and its period begins when it landed.
    const atMs = clock.now();
    return {
      status: statusAfterRescale(decision, rescale, atMs),
      memory: withScaleEvent(memory, { change, atMs }, atMs),
      happened: [{ type: 'Normal', reason: 'SuccessfulRescale', message }],
      writes: [`scale ${resource} ${namespace}/${name} to ${rescale.to}`],
      isStale: false,
    };
  }
  const { reason, message: error } = outcome.error;
  const message = `New size: ${rescale.to}; reason: ${rescale.reason}; error: ${error}`;
  return {
    ...NOTHING_WRITTEN,
    status: statusAfterRefusal(decision, error, nowMs),
    memory,
    happened: [{ type: 'Warning', reason: 'FailedRescale', message }],
    isStale: reason === 'Conflict' || reason === 'NotFound',
  };
}

function resized({ object, rules }: ScaleTarget, replicas: number): KubernetesObject {
  const draft = cloneJson(object);
  rules.setReplicas(draft, replicas);
  return draft;
}

async function concludeTurn(
  events: EventRecorder,
  autoscaler: HorizontalPodAutoscaler,
  decision: ScaleDecision,
  { status, happened, writes }: Written,
  { registry }: SyncContext,
): Promise<SyncReport> {
  const updated = await commitStatus(registry, autoscaler, status);
  const all = [...decision.happened, ...happened, ...updated.happened];
  await events.record(
    all.map((one) => ({ regarding: autoscaler, ...one })),
    registry,
  );
  return {
    outcome: conclude({
      mustReobserve: updated.isStale,
      isCutShort: updated.isCutShort === true,
      delaysMs: [SYNC_PERIOD_MS],
    }),
    why: decision.why.map(reasonInWords),
    observed: { current: status.currentReplicas ?? 0, desired: status.desiredReplicas },
    writes: [...writes, ...updated.writes],
  };
}

/** Kubernetes tells by an event that the status cannot be written, and waits for the next turn. */
async function commitStatus(
  registry: GuardedRegistry,
  autoscaler: HorizontalPodAutoscaler,
  wanted: HorizontalPodAutoscalerStatus,
): Promise<Pick<Written, 'happened' | 'writes' | 'isStale'> & { readonly isCutShort?: boolean }> {
  try {
    const { status } = await updateStatus(registry, AUTOSCALERS, autoscaler, wanted);
    if (status === 'stored')
      return { ...NOTHING_WRITTEN, writes: [`status of ${AUTOSCALERS} ${namespacedName(autoscaler)}`] };
    return {
      ...NOTHING_WRITTEN,
      isStale: status === 'conflict' || status === 'absent',
      isCutShort: status === 'notTried',
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      ...NOTHING_WRITTEN,
      happened: [{ type: 'Warning', reason: 'FailedUpdateStatus', message: error.message }],
    };
  }
}
