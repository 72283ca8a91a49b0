import type { AppArmorProfile, PodOS, PodSpec, SeccompProfile, SecurityContext } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textEntriesOf, textOf } from '../fieldsOf.ts';
import { containersOf } from './validateOperatingSystem.ts';
import { validateLocalDescendingPath } from './validatePaths.ts';
import { validateTolerations } from './validateScheduling.ts';

const MIRROR_POD = 'kubernetes.io/config.mirror';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const SECCOMP_PROFILES = ['runtime/default', 'docker/default', 'unconfined'];

/** Validates the annotations that Kubernetes itself reads. */
export function validatePodAnnotations(annotations: unknown, spec: unknown, path: string): FieldError[] {
  const { nodeName } = fieldsOf<PodSpec>(spec);
  const names = new Set(containersOf(fieldsOf<PodSpec>(spec), '').map(({ fields }) => textOf(fields.name)));
  return textEntriesOf(annotations).flatMap(([key, value]) => {
    if (key === MIRROR_POD && textOf(nodeName) === '') {
      return [invalid(`${path}[${key}]`, value, 'must set spec.nodeName if mirror pod annotation is set')];
    }
    if (key === TOLERATIONS && value !== '') return validateTolerationsText(value, path);
    if (key === DELETION_COST && !isInt32Text(value)) {
      return [invalid(`${path}[${key}]`, value, 'must be a 32bit integer')];
    }
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) return validateSeccompName(value, `${path}.${key}`);
    if (key.startsWith(APP_ARMOR)) {
      return validateAppArmor(key.slice(APP_ARMOR.length), value, names, `${path}[${key}]`);
    }
    return [];
  });
}

function validateTolerationsText(text: string, path: string): FieldError[] {
  try {
    return validateTolerations(JSON.parse(text), `${path}.${TOLERATIONS}`);
  } catch (error) {
    return [invalid(path, TOLERATIONS, error instanceof Error ? error.message : String(error))];
  }
}

/** True for a number as Go's ParseInt reads it, but without a plus sign and leading zeros. */
function isInt32Text(text: string): boolean {
  if (!/^(-\d+|0|[1-9]\d*)$/.test(text)) return false;
  const value = Number(text);
  return value >= -2_147_483_648 && value <= 2_147_483_647;
}

function validateSeccompName(profile: string, path: string): FieldError[] {
  if (SECCOMP_PROFILES.includes(profile)) return [];
  if (profile.startsWith('localhost/')) return validateLocalDescendingPath(profile.slice('localhost/'.length), path);
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

function validateAppArmor(container: string, profile: string, names: ReadonlySet<string>, path: string): FieldError[] {
  const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
  return [
    ...(names.has(container) ? [] : [invalid(path, container, 'container not found')]),
    ...(isKnown ? [] : [invalid(path, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}

/** Refuses a profile that differs between the old annotations and the fields. */
export function validateProfileAnnotations(annotations: unknown, spec: unknown, path: string): FieldError[] {
  const values = new Map(textEntriesOf(annotations));
  if (values.size === 0) return [];
  const fields = fieldsOf<PodSpec>(spec);
  const ofPod = fieldsOf<SecurityContext>(fields.securityContext);
  const containers = containersOf(fields, path).map((container) => ({
    name: textOf(container.fields.name),
    context: fieldsOf<SecurityContext>(container.fields.securityContext),
    path: `${container.path}.securityContext`,
  }));
  const isWindows = fieldsOf<PodOS>(fields.os).name === 'windows';
  return [
    ...compareProfile('seccomp', ofPod.seccompProfile, values.get(SECCOMP_POD), `${path}.securityContext`),
    ...containers.flatMap(({ name, context, path: contextPath }) =>
      compareProfile('seccomp', context.seccompProfile, values.get(SECCOMP_CONTAINER + name), contextPath),
    ),
    ...(isWindows ? [] : containers).flatMap(({ name, context, path: contextPath }) => {
      const profile = context.appArmorProfile ?? ofPod.appArmorProfile;
      return compareProfile('apparmor', profile, values.get(APP_ARMOR + name), contextPath);
    }),
  ];
}

function compareProfile(
  kind: 'seccomp' | 'apparmor',
  profile: unknown,
  annotation: string | undefined,
  contextPath: string,
): FieldError[] {
  if (!isPresent(profile) || annotation === undefined) return [];
  const { type, localhostProfile } = fieldsOf<AppArmorProfile & SeccompProfile>(profile);
  const path = `${contextPath}.${kind === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`;
  const isSame = {
    Unconfined: annotation === 'unconfined',
    RuntimeDefault: annotation === 'runtime/default' || (kind === 'seccomp' && annotation === 'docker/default'),
    Localhost: annotation.startsWith('localhost/'),
  }[textOf(type)];
  if (isSame === false) return [forbidden(`${path}.type`, `${kind} type in annotation and field must match`)];
  if (type !== 'Localhost' || annotation === `localhost/${textOf(localhostProfile)}`) return [];
  return [forbidden(`${path}.localhostProfile`, `${kind} profile in annotation and field must match`)];
}
