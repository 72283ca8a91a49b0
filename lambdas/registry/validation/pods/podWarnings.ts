import type {
  Affinity,
  HostAlias,
  LocalObjectReference,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
  Volume,
} from 'kubernetes-types/core/v1.js';
import { goQuote } from '../../../objects/go/goQuote.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isDns1123Label } from '../../../objects/nameFormats.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textEntriesOf, textOf } from '../fieldsOf.ts';
import { containerWarnings, fractionWarnings, placedContainers, portWarnings } from './containerWarnings.ts';

/** What a client is told of a new pod, or of a new or changed object with a template. The functions are pure. */

/** Warns of a pod whose name is no host name. Pods change often, and rarely by people: of a change nothing is said. */
export function podWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  if (old !== undefined) return [];
  return [
    ...nameWarnings(object, "the Pod's hostname"),
    ...specWarnings(fieldsOf<PodSpec>(object['spec']), object.metadata.annotations, ''),
  ];
}

/** Warns of a workload whose name is not fit for those of its pods, and of what is odd in its template. Of a change that leaves the spec alone nothing is said. */
export function workloadWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  return [...podNamesWarnings(object, old), ...templateWarnings(object, old)];
}

/** Warns of a new object whose name becomes a part of the names of pods. */
export function podNamesWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  return old === undefined ? nameWarnings(object, 'Pod names and hostnames') : [];
}

/** Warns of what is odd in the template of an object, whose name does not matter. */
export function templateWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  if (old !== undefined && object.metadata.generation === old.metadata.generation) return [];
  return warningsOfTemplate(fieldsOf<{ template: object }>(object['spec']).template, 'spec.template');
}

/** Warns of what is odd in a template at this place. */
export function warningsOfTemplate(template: unknown, path: string): string[] {
  const { metadata, spec } = fieldsOf<{ metadata: object; spec: object }>(template);
  return specWarnings(fieldsOf<PodSpec>(spec), fieldsOf<{ annotations: object }>(metadata).annotations, `${path}.`);
}

function nameWarnings({ metadata: { name } }: KubernetesObject, use: string): string[] {
  const messages = isDns1123Label(name);
  if (messages.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
  ];
}

/** `prefix`: the place of the spec and the metadata, `spec.template.`. */
function specWarnings(spec: Fields<PodSpec>, annotations: unknown, prefix: string): string[] {
  const path = `${prefix}spec`;
  const containers = placedContainers(spec, path);
  return [
    ...nodeLabelWarnings(spec, path),
    ...spreadWarnings(spec, path),
    ...annotationWarnings(annotations, `${prefix}metadata.annotations`),
    ...volumeWarnings(spec, path),
    ...repeated(itemsOf<HostAlias>(spec.hostAliases), 'ip', `${path}.hostAliases`),
    ...repeated(itemsOf<LocalObjectReference>(spec.imagePullSecrets), 'name', `${path}.imagePullSecrets`),
    ...emptyNames(itemsOf<LocalObjectReference>(spec.imagePullSecrets), `${path}.imagePullSecrets`),
    ...['memory', 'ephemeral-storage'].flatMap((resource) =>
      fractionWarnings(spec.overhead, resource, `${path}.overhead`),
    ),
    ...containers.flatMap(containerWarnings),
    ...portWarnings(containers),
    ...(numberOf(spec.terminationGracePeriodSeconds) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec, path),
  ];
}

/** Labels of nodes that have other names today. */
const NODE_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

function nodeLabelWarnings(spec: Fields<PodSpec>, path: string): string[] {
  const affinity = fieldsOf<NodeAffinity>(fieldsOf<Affinity>(spec.affinity).nodeAffinity);
  const at = `${path}.affinity.nodeAffinity`;
  const required = fieldsOf<{ nodeSelectorTerms: unknown }>(affinity.requiredDuringSchedulingIgnoredDuringExecution);
  const preferred = itemsOf<{ preference: unknown }>(affinity.preferredDuringSchedulingIgnoredDuringExecution);
  return [
    ...textEntriesOf(spec.nodeSelector).flatMap(([key]) =>
      NODE_LABELS[key] === undefined ? [] : [`${path}.nodeSelector[${key}]: ${NODE_LABELS[key]}`],
    ),
    ...itemsOf<NodeSelectorTerm>(required.nodeSelectorTerms).flatMap((term, index) =>
      termWarnings(term, `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...preferred.flatMap(({ preference }, index) =>
      termWarnings(fieldsOf(preference), `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`),
    ),
  ];
}

function termWarnings({ matchExpressions }: Fields<NodeSelectorTerm>, path: string): string[] {
  return itemsOf<{ key: string }>(matchExpressions).flatMap(({ key }, index) => {
    const why = NODE_LABELS[textOf(key)];
    return why === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${textOf(key)} is ${why}`];
  });
}

const NO_SELECTOR = 'a null labelSelector results in matching no pod';

function spreadWarnings(spec: Fields<PodSpec>, path: string): string[] {
  return itemsOf<TopologySpreadConstraint>(spec.topologySpreadConstraints).flatMap((constraint, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const key = textOf(constraint.topologyKey);
    return [
      ...(NODE_LABELS[key] === undefined ? [] : [`${at}.topologyKey: ${key} is ${NODE_LABELS[key]}`]),
      ...(isPresent(constraint.labelSelector) ? [] : [`${at}.labelSelector: ${NO_SELECTOR}`]),
    ];
  });
}

function affinityWarnings(spec: Fields<PodSpec>, path: string): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => {
    const affinity = fieldsOf<PodAffinity>(fieldsOf<Affinity>(spec.affinity)[name]);
    const at = `${path}.affinity.${name}`;
    const required = itemsOf<PodAffinityTerm>(affinity.requiredDuringSchedulingIgnoredDuringExecution);
    const preferred = itemsOf<{ podAffinityTerm: object }>(affinity.preferredDuringSchedulingIgnoredDuringExecution);
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        isPresent(labelSelector)
          ? []
          : [`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${NO_SELECTOR}`],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        isPresent(fieldsOf<PodAffinityTerm>(podAffinityTerm).labelSelector)
          ? []
          : [
              `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`,
            ],
      ),
    ];
  });
}

/** Annotations without effect, and what takes their place. */
const ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings(annotations: unknown, path: string): string[] {
  const given = fieldsOf<Record<string, unknown>>(annotations);
  return Object.entries(ANNOTATIONS).flatMap(([key, why]) =>
    Object.hasOwn(given, key) ? [`${path}[${key}]: ${why}`] : [],
  );
}

/** Kinds of volumes that nothing mounts any more, in the order of Kubernetes' warnings. */
const VOLUMES: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
/** What Kubernetes writes in its warnings in place of the field's name. */
const VOLUME_NAMES: Readonly<Record<string, string>> = { storageos: 'storageOS' };

function volumeWarnings(spec: Fields<PodSpec>, path: string): string[] {
  return itemsOf<Volume>(spec.volumes).flatMap((volume, index) =>
    Object.entries(VOLUMES).flatMap(([kind, why]) =>
      isPresent((volume as Readonly<Record<string, unknown>>)[kind])
        ? [`${path}.volumes[${index}].${VOLUME_NAMES[kind] ?? kind}: ${why}`]
        : [],
    ),
  );
}

function repeated<K extends string>(items: readonly Fields<Record<K, string>>[], key: K, path: string): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = textOf(item[key]);
    const isFirst = !seen.has(value);
    seen.add(value);
    return isFirst ? [] : [`${path}[${index}].${key}: duplicate ${key} ${goQuote(value)}`];
  });
}

function emptyNames(items: readonly Fields<LocalObjectReference>[], path: string): string[] {
  return items.flatMap(({ name }, index) =>
    textOf(name) === '' ? [`${path}[${index}].name: invalid empty name ${goQuote('')}`] : [],
  );
}
