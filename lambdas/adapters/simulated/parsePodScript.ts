import type { Pod } from '../../objects/kinds.ts';
import { parseQuantity } from '../../objects/quantity.ts';
import { parseDuration } from './parseDuration.ts';

/** The behaviour of a simulated pod, as its annotations ask for it. Durations are in milliseconds. */
export interface PodScript {
  /** `start-delay`: how long the creation of its containers takes. */
  readonly startDelayMs: number;
  /** `ready-after`: the time from a container's start until its readiness probe first succeeds. */
  readonly readyAfterMs: number;
  /** `never-ready`: the readiness probe never succeeds. */
  readonly neverReady: boolean;
  /** `fail-pull`: no image can be pulled. */
  readonly failPull: boolean;
  /** `init-duration`: how long each init container runs. */
  readonly initDurationMs: number;
  /** `fail-init`: init containers end with exit code 1. */
  readonly failInit: boolean;
  /** `crash-after` (exit code 1) or `complete-after` (exit code 0): how long a container runs. Absent: until it is stopped. */
  readonly runMs: number | undefined;
  /** `exit-code`: replaces those exit codes. */
  readonly exitCode: number;
  /** `termination-delay`: how long a container takes to end after SIGTERM, within the pod's grace period. */
  readonly terminationDelayMs: number;
  /** The annotations that could not be read, as sentences. They count as absent. */
  readonly problems: readonly string[];
}

const PREFIX = 'simulate.driftless.dev/';

/**
 * Parses the annotations under `simulate.driftless.dev/`: durations as Go writes them, flags as `"true"` and `"false"`. `ignore-sigterm: "true"` is an endless
 * `termination-delay`: the container is killed when its grace period ends. An unreadable annotation is ignored and reported in `problems`. Pure.
 */
export function parsePodScript(pod: Pod): PodScript {
  const problems: string[] = [];
  const read = reader(pod.metadata.annotations ?? {}, problems);
  const crashAfterMs = read.duration('crash-after');
  const runMs = crashAfterMs ?? read.duration('complete-after');
  // The API of metrics reads these amounts. Here they are only checked.
  read.amount('cpu-usage');
  read.amount('memory-usage');
  const terminationDelayMs = read.duration('termination-delay') ?? 0;
  return {
    startDelayMs: read.duration('start-delay') ?? 0,
    readyAfterMs: read.duration('ready-after') ?? 0,
    neverReady: read.flag('never-ready'),
    failPull: read.flag('fail-pull'),
    initDurationMs: read.duration('init-duration') ?? 0,
    failInit: read.flag('fail-init'),
    runMs,
    exitCode: read.exitCode() ?? (crashAfterMs === undefined ? 0 : 1),
    terminationDelayMs: read.flag('ignore-sigterm') ? Number.POSITIVE_INFINITY : terminationDelayMs,
    problems,
  };
}

function reader(annotations: Readonly<Record<string, string>>, problems: string[]) {
  function read<T>(name: string, wanted: string, parse: (text: string) => T | undefined): T | undefined {
    const text = annotations[PREFIX + name];
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) problems.push(`${PREFIX}${name}: ${JSON.stringify(text)} is not ${wanted}`);
    return value;
  }
  return {
    duration: (name: string) => read(name, 'a duration such as 5s or 1m30s', parseDuration),
    flag: (name: string) => read(name, '"true" or "false"', parseFlag) === true,
    amount: (name: string) => read(name, 'an amount such as 250m or 64Mi', parseQuantity),
    exitCode: () => read('exit-code', 'an exit code from 0 to 255', parseExitCode),
  };
}

function parseFlag(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

function parseExitCode(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined;
}
