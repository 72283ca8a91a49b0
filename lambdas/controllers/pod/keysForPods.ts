import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/podState.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../guardWrites.ts';

/** The pods to look at after a change of a pod or of a node. */
export async function keysForPods(registry: RegistryReader, change: Change): Promise<readonly KeyToSend[]> {
  if (change.type === 'DELETED') return [];
  if (change.resource === 'pods') {
    const { before, after } = change as { before?: Pod; after: Pod };
    return before && !concernsRuntime(before, after) ? [] : [keyTo(after)];
  }
  if (change.resource !== 'nodes') return [];
  const { before, after } = change as { before?: Node; after: Node };
  return before && !concernsScheduling(before, after) ? [] : await unscheduledPods(registry);
}

/**
 * A status alone is the runtime's own writing, and it has said when it wants to look again; most changes of pods are of that kind. Only readiness gates are
 * conditions that others set and a kubelet waits for.
 */
function concernsRuntime(before: Pod, after: Pod): boolean {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return false;
  const isGated = (after.spec?.readinessGates?.length ?? 0) > 0;
  return isGated || !jsonEqual(before.spec, after.spec) || !jsonEqual(lasting(before), lasting(after));
}

function lasting({ metadata }: Pod) {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata;
  return rest;
}

function concernsScheduling(before: Node, after: Node): boolean {
  const isReady = ({ status }: Node) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
  return (
    isReady(before) !== isReady(after) ||
    !jsonEqual(before.spec, after.spec) ||
    !jsonEqual(before.metadata.labels, after.metadata.labels)
  );
}

/** Nodes change seldom, so that looking through all pods is cheaper than keeping an index of those without one. */
async function unscheduledPods(registry: RegistryReader): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Pod>('pods');
  return items.filter((pod) => !pod.spec?.nodeName && !isPodTerminal(pod)).map(keyTo);
}

function keyTo({ metadata }: Pod): KeyToSend {
  return { key: { controller: 'pod', namespace: metadata.namespace ?? '', name: metadata.name } };
}
