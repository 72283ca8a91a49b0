import {
  requestConditionOf,
  SIGNERS,
  type SigningRequest,
} from '../../../lambdas/controllers/csrapproving/SigningRequest.ts';
import { nameOf, type World } from '../World.ts';

/** Every request of the control plane's signers that was approved has its certificate, or says why it has none. */
export function unsignedRequest(world: World): string | undefined {
  const signers = new Set<string>(Object.values(SIGNERS));
  const unsigned = world.all<SigningRequest>('CertificateSigningRequest').find((request) => {
    const isOurs = signers.has(request.spec?.signerName ?? '') && requestConditionOf(request, 'Approved') !== undefined;
    return isOurs && !request.status?.certificate && !requestConditionOf(request, 'Failed');
  });
  return unsigned && `${nameOf(unsigned)} is approved, and has no certificate`;
}
