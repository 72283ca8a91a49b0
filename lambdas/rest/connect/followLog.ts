import type { Pod } from '../../objects/kinds.ts';
import type { Change, LogCursor } from '../../ports/ChangeLog.ts';
import { timeoutSignal } from '../list/serveList.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { formatLines, selectLines } from './selectLines.ts';
import type { LogOptions } from './logOptions.ts';
import { type ContainerLog, simulatedLog } from './simulatedLog.ts';

/** What is followed: a log as it was found in a pod, and until when. */
export interface FollowedLog {
  readonly pod: Pod;
  /** A position of the change log of pods that is not after the pod's version. */
  readonly position: number;
  readonly container: string;
  readonly log: ContainerLog & { readonly status: 'found' };
  readonly options: LogOptions;
  readonly endMs: number;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Yields the selected lines of a simulated container, and then each line that it writes, until it ends, as a kubelet does. */
export async function* followLog(
  { dependencies: { clock, changeLog, scriptedPod = (one) => one } }: ResourceRequest,
  { pod, position, container, log, options, endMs, signal }: FollowedLog,
): AsyncGenerator<string, void, undefined> {
  yield formatLines(selectLines(log.lines, options, clock.now()), options);
  if (!log.isOpen) return;
  const limited = timeoutSignal(clock, Math.max(0, endMs - clock.now()), signal);
  try {
    const opened = await changeLog.open('pods', position, limited.signal, { namespace: pod.metadata.namespace ?? '' });
    if (opened.status !== 'open') return;
    try {
      const rest = await ended(opened.cursor, pod, { ...log, scriptedPod, container }, limited.signal);
      if (rest) yield formatLines(rest, options);
    } finally {
      opened.cursor.close();
    }
  } finally {
    limited.done();
  }
}

interface RunOf {
  readonly container: string;
  readonly scriptedPod: (pod: Pod) => Pod;
}

/** Waits for the end of a run, and returns the lines that it wrote meanwhile; `undefined` if nobody knows them, because the pod is gone or the client is. */
async function ended(
  cursor: LogCursor,
  pod: Pod,
  { containerId, lines, scriptedPod, container }: FollowedLog['log'] & RunOf,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const changes = await cursor.next(signal);
    if (changes === 'expired') return undefined;
    for (const change of changes.filter((one) => isNewer(one, pod))) {
      const after = change.after;
      if (after?.metadata.uid !== pod.metadata.uid) return undefined;
      const log = runOf(scriptedPod(after), container, containerId);
      if (!log?.isOpen) return log?.lines.slice(lines.length);
    }
  }
  return undefined;
}

/** The log of that run, as the pod shows it now: it may have been restarted since. */
function runOf(pod: Pod, container: string, containerId: string): FollowedLog['log'] | undefined {
  return [false, true]
    .map((previous) => simulatedLog(pod, container, previous))
    .find((log): log is FollowedLog['log'] => log.status === 'found' && log.containerId === containerId);
}

function isNewer(change: Change, { metadata }: Pod): boolean {
  const subject = change.after ?? change.before;
  return subject.metadata.name === metadata.name && change.version > Number(metadata.resourceVersion);
}
