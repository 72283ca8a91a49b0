import { amountAt, parseAmountTimeline, TIMELINE_FORM } from './amountTimeline.ts';
import type { KubernetesObject } from '../KubernetesObject.ts';
import type { Quantity } from '../quantities/quantity.ts';

const PREFIX = 'simulate.driftless.dev/';

/** What an annotation says at a time. */
export type ReadAmount =
  | { readonly status: 'read'; readonly amount: Quantity }
  /** There is no such annotation, or its first time is still to come. */
  | { readonly status: 'absent' }
  /** `problem`: a sentence that names the annotation and its text. */
  | { readonly status: 'unreadable'; readonly problem: string };

/** Reads the annotation `simulate.driftless.dev/NAME` of an object: an amount, or amounts by time. Their times count from the object's creation. Pure. */
export function readSimulatedAmount({ metadata }: KubernetesObject, name: string, nowMs: number): ReadAmount {
  const text = metadata.annotations?.[PREFIX + name];
  if (text === undefined) return { status: 'absent' };
  const timeline = parseAmountTimeline(text);
  if (!timeline) return { status: 'unreadable', problem: amountProblem(name, text) };
  const amount = amountAt(timeline, nowMs - Date.parse(metadata.creationTimestamp));
  return amount ? { status: 'read', amount } : { status: 'absent' };
}

function amountProblem(name: string, text: string): string {
  return `${PREFIX}${name}: ${JSON.stringify(text)} is not ${TIMELINE_FORM}`;
}

/** Returns the names after `PREFIX` of an object's annotations that begin with `kind`: the metrics `rps` and `errors` of `metric-rps` and `metric-errors`. Pure. */
export function simulatedNames({ metadata }: KubernetesObject, kind: string): string[] {
  return Object.keys(metadata.annotations ?? {})
    .filter((name) => name.startsWith(PREFIX + kind) && name.length > PREFIX.length + kind.length)
    .map((name) => name.slice(PREFIX.length + kind.length))
    .sort();
}

/** True for a pod whose annotation `no-metrics` is `"true"`: nothing is measured of it. Pure. */
export function hasNoMetrics({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[`${PREFIX}no-metrics`] === 'true';
}
