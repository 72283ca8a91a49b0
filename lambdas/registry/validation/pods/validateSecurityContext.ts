import type {
  AppArmorProfile,
  Capabilities,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isInRange } from '../../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, notSupported, required, tooLong } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLocalDescendingPath } from './validatePaths.ts';
import { validateWindowsOptions } from './validateWindowsOptions.ts';

const MAX_ID = 2_147_483_647;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PROC_MOUNTS = ['Default', 'Unmasked'];
const SYSCTL_NAME = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_SYSCTL_BYTES = 253;
/** PATH_MAX without its terminator. */
const MAX_APP_ARMOR_PROFILE_BYTES = 4_095;

/** Validates a container's security context. `hostUsers` is false if the pod has its own user namespace. */
export function validateSecurityContext(context: unknown, hostUsers: boolean, path: string): FieldError[] {
  if (!isPresent(context)) return [];
  const fields = fieldsOf<SecurityContext>(context);
  return [
    ...validateId(fields.runAsUser, `${path}.runAsUser`),
    ...validateId(fields.runAsGroup, `${path}.runAsGroup`),
    ...validateProcMount(fields.procMount, hostUsers, `${path}.procMount`),
    ...validateSeccompProfile(fields.seccompProfile, `${path}.seccompProfile`),
    ...validateEscalation(context, path),
    ...validateWindowsOptions(fields.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(fields.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

/** Validates a pod's security context. */
export function validatePodSecurityContext(
  context: unknown,
  pod: { readonly hostPID: boolean; readonly shareProcessNamespace: unknown },
  path: string,
): FieldError[] {
  if (!isPresent(context)) return [];
  const fields = fieldsOf<PodSecurityContext & { supplementalGroupsPolicy: string; seLinuxChangePolicy: string }>(
    context,
  );
  const groups: unknown[] = Array.isArray(fields.supplementalGroups) ? fields.supplementalGroups : [];
  return [
    ...validateId(fields.fsGroup, `${path}.fsGroup`),
    ...validateId(fields.runAsUser, `${path}.runAsUser`),
    ...validateId(fields.runAsGroup, `${path}.runAsGroup`),
    ...groups.flatMap((group, index) => validateId(group, `${path}.supplementalGroups[${index}]`)),
    ...(pod.shareProcessNamespace === true && pod.hostPID
      ? [invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...validateSysctls(fields.sysctls, `${path}.sysctls`),
    ...validateChoice(fields.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`),
    ...validateSeccompProfile(fields.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(fields.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(fields.appArmorProfile, `${path}.appArmorProfile`),
    ...validateChoice(fields.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`),
    ...validateChoice(fields.seLinuxChangePolicy, ['MountOption', 'Recursive'], `${path}.seLinuxChangePolicy`),
  ];
}

function validateId(id: unknown, path: string): FieldError[] {
  return isPresent(id) ? invalidEach(path, id, isInRange(numberOf(id), 0, MAX_ID)) : [];
}

function validateChoice(value: unknown, supported: readonly string[], path: string): FieldError[] {
  const isFine = !isPresent(value) || supported.includes(textOf(value));
  return isFine ? [] : [notSupported(path, textOf(value), supported)];
}

function validateProcMount(procMount: unknown, hostUsers: boolean, path: string): FieldError[] {
  return [
    ...validateChoice(procMount, PROC_MOUNTS, path),
    ...(procMount === 'Unmasked' && hostUsers
      ? [invalid(path, procMount, '`hostUsers` must be false to use `Unmasked`')]
      : []),
  ];
}

/** Refuses `allowPrivilegeEscalation: false` for containers that can escalate anyway: privileged ones, and those with CAP_SYS_ADMIN. */
function validateEscalation(context: unknown, path: string): FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = fieldsOf<SecurityContext>(context);
  if (allowPrivilegeEscalation !== false) return [];
  const isAdmin = textsOf(fieldsOf<Capabilities>(capabilities).add).includes('CAP_SYS_ADMIN');
  return [
    ...(privileged === true
      ? [invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true')]
      : []),
    ...(isAdmin
      ? [invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')]
      : []),
  ];
}

function validateSysctls(sysctls: unknown, path: string): FieldError[] {
  const names = new Set<string>();
  return itemsOf<Sysctl>(sysctls).flatMap((sysctl, index) => {
    const name = textOf(sysctl.name);
    const isTaken = names.has(name);
    names.add(name);
    return validateSysctlName(name, isTaken, `${path}[${index}].name`);
  });
}

function validateSysctlName(name: string, isTaken: boolean, path: string): FieldError[] {
  if (name === '') return [required(path)];
  if (name.length > MAX_SYSCTL_BYTES || !SYSCTL_NAME.test(name)) {
    const pattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
    return [invalid(path, name, `must have at most ${MAX_SYSCTL_BYTES} characters and match regex ${pattern}`)];
  }
  return isTaken ? [duplicate(path, name)] : [];
}

function validateSeccompProfile(profile: unknown, path: string): FieldError[] {
  if (!isPresent(profile)) return [];
  const { type, localhostProfile } = fieldsOf<SeccompProfile>(profile);
  return [
    ...validateProfileType(textOf(type), 'seccompProfile', `${path}.type`),
    ...validateSeccompFile(profile, textOf(type), localhostProfile, `${path}.localhostProfile`),
  ];
}

function validateSeccompFile(profile: unknown, type: string, file: unknown, path: string): FieldError[] {
  if (type !== 'Localhost') {
    return isPresent(file) ? [invalid(path, profile, 'can only be set when seccomp type is Localhost')] : [];
  }
  if (!isPresent(file)) return [required(path, 'must be set when seccomp type is Localhost')];
  return validateLocalDescendingPath(textOf(file), path);
}

function validateProfileType(type: string, name: string, path: string): FieldError[] {
  if (type === '') return [required(path, `type is required when ${name} is set`)];
  return PROFILE_TYPES.includes(type) ? [] : [notSupported(path, type, PROFILE_TYPES)];
}

function validateAppArmorProfile(profile: unknown, path: string): FieldError[] {
  if (!isPresent(profile)) return [];
  const { type, localhostProfile } = fieldsOf<AppArmorProfile>(profile);
  const filePath = `${path}.localhostProfile`;
  if (type === 'Localhost') return validateAppArmorFile(localhostProfile, filePath);
  return [
    ...validateProfileType(textOf(type), 'appArmorProfile', `${path}.type`),
    ...(isPresent(localhostProfile) && PROFILE_TYPES.includes(textOf(type))
      ? [invalid(filePath, localhostProfile, 'can only be set when AppArmor type is Localhost')]
      : []),
  ];
}

function validateAppArmorFile(file: unknown, path: string): FieldError[] {
  const name = textOf(file);
  if (name === '') return [required(path, 'must be set when AppArmor type is Localhost')];
  return [
    ...(name === name.trim() ? [] : [invalid(path, name, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(name) > MAX_APP_ARMOR_PROFILE_BYTES ? [tooLong(path, MAX_APP_ARMOR_PROFILE_BYTES)] : []),
  ];
}
