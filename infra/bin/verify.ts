import { createInterface } from 'node:readline/promises';
import { isUserError } from '../host/UsageError.ts';
import { parseVerifyOptions } from '../verify/parseVerifyOptions.ts';
import { policyFor } from '../verify/policy.ts';
import { openClock } from '../verify/RunClock.ts';
import { VERIFY_HELP } from '../verify/verifyHelp.ts';

/** The exit code if a step has failed. */
const EXIT_FAILED = 1;
/** The exit code for a wrong option, and for what cannot be found. */
const EXIT_USAGE = 2;
/** The exit code after Ctrl-C: a shell's, for SIGINT. */
const EXIT_INTERRUPTED = 130;
/** npm and tsx may pass on a signal that the process has already got from the terminal. */
const SAME_SIGNAL_MS = 2_000;

const interrupted = new AbortController();
const abandoned = new AbortController();

let interruptedAtMs = 0;

/** The first signal has the run clean up and report, the second ends that. */
function onSignal(): void {
  const nowMs = performance.now();
  if (!interrupted.signal.aborted) {
    interruptedAtMs = nowMs;
    process.stderr.write('Interrupted: cleaning up. Once more ends this without.\n');
    interrupted.abort(new Error('interrupted'));
  } else if (nowMs - interruptedAtMs > SAME_SIGNAL_MS) {
    abandoned.abort(new Error('abandoned'));
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: interrupted.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if (interrupted.signal.aborted) return false;
    throw error;
  } finally {
    terminal.close();
  }
}

try {
  const options = parseVerifyOptions(process.argv.slice(2));
  if (options.mode === 'help') process.stdout.write(VERIFY_HELP);
  else if (options.mode === 'policy')
    process.stdout.write(`${JSON.stringify(policyFor(options.stack), undefined, 2)}\n`);
  else {
    // The SDK's word about old versions of Node is for who develops this, not for who runs it.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    // The terminal has gone: what was changed must be changed back all the same.
    process.on('SIGHUP', onSignal);
    // The SDK takes seconds to load.
    const { runVerify } = await import('../verify/runVerify.ts');
    const clock = openClock(interrupted.signal, abandoned.signal);
    const isSound = await runVerify(options, clock, {
      say: (text) => process.stdout.write(text),
      ask: process.stdin.isTTY ? ask : undefined,
    });
    if (interrupted.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
    else if (!isSound) process.exitCode = EXIT_FAILED;
  }
} catch (error) {
  if (!isUserError(error)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
