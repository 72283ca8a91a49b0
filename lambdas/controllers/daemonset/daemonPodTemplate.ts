import type { Affinity, PodSpec, PodTemplateSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { DaemonSet, Pod } from '../../objects/kinds.ts';
import { NODE_TAINTS } from '../../objects/nodes/nodeState.ts';

/** The label of a pod and of a revision: which revision of its owner it belongs to. */
export const REVISION_HASH_LABEL = 'controller-revision-hash';
const GENERATION_LABEL = 'pod-template-generation';
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';
const NAME_FIELD = 'metadata.name';

/** A daemon's pods stay when their node is in trouble: it is there to keep them company. */
const TOLERATIONS: readonly Toleration[] = [
  tolerationOf(NODE_TAINTS.notReady, 'NoExecute'),
  tolerationOf(NODE_TAINTS.unreachable, 'NoExecute'),
  tolerationOf(NODE_TAINTS.diskPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINTS.memoryPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINTS.pidPressure, 'NoSchedule'),
  tolerationOf(NODE_TAINTS.unschedulable, 'NoSchedule'),
];

/** Only a pod that uses its node's network can run before the node has one for pods. */
const HOST_NETWORK_TOLERATION = tolerationOf(NODE_TAINTS.networkUnavailable, 'NoSchedule');

function tolerationOf(key: string, effect: 'NoExecute' | 'NoSchedule'): Toleration {
  return { key, operator: 'Exists', effect };
}

/** Returns the spec of a daemon's pods before they are meant for a node, with the tolerations that all of them have: `AddOrUpdateDaemonPodTolerations`. Pure. */
export function daemonPodSpec({ spec }: DaemonSet): PodSpec {
  const given = spec?.template.spec ?? { containers: [] };
  const added = given.hostNetwork ? [...TOLERATIONS, HOST_NETWORK_TOLERATION] : TOLERATIONS;
  return { ...given, tolerations: added.reduce(addOrUpdateToleration, given.tolerations ?? []) };
}

/** A toleration that differs only in how long it lasts is replaced. */
function addOrUpdateToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  const isSame = ({ key, operator, effect, value }: Toleration) =>
    key === added.key && operator === added.operator && effect === added.effect && !value;
  return tolerations.some(isSame) ? tolerations.map((one) => (isSame(one) ? added : one)) : [...tolerations, added];
}

/** Returns the template of the pods of this revision, for any node: `CreatePodTemplate`. Pure. */
export function createPodTemplate(daemonSet: DaemonSet, hash: string): PodTemplateSpec {
  const { metadata } = daemonSet.spec?.template ?? {};
  const generation = templateGeneration(daemonSet);
  const labels = {
    ...metadata?.labels,
    ...(generation !== undefined && { [GENERATION_LABEL]: generation }),
    [REVISION_HASH_LABEL]: hash,
  };
  return { metadata: { ...metadata, labels }, spec: daemonPodSpec(daemonSet) };
}

/** How often the template has changed, as the API server counts it in an annotation; `undefined` if somebody made that unreadable. */
function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[GENERATION_ANNOTATION] ?? '';
  return /^-?\d+$/.test(text) ? text : undefined;
}

/** Returns the template of the pod of that node: the scheduler may put it nowhere else. Pure. */
export function templateForNode(template: PodTemplateSpec, nodeName: string): PodTemplateSpec {
  const spec = template.spec ?? { containers: [] };
  return { ...template, spec: { ...spec, affinity: replaceNodeAffinity(spec.affinity, nodeName) } };
}

/** `ReplaceDaemonSetPodNodeNameNodeAffinity`: the node has been found to match the given terms, so its name takes their place. */
function replaceNodeAffinity(affinity: Affinity | undefined, nodeName: string): Affinity {
  const matchFields = [{ key: NAME_FIELD, operator: 'In', values: [nodeName] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...affinity, nodeAffinity };
}

/** Returns the node that the pod is on or is meant for: `GetTargetNodeName`. `undefined` for a pod that somebody else made for no certain node. Pure. */
export function targetNodeName({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === NAME_FIELD && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}
