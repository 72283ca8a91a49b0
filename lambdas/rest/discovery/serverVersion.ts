import { type KubernetesRelease, minorOf, NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';

/** The newest patch of each release when this was written. */
const PATCHES: Readonly<Record<KubernetesRelease, number>> = {
  '1.29': 15,
  '1.30': 14,
  '1.31': 14,
  '1.32': 13,
  '1.33': 11,
  '1.34': 7,
  '1.35': 4,
  [NEWEST_RELEASE]: 4,
};

/** The version that a component of this release says that it has: `v1.34.7`. */
export function componentVersion(release: KubernetesRelease): string {
  return `v${release}.${PATCHES[release]}`;
}

/**
 * The answer to `/version`. Clients use it to decide which features they may use, and some to choose the client binary, so it names the Kubernetes release
 * whose API this server implements.
 */
export function serverVersion(release: KubernetesRelease) {
  return {
    major: '1',
    minor: String(minorOf(release)),
    gitVersion: `${componentVersion(release)}+driftless`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: 'linux/amd64',
  } as const;
}
