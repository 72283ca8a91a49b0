import { readFileSync } from 'node:fs';
import type { Difference } from './compareAnswers.ts';
import type { Answer, Recording, Step } from './Recording.ts';

/** Differences that are known, by their cause. Exactly one of `since`, `ours`, `open` and `chance` is there. */
export interface KnownDifference {
  /** The numbers of the steps that differ, from 1, by scenario. */
  readonly steps: Readonly<Record<string, readonly number[]>>;
  /** The parts of the answers that differ, as paths: `*` stands for one name, and what lies below is meant too. `*` alone is the whole answer. */
  readonly paths: readonly string[];
  readonly what: string;
  /** The only composition that differs; both if absent. */
  readonly only?: 'embedded' | 'emulated';
  /** We answer as Kubernetes does since this version. */
  readonly since?: string;
  /** How that is known. */
  readonly known?: string;
  /** Why this server answers otherwise on purpose. */
  readonly ours?: string;
  /** What is missing here. */
  readonly open?: string;
  /** Why the answers differ in some runs only. */
  readonly chance?: string;
}

/** A difference of one step of a scenario; steps are numbered from 1. */
export interface StepDifference extends Difference {
  readonly number: number;
  readonly step: Step & { readonly answer: Answer };
}

/** Reads differences.json, which lists all differences that are known. */
export function readKnownDifferences(): KnownDifference[] {
  return JSON.parse(readFileSync(new URL('./differences.json', import.meta.url), 'utf8')) as KnownDifference[];
}

/** The known difference that explains this one; `undefined` for a new one. */
export function knownDifference(
  known: readonly KnownDifference[],
  { name }: Recording,
  { number, path }: StepDifference,
): KnownDifference | undefined {
  return known.find(({ steps, paths }) => steps[name]?.includes(number) && paths.some((one) => covers(one, path)));
}

/** True if the recorder has noted that a newer version answers otherwise there. An answer that is missing altogether is no newer behaviour. */
export function isNoted({ step, path }: StepDifference, { status }: Answer): boolean {
  const { since, answer } = step;
  if (since === undefined) return false;
  if (answer.status !== status && ([404, 405, 415].includes(status) || status >= 500)) return false;
  return since.paths === undefined || since.paths.some((one) => covers(one, path));
}

function covers(pattern: string, path: string): boolean {
  if (pattern === '*') return true;
  const names = path.split('.');
  const parts = pattern.split('.');
  return names.length >= parts.length && parts.every((part, at) => part === '*' || part === names[at]);
}
