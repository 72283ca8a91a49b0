import type { CertificateTerms, CertificateUsage } from '../../ports/CertificateAuthority.ts';

/** kube-controller-manager's `--cluster-signing-duration`. */
const LONGEST_MS = 365 * 86_400_000;
const SHORTEST_MS = 600_000;
/** The clocks of machines differ, so a certificate begins a little earlier than it is signed. */
const BACKDATED_MS = 300_000;

/** Decides how long a certificate is valid: as long as it was asked for, at most a year. Pure. */
export function decideTerms(
  usages: readonly string[],
  expirationSeconds: number | undefined,
  nowMs: number,
): CertificateTerms {
  const wantedMs = (expirationSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  const lifetimeMs = Math.max(SHORTEST_MS, Math.min(wantedMs, LONGEST_MS));
  return {
    usages: usages as readonly CertificateUsage[],
    notBeforeMs: nowMs - Math.min(BACKDATED_MS, lifetimeMs / 2),
    notAfterMs: nowMs + lifetimeMs,
  };
}
