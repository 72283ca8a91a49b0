import { parseArgs } from 'node:util';
import { UsageError } from '../host/UsageError.ts';

/** What the words after `npm run preflight --` say. */
export interface PreflightOptions {
  /** The values of `-c KEY=VALUE`, as text. */
  readonly context: Readonly<Record<string, string>>;
  /** Absent: that of the environment. */
  readonly profile: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  context: { type: 'string', short: 'c', multiple: true },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Takes the options of `cdk deploy` that decide what is deployed and where. Throws a UsageError for any other. Pure. */
export function parsePreflightOptions(args: readonly string[]): PreflightOptions {
  const { context = [], profile, json = false, help = false } = parseWords(args);
  if (profile === '') throw new UsageError('--profile needs a name');
  return { context: Object.fromEntries(context.map(parseContext)), profile, json, help };
}

function parseWords(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    const message = (error as Error).message.split('. ', 1)[0];
    throw new UsageError(`${message}; npm run preflight -- --help lists the options`, { cause: error });
  }
}

function parseContext(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`-c ${text}: must be KEY=VALUE, such as driftless:accountConcurrency=1000`);
}
