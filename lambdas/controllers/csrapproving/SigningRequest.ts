import type {
  CertificateSigningRequest as ApiRequest,
  CertificateSigningRequestCondition,
} from 'kubernetes-types/certificates/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';

export type SigningRequest = Stored<ApiRequest>;

export const SIGNING_REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

/** The signers that the control plane itself is. */
export const SIGNERS = {
  apiServerClient: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

export const NODES_GROUP = 'system:nodes';
export const NODE_PREFIX = 'system:node:';

/** Returns the request's condition of that type. */
export function requestConditionOf(
  { status }: SigningRequest,
  type: string,
): CertificateSigningRequestCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** True if somebody has approved or denied the request. */
export function isDecided(request: SigningRequest): boolean {
  return ['Approved', 'Denied'].some((type) => requestConditionOf(request, type) !== undefined);
}
