import type {
  ClusterTrustBundleProjection,
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { validateLocalNonReservedPath } from './validatePaths.ts';
import { validateSignerName } from '../access/validateSignerName.ts';
import { validateDownwardApiFile, validateKeysToPaths, validateMode } from './validateVolumeFiles.ts';

const SOURCES = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'] as const;
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** Validates a projected volume: files from several sources, each at its own path. */
export function validateProjectedSource(source: unknown, path: string): FieldError[] {
  const { defaultMode, sources } = fieldsOf<ProjectedVolumeSource>(source);
  const taken = new Set<string>();
  return [
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...itemsOf<VolumeProjection>(sources).flatMap((projection, index) =>
      validateProjection(projection, taken, path, `${path}.sources[${index}]`),
    ),
  ];
}

function validateProjection(
  projection: Fields<VolumeProjection>,
  taken: Set<string>,
  path: string,
  sourcePath: string,
): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  return [
    ...(isPresent(secret) ? validateNamed(secret, taken, path, `${sourcePath}.secret`) : []),
    ...(isPresent(configMap) ? validateNamed(configMap, taken, path, `${sourcePath}.configMap`) : []),
    ...itemsOf<DownwardAPIVolumeFile>(fieldsOf<{ items: unknown }>(downwardAPI).items).flatMap((file) => [
      ...validateDownwardApiFile(file, `${sourcePath}.downwardAPI`),
      ...claimPath(textOf(file.path), textOf(file.path), taken, path),
    ]),
    ...(isPresent(serviceAccountToken)
      ? validateToken(serviceAccountToken, path, `${sourcePath}.serviceAccountToken`)
      : []),
    ...(isPresent(clusterTrustBundle)
      ? validateTrustBundle(clusterTrustBundle, taken, path, `${sourcePath}.clusterTrustBundle`)
      : []),
    ...(SOURCES.filter((source) => isPresent(projection[source])).length > 1
      ? [forbidden(sourcePath, 'may not specify more than 1 volume type per source')]
      : []),
  ];
}

function claimPath(file: string, shown: string, taken: Set<string>, path: string): FieldError[] {
  if (file === '') return [];
  if (taken.has(file)) return [invalid(path, shown, 'conflicting duplicate paths')];
  taken.add(file);
  return [];
}

/** Validates a secret or a config map. */
function validateNamed(source: unknown, taken: Set<string>, path: string, sourcePath: string): FieldError[] {
  const { name, items } = fieldsOf<SecretProjection>(source);
  return [
    ...(textOf(name) === '' ? [required(`${sourcePath}.name`)] : []),
    ...validateKeysToPaths(items, `${sourcePath}.items`),
    ...itemsOf<KeyToPath>(items).flatMap((item) => claimPath(textOf(item.path), textOf(name), taken, path)),
  ];
}

function validateToken(source: unknown, path: string, sourcePath: string): FieldError[] {
  const { expirationSeconds, path: file } = fieldsOf<ServiceAccountTokenProjection>(source);
  const seconds = numberOf(expirationSeconds);
  const secondsPath = `${sourcePath}.expirationSeconds`;
  return [
    ...(seconds < MIN_TOKEN_SECONDS
      ? [invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...(seconds > MAX_TOKEN_SECONDS
      ? [invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    ...(textOf(file) === '' ? [required(`${path}.path`)] : validateLocalNonReservedPath(textOf(file), `${path}.path`)),
  ];
}

function validateTrustBundle(source: unknown, taken: Set<string>, path: string, sourcePath: string): FieldError[] {
  const bundle = fieldsOf<ClusterTrustBundleProjection>(source);
  const file = textOf(bundle.path);
  return [
    ...validateBundleChoice(bundle, sourcePath),
    ...(file === '' ? [required(`${sourcePath}.path`)] : []),
    ...validateLocalNonReservedPath(file, `${sourcePath}.path`),
    ...claimPath(file, file, taken, path),
  ];
}

function validateBundleChoice(bundle: Fields<ClusterTrustBundleProjection>, path: string): FieldError[] {
  const { name, signerName, labelSelector } = bundle;
  if (isPresent(name) && isPresent(signerName)) {
    return [invalid(path, bundle, 'only one of name and signerName may be used')];
  }
  if (isPresent(name)) {
    const unset = 'labelSelector must be unset if name is specified';
    return [
      ...(textOf(name) === '' ? [required(`${path}.name`, 'must be a valid object name')] : []),
      ...isDns1123Subdomain(textOf(name).replaceAll(':', '.')).map((detail) =>
        invalid(`${path}.name`, name, `not a valid clustertrustbundlename: ${detail}`),
      ),
      ...(isPresent(labelSelector) ? [invalid(`${path}.labelSelector`, labelSelector, unset)] : []),
    ];
  }
  if (!isPresent(signerName)) return [required(path, 'either name or signerName must be specified')];
  return [
    ...(textOf(signerName) === '' ? [required(`${path}.signerName`, 'must be a valid signer name')] : []),
    ...validateSignerName(textOf(signerName), `${path}.signerName`),
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
  ];
}
