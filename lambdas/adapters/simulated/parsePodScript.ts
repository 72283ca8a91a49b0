import { parseAmountTimeline, TIMELINE_FORM } from '../../objects/simulated/amountTimeline.ts';
import { completionIndexOf, indexFailuresOf, isOfJob, SIMULATED_ATTEMPT } from '../../objects/pods/jobPods.ts';
import type { Pod } from '../../objects/kinds.ts';
import { simulatedNames } from '../../objects/simulated/simulatedAmounts.ts';
import { parseDuration } from './parseDuration.ts';

/** How a container ends by itself. */
export interface ContainerEnding {
  /** How long it runs; milliseconds. Absent: until it is stopped. */
  readonly afterMs: number | undefined;
  readonly exitCode: number;
}

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
  /** `image-present`: the node has the images already. */
  readonly imagePresent: boolean;
  /** `init-duration`: how long each init container runs. */
  readonly initDurationMs: number;
  /** `fail-init`: init containers end with exit code 1. */
  readonly failInit: boolean;
  /** How many starts of a container end as `failing` says, before the others end as `ending` says: `fail-attempts`, less the attempts before this pod; none for an index that `fail-indexes` does not name. */
  readonly failures: number;
  /** `crash-after` (exit code 1) or `complete-after` (exit code 0), with the code of `exit-code` if there is one. */
  readonly failing: ContainerEnding;
  readonly ending: ContainerEnding;
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
  return pod.metadata.annotations === undefined && !isOfJob(pod) ? UNANNOTATED : parseAnnotations(pod);
}

function parseAnnotations(pod: Pod): PodScript {
  const problems: string[] = [];
  const read = reader(pod.metadata.annotations ?? {}, problems);
  const endings = parseEndings(pod, read);
  // The metrics APIs read these. Here they are only checked.
  read.amounts('cpu-usage');
  read.amounts('memory-usage');
  for (const metric of simulatedNames(pod, 'metric-')) read.amounts(`metric-${metric}`);
  read.flag('no-metrics');
  const terminationDelayMs = read.duration('termination-delay') ?? 0;
  return {
    startDelayMs: read.duration('start-delay') ?? 0,
    readyAfterMs: read.duration('ready-after') ?? 0,
    neverReady: read.flag('never-ready'),
    failPull: read.flag('fail-pull'),
    imagePresent: read.flag('image-present'),
    initDurationMs: read.duration('init-duration') ?? 0,
    failInit: read.flag('fail-init'),
    ...endings,
    terminationDelayMs: read.flag('ignore-sigterm') ? Number.POSITIVE_INFINITY : terminationDelayMs,
    problems,
  };
}

/** How long a Job's pod runs if nothing is said: long enough to be seen. Any other pod runs until it is stopped. */
const JOB_RUNS_MS = 1_000;

function parseEndings(pod: Pod, read: Reader): Pick<PodScript, 'failures' | 'failing' | 'ending'> {
  const [crashAfterMs, completeAfterMs] = [read.duration('crash-after'), read.duration('complete-after')];
  const [attempts, indexes, exitCode] = [read.count('fail-attempts'), read.indexes('fail-indexes'), read.exitCode()];
  const usualMs = isOfJob(pod) ? JOB_RUNS_MS : undefined;
  const isSelective = attempts !== undefined || indexes !== undefined;
  const failingMs = crashAfterMs ?? completeAfterMs ?? (isSelective ? JOB_RUNS_MS : usualMs);
  const failsAtFirst = !indexes || indexes(completionIndexOf(pod));
  return {
    failures: failsAtFirst ? Math.max(0, (attempts ?? Number.POSITIVE_INFINITY) - attemptsBefore(pod)) : 0,
    failing: { afterMs: failingMs, exitCode: exitCode ?? (isSelective || crashAfterMs !== undefined ? 1 : 0) },
    ending: { afterMs: completeAfterMs ?? usualMs, exitCode: 0 },
  };
}

/** Returns how many attempts failed before this pod: its Job has counted them for the index, or for a template with `fail-attempts`. */
function attemptsBefore(pod: Pod): number {
  const attempt = parseCount(pod.metadata.annotations?.[SIMULATED_ATTEMPT] ?? '');
  const { counted, ignored } = indexFailuresOf(pod);
  return attempt ?? counted + ignored;
}

type Reader = ReturnType<typeof reader>;

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
    amounts: (name: string) => read(name, TIMELINE_FORM, parseAmountTimeline),
    count: (name: string) => read(name, 'a number', parseCount),
    indexes: (name: string) => read(name, 'a list of completion indexes such as 0,3-5', parseIndexes),
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

function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Parses a list such as `0,3-5` into a test for an index. A pod without an index is in no list. */
function parseIndexes(text: string): ((index: number | undefined) => boolean) | undefined {
  if (!/^\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*$/.test(text)) return undefined;
  const ranges = text.split(',').map((range) => range.split('-').map(Number));
  return (index) => index !== undefined && ranges.some(([first = 0, last = first]) => index >= first && index <= last);
}

/** What most pods do: they run at once, until they are stopped. */
const UNANNOTATED = parseAnnotations({ apiVersion: 'v1', kind: 'Pod', metadata: {} } as Pod);
