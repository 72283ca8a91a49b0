import type { Container, LocalObjectReference, PodReadinessGate, PodSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain, isInRange, isQualifiedName } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, oneOf, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validateAffinity } from './validateAffinity.ts';
import { validateHostNetworkPorts } from './validateContainerPorts.ts';
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './validateContainers.ts';
import { validateDnsConfig, validateHostAliases } from './validateDns.ts';
import { validateLabels } from '../validateLabels.ts';
import { validateHostProcess, validateOperatingSystem } from './validateOperatingSystem.ts';
import { validatePodLevelResources } from './validatePodLevelResources.ts';
import { validateResourceClaims } from './validateResourceClaims.ts';
import { validateOverhead } from './validateResources.ts';
import { validateSchedulingGates, validateTolerations, validateTopologySpread } from './validateScheduling.ts';
import { validatePodSecurityContext } from './validateSecurityContext.ts';
import { validateVolumes } from './validateVolumes.ts';
import type { VolumeNames } from './validateVolumeMounts.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAX_INT32 = 2_147_483_647;

/** The pod of a spec. A template's pod has no name yet. */
export interface PodIdentity {
  readonly isPod: boolean;
  readonly name: string;
}

/** Returns the errors of a pod's spec, in Kubernetes' order. Pure. */
export function validatePodSpec(spec: unknown, pod: PodIdentity, path: string): FieldError[] {
  const fields = fieldsOf<PodSpec>(spec);
  const volumes = validateVolumes(fields.volumes, pod.name, `${path}.volumes`);
  return [
    ...(isPresent(fields.terminationGracePeriodSeconds) ? [] : [required(`${path}.terminationGracePeriodSeconds`)]),
    ...volumes.errors,
    ...validateResourceClaims(fields.resourceClaims, `${path}.resourceClaims`),
    ...validateAllContainers(fields, volumes.mountable, path),
    ...validateHostNetwork(fields, pod.isPod, path),
    ...oneOf(`${path}.restartPolicy`, textOf(fields.restartPolicy), RESTART_POLICIES),
    ...oneOf(`${path}.dnsPolicy`, textOf(fields.dnsPolicy), DNS_POLICIES),
    ...validateLabels(fields.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(
      fields.securityContext,
      { hostPID: fields.hostPID === true, shareProcessNamespace: fields.shareProcessNamespace },
      `${path}.securityContext`,
    ),
    ...validateImagePullSecrets(fields.imagePullSecrets, `${path}.imagePullSecrets`),
    ...validateAffinity(fields.affinity, `${path}.affinity`),
    ...validateDnsConfig(fields.dnsConfig, textOf(fields.dnsPolicy), `${path}.dnsConfig`),
    ...validateReadinessGates(fields.readinessGates, `${path}.readinessGates`),
    ...validateSchedulingGates(fields.schedulingGates, `${path}.schedulingGates`),
    ...validateTopologySpread(fields.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...validateHostProcess(fields, path),
    ...validateHostUsers(fields, path),
    ...validateNames(fields, path),
    ...validateOverhead(fields.overhead, `${path}.overhead`),
    ...validatePodLevelResources(fields, `${path}.resources`),
    ...validateOperatingSystem(fields, path),
  ];
}

function validateAllContainers(spec: Fields<PodSpec>, volumes: VolumeNames, path: string): FieldError[] {
  const [containers, initContainers] = [itemsOf<Container>(spec.containers), itemsOf<Container>(spec.initContainers)];
  const gracePeriod = spec.terminationGracePeriodSeconds;
  const context: PodContext = {
    volumes,
    claimNames: new Set(itemsOf<{ name: string }>(spec.resourceClaims).map(({ name }) => textOf(name))),
    gracePeriodSeconds: isPresent(gracePeriod) ? numberOf(gracePeriod) : undefined,
    restartPolicy: textOf(spec.restartPolicy),
    hostUsers: spec.hostUsers !== false,
  };
  return [
    ...validateContainers(containers, context, `${path}.containers`),
    ...validateInitContainers(initContainers, containers, context, `${path}.initContainers`),
    ...validateEphemeralContainers(
      spec.ephemeralContainers,
      [...containers, ...initContainers],
      context,
      `${path}.ephemeralContainers`,
    ),
  ];
}

function validateHostNetwork(spec: Fields<PodSpec>, isPod: boolean, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return validateHostNetworkPorts(itemsOf<Container>(spec.containers), isPod, `${path}.containers`);
}

function validateImagePullSecrets(secrets: unknown, path: string): FieldError[] {
  return itemsOf<LocalObjectReference>(secrets).flatMap((secret, index) =>
    Object.keys(secret).some((field) => field !== 'name')
      ? [invalid(`${path}[${index}]`, secret, 'only name may be set')]
      : [],
  );
}

function validateReadinessGates(gates: unknown, path: string): FieldError[] {
  return itemsOf<PodReadinessGate>(gates).flatMap(({ conditionType }, index) =>
    invalidEach(`${path}[${index}].conditionType`, textOf(conditionType), isQualifiedName(textOf(conditionType))),
  );
}

/** A pod with its own user namespace cannot share its host's network, processes or IPC. */
function validateHostUsers(spec: Fields<PodSpec>, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const shared = [
    ['hostNetwork', spec.hostNetwork],
    ['HostPID', spec.hostPID],
    ['HostIPC', spec.hostIPC],
  ] as const;
  return shared
    .filter(([, value]) => value === true)
    .map(([field]) => forbidden(`${path}.${field}`, 'when `pod.Spec.HostUsers` is false'));
}

function validateNames(spec: Fields<PodSpec>, path: string): FieldError[] {
  const { activeDeadlineSeconds: deadline, preemptionPolicy, runtimeClassName } = spec;
  const named = (field: keyof PodSpec, check: (name: string) => string[]): FieldError[] => {
    const name = textOf(spec[field]);
    return name === '' ? [] : invalidEach(`${path}.${field}`, name, check(name));
  };
  return [
    ...named('serviceAccountName', isDns1123Subdomain),
    ...named('nodeName', isDns1123Subdomain),
    ...(isPresent(deadline)
      ? invalidEach(`${path}.activeDeadlineSeconds`, deadline, isInRange(numberOf(deadline), 1, MAX_INT32))
      : []),
    ...named('hostname', isDns1123Label),
    ...named('subdomain', isDns1123Label),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${path}.hostAliases`),
    ...named('priorityClassName', isDns1123Subdomain),
    ...(isPresent(runtimeClassName)
      ? invalidEach(`${path}.runtimeClassName`, runtimeClassName, isDns1123Subdomain(textOf(runtimeClassName)))
      : []),
    ...(isPresent(preemptionPolicy)
      ? oneOf(`${path}.preemptionPolicy`, textOf(preemptionPolicy), PREEMPTION_POLICIES)
      : []),
  ];
}
