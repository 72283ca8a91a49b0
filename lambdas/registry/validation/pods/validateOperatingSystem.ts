import type { Container, PodOS, PodSecurityContext, PodSpec, SecurityContext } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';

const SYSTEMS = ['linux', 'windows'];
const NOT_ON_WINDOWS = 'cannot be set for a windows pod';
const NOT_ON_LINUX = 'windows options cannot be set for a linux pod';

/** The pod's fields that Windows does not support: each in the spec or in the security context. */
const LINUX_POD_FIELDS: readonly (readonly ['context' | 'spec', string])[] = [
  ['context', 'appArmorProfile'],
  ['context', 'seLinuxOptions'],
  ['spec', 'hostUsers'],
  ['spec', 'hostPID'],
  ['spec', 'hostIPC'],
  ['context', 'seccompProfile'],
  ['context', 'fsGroup'],
  ['context', 'fsGroupChangePolicy'],
  ['context', 'sysctls'],
  ['spec', 'shareProcessNamespace'],
  ['context', 'runAsUser'],
  ['context', 'runAsGroup'],
  ['context', 'supplementalGroups'],
  ['context', 'supplementalGroupsPolicy'],
  ['context', 'seLinuxChangePolicy'],
];
const LINUX_CONTAINER_FIELDS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** Refuses fields that the pod's operating system does not support. */
export function validateOperatingSystem(spec: Fields<PodSpec>, path: string): FieldError[] {
  if (!isPresent(spec.os)) return [];
  const name = textOf(fieldsOf<PodOS>(spec.os).name);
  if (name === '') return [required(`${path}.os.name`, 'cannot be empty')];
  if (!SYSTEMS.includes(name)) return [notSupported(`${path}.os`, name, SYSTEMS)];
  return name === 'linux' ? validateLinux(spec, path) : validateWindows(spec, path);
}

function validateLinux(spec: Fields<PodSpec>, path: string): FieldError[] {
  const contexts = [
    { context: spec.securityContext, path: `${path}.securityContext` },
    ...containersOf(spec, path).map((container) => ({
      context: container.fields.securityContext,
      path: `${container.path}.securityContext`,
    })),
  ];
  return contexts
    .filter(({ context }) => isPresent(fieldsOf<PodSecurityContext>(context).windowsOptions))
    .map(({ path: contextPath }) => forbidden(`${contextPath}.windowsOptions`, NOT_ON_LINUX));
}

function validateWindows(spec: Fields<PodSpec>, path: string): FieldError[] {
  const context = fieldsOf<Record<string, unknown>>(spec.securityContext);
  const fields = fieldsOf<Record<string, unknown>>(spec);
  return [
    ...LINUX_POD_FIELDS.filter(([place, field]) => isSet(place === 'spec' ? fields[field] : context[field])).map(
      ([place, field]) =>
        forbidden(place === 'spec' ? `${path}.${field}` : `${path}.securityContext.${field}`, NOT_ON_WINDOWS),
    ),
    ...containersOf(spec, path).flatMap((container) => {
      const containerContext = fieldsOf<Record<string, unknown>>(container.fields.securityContext);
      return LINUX_CONTAINER_FIELDS.filter((field) => isPresent(containerContext[field])).map((field) =>
        forbidden(`${container.path}.securityContext.${field}`, NOT_ON_WINDOWS),
      );
    }),
  ];
}

/** False for absent values, `false` and empty lists. */
function isSet(value: unknown): boolean {
  return isPresent(value) && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Returns every container of a pod with its path, in the order in which Kubernetes visits them. */
export function containersOf(
  spec: Fields<PodSpec>,
  path: string,
): { readonly fields: Fields<Container>; readonly path: string }[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    itemsOf<Container>(spec[list]).map((fields, index) => ({ fields, path: `${path}.${list}[${index}]` })),
  );
}

/** Validates host process containers, the privileged containers of Windows: all of a pod's containers are, or none, and the pod is in the host's network. */
export function validateHostProcess(spec: Fields<PodSpec>, path: string): FieldError[] {
  const ofPod = hostProcessOf(spec.securityContext);
  const containers = containersOf(spec, path).map((container) => ({
    path: container.path,
    own: hostProcessOf(container.fields.securityContext),
  }));
  const count = containers.filter(({ own }) => own ?? ofPod).length;
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  return [
    ...containers
      .filter(({ own }) => own !== undefined && ofPod !== undefined && own !== ofPod)
      .map((container) =>
        invalid(
          `${container.path}.securityContext.windowsOptions.hostProcess`,
          container.own,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      ),
    ...(count > 0 && count !== containers.length ? [invalid(path, '', all)] : []),
    ...(count > 0 && spec.hostNetwork !== true
      ? [invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers')]
      : []),
  ];
}

function hostProcessOf(securityContext: unknown): boolean | undefined {
  const { windowsOptions } = fieldsOf<SecurityContext>(securityContext);
  const { hostProcess } = fieldsOf<{ hostProcess: boolean }>(windowsOptions);
  return typeof hostProcess === 'boolean' ? hostProcess : undefined;
}
