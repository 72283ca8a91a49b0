/** What is served unless an older release is asked for. No other line of the product says which one that is. */
export const NEWEST_RELEASE = '1.36';

/** The releases of Kubernetes whose API can be served, the newest last. */
export const KUBERNETES_RELEASES = ['1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', NEWEST_RELEASE] as const;

/** A release of Kubernetes: `1.34`. */
export type KubernetesRelease = (typeof KUBERNETES_RELEASES)[number];

/** The second number of a release: 34 of `1.34`. Tables say with it since when something is there. */
export function minorOf(release: KubernetesRelease): number {
  return Number(release.slice(release.indexOf('.') + 1));
}

/** True if the release has what came with that minor release; absent: what was there before all of them. */
export function isKnownIn(release: KubernetesRelease, since = 0): boolean {
  return minorOf(release) >= since;
}

/** True for a release that can be served. */
export function isKubernetesRelease(value: unknown): value is KubernetesRelease {
  return KUBERNETES_RELEASES.some((known) => known === value);
}
