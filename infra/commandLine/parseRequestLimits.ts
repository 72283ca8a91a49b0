import type { RequestRate } from '../../lambdas/objects/tokenBucket.ts';
import type { RequestLimitSettings } from '../../lambdas/rest/flowcontrol/RequestLimitSettings.ts';
import { ConfigError } from '../../lambdas/functions/parseServedConfig.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { UsageError } from '../host/UsageError.ts';

/** The options of requests a second, by the limit that each sets. */
const OPTIONS = { user: 'user-requests', namespace: 'namespace-requests' } as const;

/** Parses the limits of requests, each `N` or `N:BURST`. Without one, there is nothing in the answer. Throws a UsageError. Pure. */
export function parseRequestLimits(values: Partial<Record<(typeof OPTIONS)[keyof typeof OPTIONS], string>>): {
  readonly requestLimits?: RequestLimitSettings;
} {
  const user = parseRate('user', values[OPTIONS.user]);
  const namespace = parseRate('namespace', values[OPTIONS.namespace]);
  if (!user && !namespace) return {};
  return { requestLimits: { ...(user && { user }), ...(namespace && { namespace }) } };
}

/** The numbers are those of the configuration. */
function parseRate(limit: keyof typeof OPTIONS, text: string | undefined): RequestRate | undefined {
  if (text === undefined) return undefined;
  const [, perSecond, burst] = /^(\d{1,9})(?::(\d{1,9}))?$/.exec(text) ?? [];
  if (perSecond === undefined) throw badRate(limit, text);
  const rate = { perSecond: Number(perSecond), ...(burst !== undefined && { burst: Number(burst) }) };
  try {
    return parseConfig({ requestLimits: { [limit]: rate } }).requestLimits?.[limit];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw badRate(limit, text);
  }
}

function badRate(limit: keyof typeof OPTIONS, text: string): UsageError {
  const numbers = 'N or N:BURST, with N from 1 to 10000 and BURST from 1 to 100000';
  return new UsageError(`--${OPTIONS[limit]} must be ${numbers}, not ${JSON.stringify(text)}`);
}
