import type { NodeInfo } from '../framework/NodeInfo.ts';
import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';
import { type CsiNode, type DriverVolume, driverVolumesOf, type Volumes } from '../framework/Volumes.ts';

const EXCEEDED: Misfit = { reasons: ['node(s) exceed max volume count'], isResolvable: true };

/** Keeps pods from nodes to which a storage driver can attach no more volumes, as the node's CSINode says. A volume that the node has already counts once. */
export const nodeVolumeLimits: FilterPlugin = {
  name: 'NodeVolumeLimits',
  prepare({ pod }, { volumes }) {
    if (volumes.csiNodes.size === 0) return undefined;
    const asked = driverVolumesOf(pod, volumes);
    if (asked.length === 0) return undefined;
    return (node) => (exceedsLimit(asked, node, volumes) ? EXCEEDED : undefined);
  },
};

function exceedsLimit(asked: readonly DriverVolume[], { name, pods }: NodeInfo, volumes: Volumes): boolean {
  const limits = limitsOf(volumes.csiNodes.get(name));
  if (!asked.some(({ driver }) => limits.has(driver))) return false;
  const attached = handlesByDriver(pods.all.flatMap(({ pod }) => driverVolumesOf(pod, volumes)));
  return [...handlesByDriver(asked)].some(([driver, handles]) => {
    const held = attached.get(driver) ?? new Set<string>();
    const added = [...handles].filter((handle) => !held.has(handle)).length;
    return added > 0 && held.size + added > (limits.get(driver) ?? Number.POSITIVE_INFINITY);
  });
}

function limitsOf(csiNode: CsiNode | undefined): ReadonlyMap<string, number> {
  const drivers = csiNode?.spec?.drivers ?? [];
  return new Map(
    drivers.flatMap(({ name, allocatable }) => (allocatable?.count === undefined ? [] : [[name, allocatable.count]])),
  );
}

function handlesByDriver(volumes: readonly DriverVolume[]): ReadonlyMap<string, ReadonlySet<string>> {
  const handles = new Map<string, Set<string>>();
  for (const { driver, handle } of volumes) handles.set(driver, (handles.get(driver) ?? new Set()).add(handle));
  return handles;
}
