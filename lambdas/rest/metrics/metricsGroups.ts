import type { ServedGroup } from '../ServedGroup.ts';

export const CUSTOM_METRICS = 'custom.metrics.k8s.io';
export const EXTERNAL_METRICS = 'external.metrics.k8s.io';

/** The groups whose paths name metrics, as a metrics adapter serves them. Which metrics there are depends on annotations of objects, so discovery lists them only where it is asked for a group's version: see `discoverMetrics`. */
export const METRICS_GROUPS: readonly ServedGroup[] = [
  { group: CUSTOM_METRICS, versions: [{ version: 'v1beta2', resources: [] }] },
  { group: EXTERNAL_METRICS, versions: [{ version: 'v1beta1', resources: [] }] },
];

/** True for a version of these groups that is served. Pure. */
export function isMetricsVersion(group: string, version: string): boolean {
  return METRICS_GROUPS.some((one) => one.group === group && one.versions.some((served) => served.version === version));
}
