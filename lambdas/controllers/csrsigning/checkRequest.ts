import type { CertificateRequest, CertificateUsage } from '../../ports/CertificateAuthority.ts';
import { NODE_PREFIX, NODES_GROUP, SIGNERS } from '../csrapproving/SigningRequest.ts';

const BASIC: readonly string[] = ['digital signature', 'key encipherment'] satisfies CertificateUsage[];

/**
 * Says in Kubernetes' words why a signer does not sign a request; `undefined` if it does. Each signer has its own rules for the subject, the names and the usages, so that an approval alone gives nobody another identity. Pure.
 */
export function checkRequest(
  signer: string,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case SIGNERS.kubeletClient:
      return checkKubeletClient(request, usages);
    case SIGNERS.kubeletServing:
      return checkKubeletServing(request, usages);
    case SIGNERS.apiServerClient:
      return checkApiServerClient(request, usages);
    default:
      return `unexpected signer name: ${JSON.stringify(signer)}`;
  }
}

/** The rules for the certificate by which a kubelet is a client of the API server. Pure. */
export function checkKubeletClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request;
  if (!isNodesGroup(request)) return 'subject organization is not system:nodes';
  if (!request.commonName.startsWith(NODE_PREFIX)) return 'subject common name does not begin with system:node:';
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (uris.length > 0) return 'URI subjectAltNames are not allowed';
  return hasUsages(usages, 'client auth') ? undefined : USAGES;
}

function checkKubeletServing(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isNodesGroup(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length + request.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!hasUsages(usages, 'server auth')) return USAGES;
  return request.commonName.startsWith(NODE_PREFIX)
    ? undefined
    : 'subject common name does not begin with system:node:';
}

/** Kubernetes refuses `system:masters` when the request is made. */
function checkApiServerClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (request.organizations.includes('system:masters'))
    return `use of ${SIGNERS.apiServerClient} signer with system:masters group is not allowed`;
  const allowed = [...BASIC, 'client auth'];
  const isFine = usages.includes('client auth') && usages.every((usage) => allowed.includes(usage));
  return isFine ? undefined : USAGES;
}

const USAGES = 'usages did not match';

function isNodesGroup({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === NODES_GROUP;
}

/** The usages must be these, of which `key encipherment` may be missing: not every kind of key can be used for it. */
function hasUsages(usages: readonly string[], purpose: string): boolean {
  const given = new Set(usages);
  const allowed = new Set([...BASIC, purpose]);
  return given.has(purpose) && given.has('digital signature') && [...given].every((usage) => allowed.has(usage));
}
