import { endWithNpm } from './endWithNpm.ts';

/** After a signal the process ends within this time, even if something still runs. */
const END_WITHIN_MS = 1_900;

/** Ends the process with SIGTERM, with SIGINT, and with npm's shell, after `stop`. Returns what ends it for another reason, with another code. */
export function endOnSignals(stop: () => Promise<void>): (exitCode: number) => void {
  let isEnding = false;
  const end = (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(exitCode), END_WITHIN_MS).unref();
    void stop().finally(() => process.exit(exitCode));
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  endWithNpm(() => end(0));
  return end;
}
