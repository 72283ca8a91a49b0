import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../../../objects/KubernetesObject.ts';
import type { Pod } from '../../../objects/kinds.ts';
import { type AffinityTerms, affinityTermsOf } from './AffinityTerm.ts';
import { type Likeness, likenessOf } from './likenessOf.ts';
import { type HostPort, hostPortsOf } from './HostPort.ts';
import { nonZeroRequests, podRequests, type Resource } from './Resource.ts';

/** A pod, with what the scheduler derives from its spec, and from what it has while it is resized. */
export interface PodInfo {
  readonly pod: Pod;
  readonly spec: PodSpec;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly requests: Resource;
  readonly nonZeroRequests: Resource;
  readonly hostPorts: readonly HostPort[];
  readonly terms: AffinityTerms;
  /** The UID of the pod's controller; `''` for a pod that has none. */
  readonly controllerUid: string;
  readonly likeness: Likeness;
}

const known = new WeakMap<Pod, PodInfo>();

/** Derives a pod's PodInfo, once for each object: a store in memory returns the same object until the pod changes. Pure. */
export function podInfoOf(pod: Pod): PodInfo {
  const remembered = known.get(pod);
  if (remembered) return remembered;
  const spec = pod.spec ?? { containers: [] };
  const { namespace = '', labels = {} } = pod.metadata;
  const controllerUid = controllerOf(pod)?.uid ?? '';
  const info: PodInfo = {
    pod,
    spec,
    namespace,
    labels,
    priority: spec.priority ?? 0,
    requests: podRequests(pod),
    nonZeroRequests: nonZeroRequests(pod),
    hostPorts: hostPortsOf(spec),
    terms: affinityTermsOf(pod, spec),
    controllerUid,
    likeness: likenessOf(pod, controllerUid),
  };
  known.set(pod, info);
  return info;
}
