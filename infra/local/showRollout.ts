import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { SendRequest } from './applyManifest.ts';
import { readLines } from './readLines.ts';
import { rolloutProgress } from './rolloutProgress.ts';

export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Watches the Deployment at `path` and shows each step of its rollout until it has ended or `signal` is aborted: on one line that changes if
 * `terminal` is one, else a line a step.
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
