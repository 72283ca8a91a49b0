import type { CertificateRequest } from '../../ports/CertificateAuthority.ts';
import { checkKubeletClient } from '../csrsigning/checkRequest.ts';
import { SIGNERS, type SigningRequest } from './SigningRequest.ts';

/** A kind of requests that are approved without a person, for users who may create the subresource. */
export interface Recognized {
  /** `nodeclient`: a machine asks for the first certificate of its kubelet. `selfnodeclient`: a kubelet renews its own. */
  readonly subresource: 'selfnodeclient' | 'nodeclient';
  /** The message of the approval. */
  readonly message: string;
}

/** Recognizes requests for the client certificates of kubelets, as `sarapprove`; the most special kind first. Pure. */
export function recognizeRequest({ spec }: SigningRequest, request: CertificateRequest): readonly Recognized[] {
  if (spec?.signerName !== SIGNERS.kubeletClient || checkKubeletClient(request, spec.usages ?? []) !== undefined)
    return [];
  const node = { subresource: 'nodeclient', message: NODE } as const;
  return spec.username === request.commonName ? [{ subresource: 'selfnodeclient', message: SELF }, node] : [node];
}

const SELF = 'Auto approving self kubelet client certificate after SubjectAccessReview.';
const NODE = 'Auto approving kubelet client certificate after SubjectAccessReview.';
