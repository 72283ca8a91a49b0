import type { DaemonSet } from '../../objects/kinds.ts';
import { CLOCK_WAS_SET_BACK_MS } from '../../objects/pods/podState.ts';

/** How a node's failed pods were last dealt with. */
export interface NodeBackoff {
  readonly node: string;
  /** How long the next failed pod stays at least. */
  readonly delayMs: number;
  /** When the last one was deleted; milliseconds since the epoch. */
  readonly atMs: number;
}

/** What a DaemonSet's key remembers of pods that failed. A new generation of the DaemonSet forgets it: its pods may not fail. */
export interface FailedPods {
  readonly generation: number;
  readonly nodes: readonly NodeBackoff[];
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15 * 60_000;
/** Kubernetes' Backoff forgets a node after twice the longest delay. */
const FORGOTTEN_AFTER_MS = 2 * LONGEST_DELAY_MS;
/** The key's item has no room for more. Then those are forgotten whose last failure is longest ago. */
const MOST_NODES = 1_000;

/** Returns how long a failed pod of the node stays yet; 0: it may be deleted. Kubernetes' `IsInBackOffSinceUpdate`. Pure. */
export function remainingBackoffMs(known: NodeBackoff | undefined, nowMs: number): number {
  if (!known || isForgotten(known, nowMs)) return 0;
  return Math.max(0, known.atMs + known.delayMs - nowMs);
}

/** Returns what is remembered when a failed pod of the node is deleted: `Backoff.Next`. Pure. */
export function nextBackoff(node: string, known: NodeBackoff | undefined, nowMs: number): NodeBackoff {
  const doubled = !known || isForgotten(known, nowMs) ? FIRST_DELAY_MS : known.delayMs * 2;
  return { node, delayMs: Math.min(doubled, LONGEST_DELAY_MS), atMs: nowMs };
}

/** Returns the nodes that are remembered for the DaemonSet as its last sync has seen it: `failedPodsBackoffKey` and `Backoff.GC`. Pure. */
export function rememberedNodes(
  { status }: DaemonSet,
  failedPods: FailedPods | undefined,
  nowMs: number,
): readonly NodeBackoff[] {
  if (failedPods?.generation !== (status?.observedGeneration ?? 0)) return [];
  return failedPods.nodes.filter((known) => !isForgotten(known, nowMs));
}

/** Returns what the key remembers after these nodes' failed pods are deleted; `undefined`: nothing. Pure. */
export function withBackoffs(
  { status }: DaemonSet,
  remembered: readonly NodeBackoff[],
  added: readonly NodeBackoff[],
): FailedPods | undefined {
  const byNode = new Map([...remembered, ...added].map((one) => [one.node, one]));
  if (byNode.size === 0) return undefined;
  const newest = [...byNode.values()].sort((a, b) => b.atMs - a.atMs).slice(0, MOST_NODES);
  return { generation: status?.observedGeneration ?? 0, nodes: newest };
}

/** A time that lies ahead was noted before the clock was set back. */
function isForgotten({ atMs }: NodeBackoff, nowMs: number): boolean {
  return nowMs - atMs > FORGOTTEN_AFTER_MS || atMs > nowMs + CLOCK_WAS_SET_BACK_MS;
}
