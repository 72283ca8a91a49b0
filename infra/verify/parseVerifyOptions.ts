import { parseArgs } from 'node:util';
import { UsageError } from '../host/UsageError.ts';
import { STEPS } from './STEPS.ts';

/** What the words after `npm run verify --` say. */
export interface VerifyOptions {
  readonly mode: 'run' | 'help' | 'policy';
  /** The context of the kubeconfig; only in the mode `run`. */
  readonly context: string;
  /** Absent: as kubectl finds it. */
  readonly kubeconfig: string | undefined;
  readonly stack: string;
  /** Absent: that of the environment. */
  readonly profile: string | undefined;
  /** Absent: that of the server's name, or of the environment. */
  readonly region: string | undefined;
  readonly only: readonly string[] | undefined;
  /** The noisy steps that are asked for. */
  readonly including: readonly string[];
  /** Agrees to what AWS bills. */
  readonly yes: boolean;
  readonly report: string;
  readonly showAccount: boolean;
}

const OPTIONS = {
  context: { type: 'string' },
  kubeconfig: { type: 'string' },
  stack: { type: 'string' },
  profile: { type: 'string' },
  region: { type: 'string' },
  only: { type: 'string' },
  with: { type: 'string' },
  yes: { type: 'boolean' },
  report: { type: 'string' },
  'show-account': { type: 'boolean' },
  policy: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const DEFAULT_STACK = 'driftless';
const DEFAULT_REPORT = 'driftless-verify.md';

/** Throws a UsageError, of one line, for an unknown option or a value that cannot be. Pure. */
export function parseVerifyOptions(args: readonly string[]): VerifyOptions {
  const words = parseWords(args);
  const empty = Object.entries(words).find(([, value]) => value === '')?.[0];
  if (empty !== undefined) throw new UsageError(`--${empty} needs a value`);
  const { context = '', stack = DEFAULT_STACK, report = DEFAULT_REPORT } = words;
  const mode = modeOf(words);
  if (mode === 'run' && context === '') {
    throw new UsageError('--context needs the name of a context; kubectl config get-contexts lists them');
  }
  return {
    mode,
    context,
    kubeconfig: words.kubeconfig,
    stack,
    profile: words.profile,
    region: words.region,
    only: words.only === undefined ? undefined : parseSteps('only', words.only),
    including: words.with === undefined ? [] : parseSteps('with', words.with),
    yes: words.yes ?? false,
    report,
    showAccount: words['show-account'] ?? false,
  };
}

function parseWords(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    const message = (error as Error).message.split('. ', 1)[0];
    throw new UsageError(`${message}; npm run verify -- --help lists the options`, { cause: error });
  }
}

function modeOf({ help = false, policy = false }: { readonly help?: boolean; readonly policy?: boolean }) {
  if (help) return 'help';
  return policy ? 'policy' : 'run';
}

const STEP_IDS = STEPS.map(({ id }) => id);

function parseSteps(option: string, list: string): readonly string[] {
  const ids = list.split(',');
  const unknown = ids.find((id) => !STEP_IDS.includes(id));
  if (unknown !== undefined)
    throw new UsageError(`--${option}: there is no step ${unknown}; there are ${STEP_IDS.join(', ')}`);
  return ids;
}
