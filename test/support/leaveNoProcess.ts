import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const MARK = 'DRIFTLESS_TEST_RUN';
/** A process that was told to end is gone a moment later. */
const GRACE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Fails a run whose tests leave processes behind, also those that a killed process of theirs had started. All of them inherit a variable of the environment, by which they are found where the system shows it (on Linux). They
 * are ended.
 */
export default function leaveNoProcess(): () => Promise<void> {
  const mark = `${MARK}=${randomUUID()}`;
  process.env[MARK] = mark.slice(MARK.length + 1);
  return async () => {
    const untilMs = performance.now() + GRACE_MS;
    while (leftBy(mark).length > 0 && performance.now() < untilMs) await setTimeout(LOOK_AGAIN_MS);
    const left = leftBy(mark);
    for (const { pid } of left) end(pid);
    if (left.length === 0) return;
    // Vitest shows an error at this point, and lets the run succeed.
    process.exitCode = 1;
    throw new Error(`the tests have left ${left.map(({ command }) => command).join('; ')}`);
  };
}

/** The marked processes but for this one and its own children, which are the workers of Vitest. */
function leftBy(mark: string): readonly LeftProcess[] {
  return pids().flatMap((pid) => {
    const isMarked = textOf(pid, 'environ').split('\0').includes(mark);
    if (!isMarked || pid === process.pid || parentOf(pid) === process.pid) return [];
    return [{ pid, command: textOf(pid, 'cmdline').replaceAll('\0', ' ').trim() }];
  });
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(textOf(pid, 'status'))?.[1]);
}

/** `''` for a process that is gone, or is another user's. */
function textOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
