import type * as core from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isInRange, isQualifiedName } from '../../../objects/nameFormats.ts';
import {
  type Check,
  dnsLabel,
  dnsSubdomain,
  fields,
  format,
  ifPresent,
  ifSet,
  items,
  present,
  requiredEnum,
} from '../checks.ts';
import { forbidden, invalid, invalidEach } from '../fieldErrors.ts';
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
import type { VolumeNames } from './validateVolumeMounts.ts';
import { validateVolumes } from './validateVolumes.ts';

const MAX_INT32 = 2_147_483_647;

/** The pod of a spec. A template's pod has no name yet. */
export interface PodIdentity {
  readonly isPod: boolean;
  readonly name: string;
}

/** Returns the errors of a pod's spec, in Kubernetes' order. Most checks are made once for all pods: to make one costs more than what it does. Pure. */
export function validatePodSpec(spec: unknown, pod: PodIdentity, path: string): FieldError[] {
  const given = fieldsOf<core.PodSpec>(spec);
  const volumes = validateVolumes(given.volumes, pod.name, `${path}.volumes`);
  const context = { hostPID: given.hostPID === true, shares: given.shareProcessNamespace };
  return [
    ...present()(given.terminationGracePeriodSeconds, `${path}.terminationGracePeriodSeconds`),
    ...volumes.errors,
    ...validateResourceClaims(fieldsOf<{ resourceClaims: unknown }>(spec).resourceClaims, `${path}.resourceClaims`),
    ...validateAllContainers(given, volumes.mountable, path),
    ...(given.hostNetwork === true
      ? validateHostNetworkPorts(itemsOf<core.Container>(given.containers), pod.isPod, `${path}.containers`)
      : []),
    ...policies(spec, path),
    ...validatePodSecurityContext(context)(given.securityContext, `${path}.securityContext`),
    ...placement(spec, path),
    ...validateDnsConfig(textOf(given.dnsPolicy))(given.dnsConfig, `${path}.dnsConfig`),
    ...scheduling(spec, path),
    ...validateHostProcess(given, path),
    ...(given.hostUsers === false ? ownUsers(spec, path) : []),
    ...names(spec, path),
    ...validatePodLevelResources(given, `${path}.resources`),
    ...validateOperatingSystem(given, path),
  ];
}

function validateAllContainers(spec: Fields<core.PodSpec>, volumes: VolumeNames, path: string): FieldError[] {
  const [containers, initContainers] = [
    itemsOf<core.Container>(spec.containers),
    itemsOf<core.Container>(spec.initContainers),
  ];
  const others = [...containers, ...initContainers];
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
    ...validateEphemeralContainers(spec.ephemeralContainers, others, context, `${path}.ephemeralContainers`),
  ];
}

const imagePullSecrets = items((secret, path) =>
  Object.keys(fieldsOf(secret)).some((field) => field !== 'name')
    ? [invalid(path, fieldsOf(secret), 'only name may be set')]
    : [],
);
const readinessGates = items(fields<core.PodReadinessGate>({ conditionType: format(isQualifiedName) }));

const policies = fields<core.PodSpec>({
  restartPolicy: requiredEnum('Always', 'OnFailure', 'Never'),
  dnsPolicy: requiredEnum('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
  nodeSelector: validateLabels,
});

const placement = fields<core.PodSpec>({ imagePullSecrets, affinity: validateAffinity });

const scheduling = fields({
  readinessGates,
  schedulingGates: validateSchedulingGates,
  topologySpreadConstraints: validateTopologySpread,
});

/** A pod with its own user namespace cannot share its host's network, processes or IPC. */
const ownUsers: Check = (spec, path) => {
  const { hostNetwork, hostPID, hostIPC } = fieldsOf<core.PodSpec>(spec);
  const shared = Object.entries({ hostNetwork, HostPID: hostPID, HostIPC: hostIPC });
  return shared
    .filter(([, value]) => value === true)
    .map(([field]) => forbidden(`${path}.${field}`, 'when `pod.Spec.HostUsers` is false'));
};

const names = fields<core.PodSpec>({
  serviceAccountName: ifSet(dnsSubdomain),
  nodeName: ifSet(dnsSubdomain),
  activeDeadlineSeconds: ifPresent((seconds, path) =>
    invalidEach(path, seconds, isInRange(numberOf(seconds), 1, MAX_INT32)),
  ),
  hostname: ifSet(dnsLabel),
  subdomain: ifSet(dnsLabel),
  tolerations: validateTolerations,
  hostAliases: validateHostAliases,
  priorityClassName: ifSet(dnsSubdomain),
  runtimeClassName: ifPresent(dnsSubdomain),
  preemptionPolicy: ifPresent(requiredEnum('PreemptLowerPriority', 'Never')),
  overhead: validateOverhead,
});
