import type { Affinity, Container, PodSchedulingGate, PodSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual, mapsEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { inclusiveRangeMessage } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textEntriesOf, textOf } from '../fieldsOf.ts';
import { validateNodeAffinityChange } from './validateNodeAffinityChange.ts';
import { validateImagePadding, validateWholePod } from './validatePod.ts';

const MIRROR_POD = 'kubernetes.io/config.mirror';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const MAX_INT32 = 2_147_483_647;
const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/**
 * Returns the errors of a changed Pod, except those of its metadata. Only a few fields of its spec may change. Only a binding sets its node. Pure.
 */
export function validatePodUpdate(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, oldSpec] = [fieldsOf<PodSpec>(pod['spec']), fieldsOf<PodSpec>(old['spec'])];
  const errors = [...validateWholePod(pod), ...validateAnnotationChanges(pod, old)];
  const containers = validateContainerChanges(spec, oldSpec, 'containers');
  const initContainers = validateContainerChanges(spec, oldSpec, 'initContainers');
  if (containers.stop) return [...errors, ...containers.errors];
  if (initContainers.stop) return [...errors, ...containers.errors, ...initContainers.errors];
  return [
    ...errors,
    ...containers.errors,
    ...initContainers.errors,
    ...validateDeadlineChange(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds),
    ...validateTolerationChanges(spec.tolerations, oldSpec.tolerations),
    ...validateGateChanges(spec.schedulingGates, oldSpec.schedulingGates),
    ...(jsonEqual(spec, oldSpec) ? [] : validateOtherChanges(spec, oldSpec)),
  ];
}

/** True for the API's copy of a pod that a kubelet runs from a file of its own. */
export function isMirrorPod(pod: KubernetesObject): boolean {
  return pod.metadata.annotations?.[MIRROR_POD] !== undefined;
}

/** Refuses changes of annotations that are only read when the pod is created. */
export function validateAnnotationChanges(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  if (pod.metadata.annotations === old.metadata.annotations) return [];
  const now = new Map(textEntriesOf(pod.metadata.annotations));
  const before = new Map(textEntriesOf(old.metadata.annotations));
  const fixed = (key: string) => (key.startsWith(APP_ARMOR) ? 'AppArmor annotations' : 'mirror pod annotation');
  const isFixed = (key: string) => key === MIRROR_POD || key.startsWith(APP_ARMOR);
  return [
    ...[...before.keys()]
      .filter((key) => isFixed(key) && now.get(key) !== before.get(key))
      .map((key) => forbidden(`metadata.annotations[${key}]`, `may not remove or update ${fixed(key)}`)),
    ...[...now.keys()]
      .filter((key) => isFixed(key) && !before.has(key))
      .map((key) => forbidden(`metadata.annotations[${key}]`, `may not add ${fixed(key)}`)),
  ];
}

function validateContainerChanges(
  spec: Fields<PodSpec>,
  oldSpec: Fields<PodSpec>,
  list: 'containers' | 'initContainers',
): { readonly stop: boolean; readonly errors: FieldError[] } {
  const containers = itemsOf<Container>(spec[list]);
  if (containers.length !== itemsOf(oldSpec[list]).length) {
    return { stop: true, errors: [forbidden(`spec.${list}`, 'pod updates may not add or remove containers')] };
  }
  const errors = containers.flatMap((container, index) => [
    ...(textOf(container.image) === '' ? [required(`spec.${list}[${index}].image`)] : []),
    ...validateImagePadding(container, `spec.${list}[${index}]`),
  ]);
  return { stop: false, errors };
}

/** A deadline can be set, and made earlier. */
function validateDeadlineChange(deadline: unknown, oldDeadline: unknown): FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  if (!isPresent(deadline)) {
    const removed = 'must not update from a positive integer to nil value';
    return isPresent(oldDeadline) ? [invalid(path, undefined, removed)] : [];
  }
  const seconds = numberOf(deadline);
  if (seconds < 0 || seconds > MAX_INT32) return [invalid(path, seconds, inclusiveRangeMessage(0, MAX_INT32))];
  const isLater = isPresent(oldDeadline) && numberOf(oldDeadline) < seconds;
  return isLater ? [invalid(path, seconds, 'must be less than or equal to previous value')] : [];
}

function validateTolerationChanges(tolerations: unknown, oldTolerations: unknown): FieldError[] {
  const withoutSeconds = (toleration: Fields<Toleration>) => ({ ...toleration, tolerationSeconds: undefined });
  const now = itemsOf<Toleration>(tolerations).map(withoutSeconds);
  const isKept = itemsOf<Toleration>(oldTolerations).every((before) =>
    now.some((toleration) => jsonEqual(withoutSeconds(before), toleration)),
  );
  const changed = 'existing toleration can not be modified except its tolerationSeconds';
  return isKept ? [] : [forbidden('spec.tolerations', changed)];
}

function validateGateChanges(gates: unknown, oldGates: unknown): FieldError[] {
  const before = new Set(itemsOf<PodSchedulingGate>(oldGates).map(({ name }) => textOf(name)));
  return itemsOf<PodSchedulingGate>(gates).flatMap(({ name }, index) =>
    before.has(textOf(name))
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${textOf(name)}'`,
          ),
        ],
  );
}

/** Undoes every permitted change in the new spec, and refuses it if it still differs from the old one. */
function validateOtherChanges(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  const restored: Record<string, unknown> = {
    ...spec,
    containers: restoreImages(spec.containers, oldSpec.containers),
    initContainers: restoreImages(spec.initContainers, oldSpec.initContainers),
    activeDeadlineSeconds: oldSpec.activeDeadlineSeconds,
    schedulingGates: oldSpec.schedulingGates,
    tolerations: oldSpec.tolerations,
  };
  const gracePeriod = oldSpec.terminationGracePeriodSeconds;
  if (numberOf(gracePeriod) < 0 && spec.terminationGracePeriodSeconds === 1) {
    restored['terminationGracePeriodSeconds'] = gracePeriod;
  }
  const isGated = itemsOf(oldSpec.schedulingGates).length > 0;
  const gatedErrors = isGated ? validateGatedChanges(spec, oldSpec) : [];
  if (isGated) restoreScheduling(restored, spec, oldSpec);
  if (jsonEqual(restored, oldSpec)) return gatedErrors;
  return [...gatedErrors, forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE.join(',')}\n`)];
}

function restoreImages(containers: unknown, oldContainers: unknown): unknown[] {
  const before = itemsOf<Container>(oldContainers);
  return itemsOf<Container>(containers).map((container, index) => ({ ...container, image: before[index]?.image }));
}

/** Validates the scheduling of a pod that waits for its gates: it can only become narrower. */
function validateGatedChanges(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  const now = new Map(textEntriesOf(spec.nodeSelector));
  const isNarrowed = textEntriesOf(oldSpec.nodeSelector).every(([key, value]) => now.get(key) === value);
  const additions = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [
    ...(isNarrowed ? [] : [invalid('spec.nodeSelector', spec.nodeSelector, additions)]),
    ...validateNodeAffinityChange(
      fieldsOf<Affinity>(spec.affinity).nodeAffinity,
      fieldsOf<Affinity>(oldSpec.affinity).nodeAffinity,
      'spec.affinity.nodeAffinity',
    ),
  ];
}

function restoreScheduling(restored: Record<string, unknown>, spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): void {
  restored['nodeSelector'] = oldSpec.nodeSelector;
  const { nodeAffinity: _, ...others } = fieldsOf<Affinity>(spec.affinity);
  const { nodeAffinity, ...oldOthers } = fieldsOf<Affinity>(oldSpec.affinity);
  const isSame = mapsEqual(others, oldOthers);
  restored['affinity'] = isSame ? oldSpec.affinity : { ...others, nodeAffinity };
}
