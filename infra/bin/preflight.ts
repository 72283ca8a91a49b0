import { ConfigError } from '../../lambdas/functions/parseServedConfig.ts';
import { StackPropsError } from '../cdk/parseProperty.ts';
import { isUserError } from '../host/UsageError.ts';
import { parsePreflightOptions } from '../preflight/parsePreflightOptions.ts';
import { PREFLIGHT_HELP } from '../preflight/preflightHelp.ts';

/** The exit code if a deployment would fail. */
const EXIT_WRONG = 1;
/** The exit code for a wrong option or setting. */
const EXIT_USAGE = 2;

try {
  const options = parsePreflightOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(PREFLIGHT_HELP);
  else {
    // The SDK's word about old versions of Node is for who develops this, not for who deploys.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    // The CDK and the SDK take seconds to load.
    const { runPreflight } = await import('../preflight/runPreflight.ts');
    const { text, isReady } = await runPreflight(options);
    process.stdout.write(text);
    if (!isReady) process.exitCode = EXIT_WRONG;
  }
} catch (error) {
  if (!(isUserError(error) || error instanceof StackPropsError || error instanceof ConfigError)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
