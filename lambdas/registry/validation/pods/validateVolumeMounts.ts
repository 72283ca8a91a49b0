import type { Container, SecurityContext, VolumeDevice, VolumeMount } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid, notFound, notSupported, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateLocalDescendingPath } from './validatePaths.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE_READ_ONLY = ['Disabled', 'Enabled', 'IfPossible'];

/** The volumes of a pod by name; true for volumes that can be used as block devices. */
export type VolumeNames = ReadonlyMap<string, boolean>;

/** Validates the mounts of one container: each of a volume of the pod, at its own path. */
export function validateVolumeMounts(container: Fields<Container>, volumes: VolumeNames, path: string): FieldError[] {
  const devices = itemsOf<VolumeDevice>(container.volumeDevices);
  const deviceNames = new Set(devices.map((device) => textOf(device.name)));
  const devicePaths = new Set(devices.map((device) => textOf(device.devicePath)));
  const taken = new Set<string>();
  return itemsOf<VolumeMount>(container.volumeMounts).flatMap((mount, index) => {
    const [name, mountPath] = [textOf(mount.name), textOf(mount.mountPath)];
    const [namePath, mountPathPath] = [`${path}[${index}].name`, `${path}[${index}].mountPath`];
    const isTaken = taken.has(mountPath);
    taken.add(mountPath);
    return [
      ...(name === '' ? [required(namePath)] : []),
      ...(volumes.has(name) ? [] : [notFound(namePath, name)]),
      ...(mountPath === '' ? [required(mountPathPath)] : []),
      ...(isTaken ? [invalid(mountPathPath, mountPath, 'must be unique')] : []),
      ...(deviceNames.has(name) ? [invalid(namePath, name, 'must not already exist in volumeDevices')] : []),
      ...(devicePaths.has(mountPath)
        ? [invalid(mountPathPath, mountPath, 'must not already exist as a path in volumeDevices')]
        : []),
      ...validateSubPaths(mount, `${path}[${index}]`, path),
      ...validatePropagation(mount, container, path),
      ...validateRecursiveReadOnly(mount, path),
    ];
  });
}

function validateSubPaths(mount: Fields<VolumeMount>, mountPath: string, path: string): FieldError[] {
  const [subPath, expression] = [textOf(mount.subPath), textOf(mount.subPathExpr)];
  return [
    ...(subPath === '' ? [] : validateLocalDescendingPath(subPath, `${path}.subPath`)),
    ...(subPath === '' || expression === ''
      ? []
      : [invalid(`${mountPath}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]),
    ...(expression === '' ? [] : validateLocalDescendingPath(expression, `${path}.subPathExpr`)),
  ];
}

function validatePropagation(mount: Fields<VolumeMount>, container: Fields<Container>, path: string): FieldError[] {
  if (!isPresent(mount.mountPropagation)) return [];
  const propagation = textOf(mount.mountPropagation);
  const propagationPath = `${path}.mountPropagation`;
  const { privileged } = fieldsOf<SecurityContext>(container.securityContext);
  return [
    ...(PROPAGATIONS.includes(propagation) ? [] : [notSupported(propagationPath, propagation, PROPAGATIONS)]),
    ...(propagation === 'Bidirectional' && privileged !== true
      ? [forbidden(propagationPath, 'Bidirectional mount propagation is available only to privileged containers')]
      : []),
  ];
}

function validateRecursiveReadOnly(mount: Fields<VolumeMount>, path: string): FieldError[] {
  if (!isPresent(mount.recursiveReadOnly)) return [];
  const mode = textOf(mount.recursiveReadOnly);
  const modePath = `${path}.recursiveReadOnly`;
  if (!RECURSIVE_READ_ONLY.includes(mode)) return [notSupported(modePath, mode, RECURSIVE_READ_ONLY)];
  if (mode === 'Disabled') return [];
  const propagation = isPresent(mount.mountPropagation) ? textOf(mount.mountPropagation) : 'None';
  return [
    ...(mount.readOnly === true ? [] : [forbidden(modePath, 'may only be specified when readOnly is true')]),
    ...(propagation === 'None'
      ? []
      : [forbidden(modePath, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

/** Validates the block devices of one container: each is a persistent volume of the pod, at its own path. */
export function validateVolumeDevices(container: Fields<Container>, volumes: VolumeNames, path: string): FieldError[] {
  const mounts = itemsOf<VolumeMount>(container.volumeMounts);
  const mountNames = new Set(mounts.map((mount) => textOf(mount.name)));
  const mountPaths = new Set(mounts.map((mount) => textOf(mount.mountPath)));
  const names = new Set<string>();
  const paths = new Set<string>();
  return itemsOf<VolumeDevice>(container.volumeDevices).flatMap((device, index) => {
    const [name, devicePath] = [textOf(device.name), textOf(device.devicePath)];
    const [namePath, pathPath] = [`${path}[${index}].name`, `${path}[${index}].devicePath`];
    const errors = [
      ...validateDeviceName(name, names, volumes, namePath),
      ...validateDevicePath(devicePath, paths, pathPath),
      ...(mountNames.has(name) ? [invalid(namePath, name, 'must not already exist in volumeMounts')] : []),
      ...(mountPaths.has(devicePath)
        ? [invalid(pathPath, devicePath, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
    if (name !== '') names.add(name);
    return errors;
  });
}

function validateDeviceName(
  name: string,
  names: ReadonlySet<string>,
  volumes: VolumeNames,
  path: string,
): FieldError[] {
  const wrongSource = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return [
    ...(name === '' ? [required(path)] : []),
    ...(names.has(name) ? [invalid(path, name, 'must be unique')] : []),
    ...(volumes.get(name) === false ? [invalid(path, name, wrongSource)] : []),
    ...(volumes.has(name) ? [] : [notFound(path, name)]),
  ];
}

function validateDevicePath(devicePath: string, paths: Set<string>, path: string): FieldError[] {
  const isTaken = paths.has(devicePath);
  const stepsBack = devicePath.split('/').includes('..');
  if (!stepsBack) paths.add(devicePath);
  return [
    ...(devicePath === '' ? [required(path)] : []),
    ...(isTaken ? [invalid(path, devicePath, 'must be unique')] : []),
    ...(stepsBack ? [invalid(path, devicePath, "can not contain backsteps ('..')")] : []),
  ];
}
