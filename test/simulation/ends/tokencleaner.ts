import type { World } from '../World.ts';
import { bootstrapTokens } from './bootstrapTokens.ts';

/** No bootstrap token is left that has ended. */
export function endedToken(world: World, nowMs: number): string | undefined {
  const ended = bootstrapTokens(world).find(({ endsMs }) => endsMs < nowMs);
  return ended && `the bootstrap token ${ended.id} has ended, and is still there`;
}
