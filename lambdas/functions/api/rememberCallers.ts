import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/Clock.ts';
import type { AuthenticatedUser, Authenticate } from '../authorize/createAuthenticator.ts';

/** As long as API Gateway remembers what the authorizer said. */
const REMEMBER_MS = 300_000;
const MOST = 10_000;

interface Known {
  readonly user: Promise<AuthenticatedUser | undefined>;
  readonly untilMs: number;
}

/**
 * Asks who sends a token once in five minutes, as API Gateway does for the stack: each question is a request to STS. Requests that come meanwhile wait for the same answer. What was refused, or could not be found out, is
 * asked again. Only hashes of tokens are kept.
 */
export function rememberCallers(authenticate: Authenticate, clock: Pick<Clock, 'now'>): Authenticate {
  const known = new Map<string, Known>();
  const ask = (key: string, authorization: readonly string[]) => {
    const user = authenticate(authorization);
    if (known.size >= MOST) known.delete(known.keys().next().value ?? '');
    known.set(key, { user, untilMs: clock.now() + REMEMBER_MS });
    void forgetUnknown(known, key);
    return user;
  };
  return async (authorization) => {
    const key = createHash('sha256').update(JSON.stringify(authorization)).digest('base64');
    const found = known.get(key);
    if (found && clock.now() < found.untilMs) return await found.user;
    known.delete(key);
    return await ask(key, authorization);
  };
}

async function forgetUnknown(known: Map<string, Known>, key: string): Promise<void> {
  const found = await known.get(key)?.user.catch(() => undefined);
  if (!found) known.delete(key);
}
