/** How soon the server notices. */
const INTERVAL_MS = 200;

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

/**
 * Calls `end` when npm's shell is gone. npm runs a command through a shell, and passes a signal to that alone: a test that ends `npx driftless-k8s` would leave the server behind. In scripts of users' own a
 * server may be meant to outlive its shell (`"pretest": "driftless --ephemeral &"`), so this is only for `npx` and for the scripts of this repository.
 */
function endWithNpm(end: () => void, { npm_lifecycle_event: event, npm_package_name: name } = process.env): void {
  if (event === undefined || (event !== 'npx' && name !== 'driftless-k8s')) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    end();
  }, INTERVAL_MS);
  timer.unref();
}
