import type * as core from 'kubernetes-types/core/v1.js';
import { isInRange } from '../../../objects/nameFormats.ts';
import {
  all,
  at,
  type Check,
  fields,
  given,
  ifPresent,
  items,
  itemsByKey,
  nameOf,
  nonEmptyText,
  optionalEnum,
  present,
  repeated,
  valid,
  when,
  wrong,
} from '../checks.ts';
import { invalid, invalidEach, notSupported, required, tooLong } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLocalDescendingPath } from './validatePaths.ts';
import { validateWindowsOptions } from './validateWindowsOptions.ts';

const MAX_ID = 2_147_483_647;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL_NAME = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_SYSCTL_BYTES = 253;
/** PATH_MAX without its terminator. */
const MAX_APP_ARMOR_PROFILE_BYTES = 4_095;

const id = ifPresent((value, path) => invalidEach(path, value, isInRange(numberOf(value), 0, MAX_ID)));

function profileType(name: string): Check {
  return nonEmptyText(`type is required when ${name} is set`, (type, path) =>
    PROFILE_TYPES.includes(textOf(type)) ? [] : [notSupported(path, textOf(type), PROFILE_TYPES)],
  );
}

const seccompProfile = ifPresent(
  given<core.SeccompProfile>(({ type, localhostProfile }) => {
    const needed = present('must be set when seccomp type is Localhost', validateLocalDescendingPath);
    const unused = when(isPresent(localhostProfile), wrong('can only be set when seccomp type is Localhost'));
    return all(
      fields<core.SeccompProfile>({ type: profileType('seccompProfile') }),
      // As in Kubernetes, the refused value is the whole profile.
      type === 'Localhost'
        ? fields<core.SeccompProfile>({ localhostProfile: needed })
        : at('.localhostProfile', unused),
    );
  }),
);

const appArmorFile: Check = (file, path) => {
  const name = textOf(file);
  if (name === '') return [required(path, 'must be set when AppArmor type is Localhost')];
  return [
    ...(name === name.trim() ? [] : [invalid(path, name, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(name) > MAX_APP_ARMOR_PROFILE_BYTES ? [tooLong(path, MAX_APP_ARMOR_PROFILE_BYTES)] : []),
  ];
};

const appArmorProfile = ifPresent(
  given<core.AppArmorProfile>(({ type }) => {
    if (type === 'Localhost') return fields<core.AppArmorProfile>({ localhostProfile: appArmorFile });
    const isKnown = PROFILE_TYPES.includes(textOf(type));
    return fields<core.AppArmorProfile>({
      type: profileType('appArmorProfile'),
      localhostProfile: when(isKnown, ifPresent(wrong('can only be set when AppArmor type is Localhost'))),
    });
  }),
);

/** Refuses `allowPrivilegeEscalation: false` for containers that can escalate anyway: privileged ones, and those with CAP_SYS_ADMIN. */
const escalation = given<core.SecurityContext>(({ allowPrivilegeEscalation, privileged, capabilities }) => {
  if (allowPrivilegeEscalation !== false) return valid;
  const isAdmin = textsOf(fieldsOf<core.Capabilities>(capabilities).add).includes('CAP_SYS_ADMIN');
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  return all(
    when(privileged === true, wrong(`${cannot} \`privileged\` to true`)),
    when(isAdmin, wrong(`${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`)),
  );
});

/** A container's security context. `hostUsers` is false if the pod has its own user namespace. */
export function validateSecurityContext(hostUsers: boolean): Check {
  return hostUsers ? ofHostUsers : ofOwnUsers;
}

const [ofHostUsers, ofOwnUsers] = [securityContext(true), securityContext(false)];

function securityContext(hostUsers: boolean): Check {
  const unmasked: Check = (procMount, path) =>
    procMount === 'Unmasked' && hostUsers ? wrong('`hostUsers` must be false to use `Unmasked`')(procMount, path) : [];
  return ifPresent(
    all(
      fields<core.SecurityContext>({
        runAsUser: id,
        runAsGroup: id,
        procMount: all(optionalEnum('Default', 'Unmasked'), unmasked),
        seccompProfile,
      }),
      escalation,
      fields<core.SecurityContext>({ windowsOptions: validateWindowsOptions, appArmorProfile }),
    ),
  );
}

const sysctlName: Check = nonEmptyText('', (value, path) => {
  const name = textOf(value);
  if (name.length <= MAX_SYSCTL_BYTES && SYSCTL_NAME.test(name)) return [];
  const pattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
  return [invalid(path, name, `must have at most ${MAX_SYSCTL_BYTES} characters and match regex ${pattern}`)];
});

/** Each once. The error of a wrong name is the only one of its sysctl. */
const sysctls = itemsByKey(nameOf, (isTaken) =>
  fields<core.Sysctl>({
    name: (name, path) => {
      const errors = sysctlName(name, path);
      return errors.length === 0 && isTaken ? repeated(name, path) : errors;
    },
  }),
);

/** A pod's security context. */
export function validatePodSecurityContext(pod: { readonly hostPID: boolean; readonly shares: unknown }): Check {
  const shared: Check = (_, path) =>
    pod.shares === true && pod.hostPID
      ? [invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : [];
  return ifPresent(all(ids, shared, podContext));
}

const ids = fields<core.PodSecurityContext>({
  fsGroup: id,
  runAsUser: id,
  runAsGroup: id,
  supplementalGroups: items(id),
});
const podContext = fields({
  sysctls,
  fsGroupChangePolicy: optionalEnum('Always', 'OnRootMismatch'),
  seccompProfile,
  windowsOptions: validateWindowsOptions,
  appArmorProfile,
  supplementalGroupsPolicy: optionalEnum('Merge', 'Strict'),
  seLinuxChangePolicy: optionalEnum('MountOption', 'Recursive'),
});
