import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
  createClusterAuthority,
  createProxyAuthority,
  issueKubeletClient,
  issueServing,
} from '../../lambdas/adapters/certificates/clusterCertificates.ts';
import { type CertificateAndKey, X509Authority } from '../../lambdas/adapters/certificates/X509Authority.ts';
import type { KubeletCredentials } from '../../lambdas/ports/BackendConnections.ts';
import type { CertificateAuthority } from '../../lambdas/ports/CertificateAuthority.ts';
import { LOOPBACK } from '../host/openHttpServer.ts';
import { writeDataFile } from '../host/writeDataFile.ts';

/** The certificate authority of a cluster, and what the API server itself has from it. */
export interface ClusterAuthority {
  /** In PEM. Clients verify the API server by it, and the API server its clients. */
  readonly certificate: string;
  readonly signer: CertificateAuthority;
  /** Makes the authority of proxies; resolves to its certificate. */
  readonly createProxyAuthority: () => Promise<string>;
  /** What the API server shows to its clients. */
  readonly serving: CertificateAndKey;
  /** What the API server shows to kubelets. */
  readonly kubeletCredentials: KubeletCredentials;
}

/** The file of a data directory that keeps the authority, so that nodes and kubeconfigs stay valid after a restart. */
const FILE = 'authority';
const SERVICE_NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
/** Opens the authority that the data directory keeps, or makes one and keeps it there. The API server gets new certificates at each start. Throws a DataDirectoryError. */
export async function openAuthority(dataDir: string, nowMs: number): Promise<ClusterAuthority> {
  const own = read(dataDir) ?? (await make(dataDir, nowMs));
  const authority = new X509Authority(own);
  const [serving, client] = await Promise.all([
    issueServing(authority, serverNames(), nowMs),
    issueKubeletClient(authority, nowMs),
  ]);
  const { certificate } = own;
  return {
    certificate,
    signer: authority,
    createProxyAuthority: () => createProxyAuthority(nowMs),
    serving,
    kubeletCredentials: { ...client, authority: certificate },
  };
}

async function make(dataDir: string, nowMs: number): Promise<CertificateAndKey> {
  const made = await createClusterAuthority(nowMs);
  writeDataFile(dataDir, FILE, JSON.stringify(made));
  return made;
}

function read(dataDir: string): CertificateAndKey | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as CertificateAndKey;
  } catch {
    // The file does not exist yet, or it is damaged: it is written anew.
    return undefined;
  }
}

/** All names and addresses of this machine: nobody knows which of them its clients use. */
function serverNames() {
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const outer = addresses.filter(({ internal }) => !internal).map(({ address }) => address.split('%')[0] ?? '');
  return {
    dnsNames: [...new Set(['localhost', hostname(), ...SERVICE_NAMES])],
    ipAddresses: [...new Set([LOOPBACK, '::1', ...outer])],
  };
}
