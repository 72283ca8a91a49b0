import { randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterAuthority } from './openAuthority.ts';
import { type Certificate, selfSignedCertificate } from '../host/selfSignedCertificate.ts';
import { writeDataFile } from '../host/writeDataFile.ts';

/** How the kubeconfig's user of a server that checks permissions proves who they are, and how the server does. */
export interface Administrator extends Certificate {
  /** The bearer token of the user. */
  readonly token: string;
  /** The authority by which clients verify the server, and the server its clients. Absent: the server's certificate stands for itself, and clients have no certificates. */
  readonly authority?: ClusterAuthority;
}

/** The file of a data directory that keeps them, so that a kubeconfig stays valid after a restart. */
const FILE = 'administrator';
const TOKEN_BYTES = 32;
/** A certificate that ends sooner is replaced. */
const SHORTEST_REST_MS = 30 * 86_400_000;

/** Returns what the data directory keeps, or makes it and keeps it there. Throws Node's error if the directory cannot be used. */
export function openAdministrator(directory: string, nowMs: number): Administrator {
  const kept = read(directory);
  if (kept && isFresh(kept, nowMs)) return kept;
  const made = { ...makeAdministrator(nowMs), ...(kept && { token: kept.token }) };
  writeDataFile(directory, FILE, JSON.stringify(made));
  return made;
}

/** Returns an administrator whose server has its certificate from an authority. */
export function withAuthority(administrator: Administrator, authority: ClusterAuthority): Administrator {
  return { ...administrator, ...authority.serving, authority };
}

/** The certificate, in PEM, by which clients verify the server. */
export function rootCertificate({ certificate, authority }: Pick<Administrator, 'certificate' | 'authority'>): string {
  return authority?.certificate ?? certificate;
}

function makeAdministrator(nowMs: number): Administrator {
  return { ...selfSignedCertificate(nowMs), token: randomBytes(TOKEN_BYTES).toString('base64url') };
}

function read(directory: string): Administrator | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Administrator;
  } catch {
    // The file does not exist yet, or it is damaged: it is written anew.
    return undefined;
  }
}

function isFresh({ certificate }: Administrator, nowMs: number): boolean {
  return Date.parse(new X509Certificate(certificate).validTo) - nowMs > SHORTEST_REST_MS;
}
