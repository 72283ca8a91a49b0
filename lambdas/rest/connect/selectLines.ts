import type { LogLine } from './simulatedLog.ts';
import type { LogOptions } from './logOptions.ts';

/** Returns the lines that the options ask for: first those since a time, then the last of them. Pure. */
export function selectLines(lines: readonly LogLine[], options: LogOptions, nowMs: number): readonly LogLine[] {
  const { sinceSeconds, sinceTimeMs, tailLines } = options;
  const sinceMs = sinceSeconds === undefined ? (sinceTimeMs ?? Number.NEGATIVE_INFINITY) : nowMs - sinceSeconds * 1000;
  const recent = lines.filter(({ atMs }) => atMs >= sinceMs);
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

/** Writes lines as a kubelet does: each with its line break and, if asked for, its time with nine decimals. Pure. */
export function formatLines(lines: readonly LogLine[], { timestamps }: Pick<LogOptions, 'timestamps'>): string {
  return lines.map((line) => `${timestamps ? `${timestampOf(line)} ` : ''}${line.text}\n`).join('');
}

function timestampOf({ atMs }: LogLine): string {
  return new Date(atMs).toISOString().replace('Z', '000000Z');
}
