import type * as core from 'kubernetes-types/core/v1.js';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  fields,
  given,
  ifPresent,
  missing,
  nonEmptyText,
  refused,
  when,
  wrong,
} from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { validateLocalNonReservedPath } from './validatePaths.ts';
import { validateSignerName } from '../access/validateSignerName.ts';
import { validateDownwardApiFile, validateKeysToPaths, validateMode } from './validateVolumeFiles.ts';

const SOURCES = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'] as const;
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** A projected volume: files from several sources, each at its own path. Some errors name the volume, and not the source. */
export const validateProjectedSource: Check = (source, path) => {
  const { defaultMode, sources } = fieldsOf<core.ProjectedVolumeSource>(source);
  const projection = projectionWith(takenPaths(path), path);
  return [
    ...validateMode(defaultMode, `${path}.defaultMode`),
    ...itemsOf<core.VolumeProjection>(sources).flatMap((one, index) => projection(one, `${path}.sources[${index}]`)),
  ];
};

/** Takes a path for a file; an error at the volume if another file has it. `shown` is the value that the error shows. */
type TakePath = (file: unknown, shown?: unknown) => ReturnType<Check>;

function takenPaths(path: string): TakePath {
  const taken = new Set<string>();
  return (file, shown = file) => {
    const isTaken = taken.has(textOf(file));
    if (textOf(file) !== '') taken.add(textOf(file));
    return isTaken ? [invalid(path, textOf(shown), 'conflicting duplicate paths')] : [];
  };
}

function projectionWith(take: TakePath, volumePath: string): Check {
  // A secret or a config map.
  const named: Check = all(
    fields<core.SecretProjection>({ name: nonEmptyText(), items: validateKeysToPaths }),
    given<core.SecretProjection>(
      ({ name, items }) =>
        () =>
          itemsOf<core.KeyToPath>(items).flatMap((item) => take(item.path, textOf(name))),
    ),
  );
  const downwardAPI: Check = (value, path) =>
    itemsOf<core.KeyToPath>(fieldsOf<{ items: unknown }>(value).items).flatMap((file) => [
      ...validateDownwardApiFile(file, path),
      ...take(file.path),
    ]);
  const token = all(
    tokenSeconds,
    given<core.ServiceAccountTokenProjection>(
      ({ path: file }) =>
        () =>
          tokenPath(file, `${volumePath}.path`),
    ),
  );
  return given<core.VolumeProjection>((projection) =>
    all(
      fields<core.VolumeProjection>({
        secret: ifPresent(named),
        configMap: ifPresent(named),
        downwardAPI,
        serviceAccountToken: ifPresent(token),
        clusterTrustBundle: ifPresent(trustBundleWith(take)),
      }),
      when(
        SOURCES.filter((source) => isPresent(projection[source])).length > 1,
        refused('may not specify more than 1 volume type per source'),
      ),
    ),
  );
}

const tokenSeconds = fields<core.ServiceAccountTokenProjection>({
  expirationSeconds: all(
    atLeast(MIN_TOKEN_SECONDS, 'may not specify a duration less than 10 minutes'),
    atMost(MAX_TOKEN_SECONDS, 'may not specify a duration larger than 2^32 seconds'),
  ),
});

const tokenPath = nonEmptyText('', validateLocalNonReservedPath);

function trustBundleWith(take: TakePath): Check {
  return all(
    bundleChoice,
    fields<core.ClusterTrustBundleProjection>({
      path: all(nonEmptyText(), validateLocalNonReservedPath, (file) => take(file)),
    }),
  );
}

const bundleName: Check = (name, path) => [
  ...(textOf(name) === '' ? missing('must be a valid object name')(name, path) : []),
  ...isDns1123Subdomain(textOf(name).replaceAll(':', '.')).map((detail) =>
    invalid(path, name, `not a valid clustertrustbundlename: ${detail}`),
  ),
];

const bundleChoice = given<core.ClusterTrustBundleProjection>(({ name, signerName }) => {
  if (isPresent(name) && isPresent(signerName)) return wrong('only one of name and signerName may be used');
  if (isPresent(name))
    return fields<core.ClusterTrustBundleProjection>({
      name: bundleName,
      labelSelector: ifPresent(wrong('labelSelector must be unset if name is specified')),
    });
  if (!isPresent(signerName)) return missing('either name or signerName must be specified');
  return fields<core.ClusterTrustBundleProjection>({
    signerName: all(nonEmptyText('must be a valid signer name'), (signer, path) =>
      validateSignerName(textOf(signer), path),
    ),
    labelSelector: validateLabelSelector,
  });
});
