import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Fault } from '../Fault.ts';
import type { ActingRule, ImagePattern, PodBehaviour, PodBehaviourRule } from '../PodBehaviour.ts';

interface ActingStatus {
  readonly acted?: number;
}

/** A Fault of `testing.driftless.dev/v1`. */
export interface StoredFault extends KubernetesObject {
  readonly spec: Omit<Fault, 'conflict' | 'delay'> & { readonly conflict?: boolean; readonly delay?: string };
  readonly status?: ActingStatus;
}

/** A PodBehaviour of `testing.driftless.dev/v1`. Its durations are texts. */
export interface StoredPodBehaviour extends KubernetesObject {
  readonly spec: Omit<PodBehaviourRule, 'image'> & { readonly image?: string; readonly imagePattern?: string };
  readonly status?: ActingStatus;
}

/** The Clock of `testing.driftless.dev/v1`. */
export interface StoredClock extends KubernetesObject {
  readonly status: { readonly time: string; readonly type: 'Real' | 'Virtual' };
}

/** The spec of the object of a fault that this process added. Pure. */
export function encodeFault({ delay, ...fault }: Fault): StoredFault['spec'] {
  return { ...fault, ...(delay !== undefined && { delay: durationText(delay) }) };
}

/** The fault of an object's spec: `conflict: false` says as much as no `conflict`. Pure. */
export function decodeFault({ conflict, ...fault }: StoredFault['spec']): Fault {
  return { ...fault, ...(conflict === true && { conflict }) };
}

/** The spec of the object of a rule that this process added. Pure. */
export function encodePodBehaviour({ image, ...rule }: ActingRule): StoredPodBehaviour['spec'] {
  const texts = Object.entries(rule.behave)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]: [string, string | number | boolean]) => [
      field,
      isDuration(field) ? durationText(value) : value,
    ]);
  const behave = Object.fromEntries(texts) as PodBehaviour;
  if (image === undefined) return { ...rule, behave };
  return { ...rule, behave, ...(typeof image === 'string' ? { image } : { imagePattern: patternText(image) }) };
}

/** Reads the rule in an object's spec. `compile` may throw a SyntaxError. */
export function decodePodBehaviour(
  { image, imagePattern, ...rule }: StoredPodBehaviour['spec'],
  compile: (pattern: string) => ImagePattern,
): ActingRule {
  if (imagePattern !== undefined) return { ...rule, image: compile(imagePattern) };
  return { ...rule, ...(image !== undefined && { image }) };
}

const COUNTS = ['exitCode', 'failAttempts'];

function isDuration(field: string): boolean {
  return !COUNTS.includes(field);
}

/** Milliseconds become a text; everything else stays. */
function durationText<T extends string | number | boolean>(value: T): string {
  return typeof value === 'number' ? `${value}ms` : (value as string);
}

/** Go's way to write flags: `(?i)nginx`. Others say nothing about which images match. */
function patternText(pattern: RegExp | ImagePattern): string {
  if (!(pattern instanceof RegExp)) return pattern.pattern;
  const kept = pattern.flags.replace(/[^ims]/g, '');
  return kept === '' ? pattern.source : `(?${kept})${pattern.source}`;
}
