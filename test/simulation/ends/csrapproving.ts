import { isDecided, SIGNERS, type SigningRequest } from '../../../lambdas/controllers/csrapproving/SigningRequest.ts';
import { nameOf, type World } from '../World.ts';

/** No request of a kubelet for a client certificate waits. */
export function undecidedRequest(world: World): string | undefined {
  const requests = world.all<SigningRequest>('CertificateSigningRequest');
  const waiting = requests.find((one) => one.spec?.signerName === SIGNERS.kubeletClient && !isDecided(one));
  return waiting && `${nameOf(waiting)} waits`;
}
