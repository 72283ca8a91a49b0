import type { ChangeWaits } from '../ports/ChangeWaits.ts';
import { formatTime } from '../ports/Clock.ts';
import { durationInWords } from './durationInWords.ts';

/** The last change of a sampled trace that a sync of a key has read. */
export interface LastChange {
  readonly waits: ChangeWaits;
  /** By how much the clocks may differ that measured the waits; 0 in one process. Milliseconds. */
  readonly clocksDifferMs: number;
}

/**
 * Says what the sync for a change has waited for, and how well that is known: `the sync for the last traced change, written at 2026-01-01T00:00:00Z, waited 2.1 s for the stream and 0.3 s in the queue, and took 0.05 s`. Waits below a millisecond are left out. Pure.
 */
export function waitsInWords({ waits, clocksDifferMs }: LastChange): string {
  const { writtenAtMs, via, noticeMs, heldMs, queueMs, lockMs, syncMs } = waits;
  const all: readonly (readonly [ms: number, what: string])[] = [
    [noticeMs, via === 'stream' ? 'for the stream' : 'until its writer looked at it'],
    [heldMs, 'until its key was sent and due'],
    [queueMs, 'in the queue'],
    [lockMs, 'for the lock of its key and for other tries'],
  ];
  const phrases = all.filter(([ms]) => ms >= 1).map(([ms, what]) => `${durationInWords(ms)} ${what}`);
  const waited = phrases.length > 0 ? `waited ${listed(phrases)}` : 'waited for nothing';
  const doubt =
    clocksDifferMs > 0
      ? ` (by the clocks of several machines, which may differ by up to ${durationInWords(clocksDifferMs)})`
      : '';
  const written = formatTime(writtenAtMs);
  const took = `took ${durationInWords(syncMs)}`;
  return `the sync for the last traced change, written at ${written}, ${waited}, and ${took}${doubt}`;
}

function listed(phrases: readonly string[]): string {
  if (phrases.length < 2) return phrases.join('');
  return `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`;
}
