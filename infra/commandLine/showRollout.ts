import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { SendRequest } from '../host/SendRequest.ts';
import { readLines } from '../host/readLines.ts';

export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Watches the Deployment at `path` and writes each step of its rollout until it has ended or `signal` is aborted. A TTY shows one line that changes; other
 * outputs get one line for each step.
 */
export async function showRollout(
  sendRequest: SendRequest,
  path: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const at = path.lastIndexOf('/');
  const query = `watch=true&fieldSelector=${encodeURIComponent(`metadata.name=${decodeURIComponent(path.slice(at + 1))}`)}`;
  const response = await sendRequest(`${path.slice(0, at)}?${query}`, { signal });
  if (!response.body) return;
  let shown = '';
  for await (const event of readLines(response.body)) {
    const { type, object } = JSON.parse(event) as { type: string; object: Deployment };
    if (type !== 'ADDED' && type !== 'MODIFIED') break;
    const { line, hasEnded } = rolloutProgress(object);
    if (line !== shown) terminal.write(terminal.isTTY ? `\r\u001B[K${line}` : `${line}\n`);
    shown = line;
    if (hasEnded) break;
  }
  if (terminal.isTTY) terminal.write('\n');
}

const BAR_WIDTH = 20;

export interface RolloutProgress {
  /** One line: a bar of the available pods, and the counts. */
  readonly line: string;
  /** True when the rollout is complete or has exceeded its progress deadline. */
  readonly hasEnded: boolean;
}

/** Describes the progress of a Deployment's rollout, by the rules of `kubectl rollout status`. Pure. */
export function rolloutProgress(deployment: Deployment): RolloutProgress {
  const { metadata = {}, spec, status = {} } = deployment;
  const desired = spec?.replicas ?? 1;
  const { updatedReplicas = 0, availableReplicas = 0, replicas = 0, observedGeneration = 0 } = status;
  const isObserved = (metadata.generation ?? 0) <= observedGeneration;
  const isComplete = updatedReplicas >= desired && replicas <= updatedReplicas && availableReplicas >= updatedReplicas;
  const hasFailed = (status.conditions ?? []).some(({ reason }) => reason === 'ProgressDeadlineExceeded');
  const suffix =
    isObserved && hasFailed ? ' · exceeded its progress deadline' : isObserved && isComplete ? ' · rolled out' : '';
  const counts = `${updatedReplicas} updated · ${availableReplicas} of ${desired} available`;
  const old = replicas > updatedReplicas ? ` · ${replicas - updatedReplicas} old` : '';
  return {
    line: `${metadata.name ?? ''} ${bar(availableReplicas, desired)} ${counts}${old}${suffix}`,
    hasEnded: isObserved && (isComplete || hasFailed),
  };
}

function bar(count: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((count / total) * BAR_WIDTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
