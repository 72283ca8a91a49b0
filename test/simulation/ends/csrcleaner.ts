import type { SigningRequest } from '../../../lambdas/controllers/csrapproving/SigningRequest.ts';
import { nameOf, type World } from '../World.ts';

const DAY_MS = 24 * 3_600_000;

/** No request for a certificate is older than a day, plus an hour for one that was decided at last. */
export function oldRequest(world: World, nowMs: number): string | undefined {
  const old = world
    .all<SigningRequest>('CertificateSigningRequest')
    .find(({ metadata }) => nowMs - Date.parse(metadata.creationTimestamp) > DAY_MS + 3_600_000);
  return old && `${nameOf(old)} was left`;
}
