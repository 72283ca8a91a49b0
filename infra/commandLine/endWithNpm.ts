/** How soon the server notices. */
const INTERVAL_MS = 200;

/**
 * Calls `end` when npm's shell is gone. npm runs a command through a shell, and passes a signal to that alone: a test that ends `npx driftless-k8s` would leave the server behind. In scripts of users' own a
 * server may be meant to outlive its shell (`"pretest": "driftless --ephemeral &"`), so this is only for `npx` and for the scripts of this repository.
 */
export function endWithNpm(
  end: () => void,
  { npm_lifecycle_event: event, npm_package_name: name } = process.env,
): void {
  if (event === undefined || (event !== 'npx' && name !== 'driftless-k8s')) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    end();
  }, INTERVAL_MS);
  timer.unref();
}
