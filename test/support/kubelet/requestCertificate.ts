import { loadX509 } from '../../../lambdas/adapters/certificates/loadX509.ts';
import type { CertificateAndKey } from '../../../lambdas/adapters/certificates/X509Authority.ts';
import type { KubeletClient } from './KubeletClient.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface WantedCertificate {
  /** The name of the CertificateSigningRequest. */
  readonly name: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** What a kubelet asks for by its bootstrap token, and later to renew it. */
export function clientCertificateOf(nodeName: string, name: string): WantedCertificate {
  return {
    name,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
    commonName: `system:node:${nodeName}`,
    organizations: ['system:nodes'],
  };
}

/** What its HTTPS server shows. */
export function servingCertificateOf(nodeName: string, name: string): WantedCertificate {
  const signerName = 'kubernetes.io/kubelet-serving';
  const usages = ['digital signature', 'server auth'];
  return { ...clientCertificateOf(nodeName, name), signerName, usages, ipAddresses: ['127.0.0.1'] };
}

/** Makes a key and asks the API server for a certificate, as a kubelet does. Resolves to the key and to what waits for the certificate. */
export async function requestCertificate(client: KubeletClient, wanted: WantedCertificate) {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const names = (wanted.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value }));
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [...wanted.organizations.map((organization) => ({ O: [organization] })), { CN: [wanted.commonName] }],
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
  });
  const { name, signerName, usages } = wanted;
  const pem = Buffer.from(`${request.toString('pem')}\n`).toString('base64');
  const object = { kind: 'CertificateSigningRequest', metadata: { name }, spec: { request: pem, signerName, usages } };
  const created = await client.send('POST', REQUESTS, object);
  const privateKey = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { created, issued: () => awaitCertificate(client, name, privateKey) };
}

/** Watches the request until it has its certificate, or failed. */
async function awaitCertificate(client: KubeletClient, name: string, privateKey: string): Promise<CertificateAndKey> {
  const ended = new AbortController();
  let certificate = '';
  let problem = '';
  await client.watch(`${REQUESTS}?watch=true&fieldSelector=metadata.name%3D${name}`, ended.signal, ({ object }) => {
    const failed = (object.status?.conditions ?? []).find(({ type }: { type: string }) => type === 'Failed');
    certificate = Buffer.from(object.status?.certificate ?? '', 'base64').toString();
    problem = failed?.message ?? '';
    if (certificate !== '' || problem !== '') ended.abort();
  });
  if (problem !== '') throw new Error(problem);
  return { certificate, privateKey };
}
