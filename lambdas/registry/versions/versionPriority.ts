/**
 * Compares by Kubernetes' version priority, the preferred version first: stable before beta before alpha, then the higher number: v2, v1, v1beta2, v1beta1, v1alpha1. Other names come last, in alphabetical
 * order. Pure.
 */
export function compareVersions(a: string, b: string): number {
  const [stabilityA, majorA, minorA] = versionRank(a);
  const [stabilityB, majorB, minorB] = versionRank(b);
  return stabilityB - stabilityA || majorB - majorA || minorB - minorA || (a < b ? -1 : 1);
}

/** Returns how stable a version is: 2 for v1, 1 for beta, 0 for alpha, -1 for names of another form. Pure. */
export function stabilityOf(version: string): number {
  return versionRank(version)[0];
}

function versionRank(version: string): [number, number, number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
