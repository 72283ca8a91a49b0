import { type CertificateAndKey, type ServerNames, X509Authority } from './X509Authority.ts';

const DAY_MS = 86_400_000;
/** As kubeadm's. */
const AUTHORITY_LIFETIME_MS = 3_650 * DAY_MS;
const CERTIFICATE_LIFETIME_MS = 365 * DAY_MS;
/** Clients' clocks may be behind. */
const BACKDATED_MS = 3_600_000;
/** Who the API server is for a kubelet, as kubeadm names it. */
const KUBELET_CLIENT = { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] };
const BASIC_USAGES = ['digital signature', 'key encipherment'] as const;

/** Makes the authority of a cluster, valid for ten years. Resolves to its certificate and key. */
export async function createClusterAuthority(nowMs: number): Promise<CertificateAndKey> {
  const times = { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + AUTHORITY_LIFETIME_MS };
  return await X509Authority.create('kubernetes', times);
}

/** Makes the authority of proxies that pass requests on to extension servers. Resolves to its certificate alone: nobody has its key, so nobody can be such a proxy. */
export async function createProxyAuthority(nowMs: number): Promise<string> {
  const times = { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + AUTHORITY_LIFETIME_MS };
  return (await X509Authority.create('front-proxy-ca', times)).certificate;
}

/** Issues what the API server shows to kubelets, valid for a year. */
export async function issueKubeletClient(authority: X509Authority, nowMs: number): Promise<CertificateAndKey> {
  return await authority.issue({
    ...KUBELET_CLIENT,
    terms: { ...yearFrom(nowMs), usages: [...BASIC_USAGES, 'client auth'] },
  });
}

/** Issues what the API server shows to its clients, valid for a year. */
export async function issueServing(
  authority: X509Authority,
  names: ServerNames,
  nowMs: number,
): Promise<CertificateAndKey> {
  const terms = { ...yearFrom(nowMs), usages: [...BASIC_USAGES, 'server auth'] as const };
  return await authority.issue({ commonName: 'kube-apiserver', names, terms });
}

function yearFrom(nowMs: number) {
  return { notBeforeMs: nowMs - BACKDATED_MS, notAfterMs: nowMs + CERTIFICATE_LIFETIME_MS };
}
