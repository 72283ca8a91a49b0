import type { Container, EphemeralContainer, VolumeMount } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label } from '../../../objects/nameFormats.ts';
import { duplicate, forbidden, invalidEach, notFound, notSupported, oneOf, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateContainerPorts, validateHostPortConflicts } from './validateContainerPorts.ts';
import { validateEnv, validateEnvFrom } from './validateEnv.ts';
import { validateLifecycle, validateProbe } from './validateHandlers.ts';
import { validateResizePolicy, validateResources } from './validateResources.ts';
import { validateSecurityContext } from './validateSecurityContext.ts';
import { type VolumeNames, validateVolumeDevices, validateVolumeMounts } from './validateVolumeMounts.ts';

/** The parts of a pod that its containers are validated against. */
export interface PodContext {
  readonly volumes: VolumeNames;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriodSeconds: number | undefined;
  readonly restartPolicy: string;
  /** False if the pod has its own user namespace. */
  readonly hostUsers: boolean;
}

type AnyContainer = Fields<Container>;

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const SERVICE_FIELDS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const NOT_FOR_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Validates the regular containers; there must be at least one. */
export function validateContainers(
  containers: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const containerPath = `${path}[${index}]`;
    const name = textOf(container.name);
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...validateContainer(container, context, containerPath),
      ...(isTaken ? [duplicate(`${containerPath}.name`, name)] : []),
      ...validateServiceFields(container, context, containerPath),
      ...(isPresent(container.restartPolicy)
        ? [forbidden(`${containerPath}.restartPolicy`, 'may not be set for non-init containers')]
        : []),
    ];
  });
  return [...errors, ...validateHostPortConflicts(containers, path)];
}

/** Validates the init containers. Only sidecars (`restartPolicy: Always`) may have probes. */
export function validateInitContainers(
  initContainers: readonly AnyContainer[],
  containers: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  const names = new Set(containers.map((container) => textOf(container.name)));
  return initContainers.flatMap((container, index) => {
    const containerPath = `${path}[${index}]`;
    const name = textOf(container.name);
    const isTaken = names.has(name);
    if (name !== '') names.add(name);
    return [
      ...validateContainer(container, context, containerPath),
      ...validateInitRestartPolicy(container, containerPath),
      ...(isTaken ? [duplicate(`${containerPath}.name`, name)] : []),
      ...validateHostPortConflicts([container], path),
      ...(container.restartPolicy === 'Always'
        ? validateServiceFields(container, context, containerPath)
        : forbidServiceFields(container, containerPath)),
    ];
  });
}

function validateInitRestartPolicy(container: AnyContainer, path: string): FieldError[] {
  if (!isPresent(container.restartPolicy) || container.restartPolicy === 'Always') return [];
  return [notSupported(`${path}.restartPolicy`, textOf(container.restartPolicy), ['Always'])];
}

function forbidServiceFields(container: AnyContainer, path: string): FieldError[] {
  return SERVICE_FIELDS.filter((field) => isPresent(container[field])).map((field) =>
    forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'),
  );
}

function validateServiceFields(container: AnyContainer, context: PodContext, path: string): FieldError[] {
  return [
    ...validateLifecycle(container.lifecycle, context.gracePeriodSeconds, `${path}.lifecycle`),
    ...validateProbe(container.livenessProbe, 'liveness', `${path}.livenessProbe`),
    ...validateProbe(container.readinessProbe, 'readiness', `${path}.readinessProbe`),
    ...validateProbe(container.startupProbe, 'startup', `${path}.startupProbe`),
  ];
}

/** Validates the ephemeral containers. They serve no requests, and so have no ports, probes or resources. */
export function validateEphemeralContainers(
  ephemeralContainers: unknown,
  others: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  const targets = new Set(others.map((container) => textOf(container.name)));
  const names = new Set(targets);
  return itemsOf<EphemeralContainer>(ephemeralContainers).flatMap((container, index) => {
    const containerPath = `${path}[${index}]`;
    const [name, target] = [textOf(container.name), textOf(container.targetContainerName)];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...validateContainer(container, context, containerPath),
      ...(isTaken ? [duplicate(`${containerPath}.name`, name)] : []),
      ...(target === '' || targets.has(target) ? [] : [notFound(`${containerPath}.targetContainerName`, target)]),
      ...forbidForEphemeral(container, containerPath),
    ];
  });
}

function forbidForEphemeral(container: Fields<EphemeralContainer>, path: string): FieldError[] {
  const detail = 'cannot be set for an Ephemeral Container';
  const mounts = itemsOf<VolumeMount>(container.volumeMounts);
  return [
    ...NOT_FOR_EPHEMERAL.filter((field) => isSet(container[field])).map((field) =>
      forbidden(`${path}.${field}`, detail),
    ),
    ...mounts.flatMap((mount, index) =>
      (['subPath', 'subPathExpr'] as const)
        .filter((field) => textOf(mount[field]) !== '')
        .map((field) => forbidden(`${path}.volumeMounts[${index}].${field}`, detail)),
    ),
  ];
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isPresent(value) && Object.keys(fieldsOf(value)).length > 0;
}

/** Validates what all kinds of containers have in common. */
function validateContainer(container: AnyContainer, context: PodContext, path: string): FieldError[] {
  const name = textOf(container.name);
  return [
    ...(name === '' ? [required(`${path}.name`)] : invalidEach(`${path}.name`, name, isDns1123Label(name))),
    ...(textOf(container.image) === '' ? [required(`${path}.image`)] : []),
    ...oneOf(`${path}.terminationMessagePolicy`, textOf(container.terminationMessagePolicy), MESSAGE_POLICIES),
    ...validateContainerPorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, context.volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, context.volumes, `${path}.volumeDevices`),
    ...oneOf(`${path}.imagePullPolicy`, textOf(container.imagePullPolicy), PULL_POLICIES),
    ...validateResources(container.resources, context.claimNames, `${path}.resources`),
    ...validateResizePolicy(container.resizePolicy, context.restartPolicy, `${path}.resizePolicy`),
    ...validateSecurityContext(container.securityContext, context.hostUsers, `${path}.securityContext`),
  ];
}
