import { expect } from 'vitest';
import { compareAnswers } from './compareAnswers.ts';
import {
  isNoted,
  type KnownDifference,
  knownDifference,
  readKnownDifferences,
  type StepDifference,
} from './explainDifference.ts';
import { type PlayedServer, playScenario } from './playScenario.ts';
import type { Answer, Recording } from './Recording.ts';

/** They act on workloads and do not run here: as when the answers were recorded, only scenarios change workloads. */
export const RESTING_CONTROLLERS = ['deployment', 'replicaset', 'replicationcontroller', 'pod', 'scheduler'] as const;

const ALL_KNOWN = readKnownDifferences();

/** Plays a scenario. Fails if an answer differs from the recorded one without a note in differences.json, and if a note there explains nothing any more. */
export async function expectRecorded(server: PlayedServer, recording: Recording): Promise<void> {
  const known = ALL_KNOWN.filter(({ only = server.composition }) => only === server.composition);
  const answers = await playScenario(server, recording);
  const found = differencesOf(recording, answers);
  const surprising = found.filter((one) => !knownDifference(known, recording, one));
  const used = new Set(found.map((one) => noteText(knownDifference(known, recording, one), one.number)));
  const stale = notesFor(known, recording).filter((note) => !used.has(note));
  expect({ surprising: surprising.map(differenceText), stale }).toEqual({ surprising: [], stale: [] });
}

function differencesOf(recording: Recording, answers: readonly Answer[]): StepDifference[] {
  return recording.steps.flatMap((step, at) => {
    const answer = answers[at] ?? { status: 0 };
    const all = compareAnswers(step, answer, recording.server).map((one) => ({ ...one, step, number: at + 1 }));
    return all.filter((one) => !isNoted(one, answer));
  });
}

/** One line for each step that a note names, except notes of what differs by chance. */
function notesFor(known: readonly KnownDifference[], { name }: Recording): string[] {
  return known
    .filter(({ chance }) => chance === undefined)
    .flatMap((note) => (note.steps[name] ?? []).map((number) => noteText(note, number)));
}

function noteText(note: KnownDifference | undefined, number: number): string {
  return `${number}. ${note?.what}`;
}

function differenceText({ number, step, path, real, ours }: StepDifference): string {
  return `${number}. ${step.do}: ${path}: ${JSON.stringify(real)} is ${JSON.stringify(ours)} here`;
}
