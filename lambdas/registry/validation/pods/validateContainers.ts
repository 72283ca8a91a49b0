import type * as core from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import {
  all,
  type Check,
  dnsLabel,
  fields,
  given,
  ifPresent,
  items,
  itemsByKey,
  nameOf,
  nonEmptyText,
  noneOf,
  optionalEnum,
  refused,
  repeated,
  requiredEnum,
  when,
} from '../checks.ts';
import { notFound, required } from '../fieldErrors.ts';
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

type AnyContainer = Fields<core.Container>;

/** What all kinds of containers have in common. */
function anyContainer(context: PodContext): Check {
  return all(
    basics,
    (container, path) => validateVolumeMounts(fieldsOf(container), context.volumes, `${path}.volumeMounts`),
    (container, path) => validateVolumeDevices(fieldsOf(container), context.volumes, `${path}.volumeDevices`),
    fields<core.Container>({
      imagePullPolicy,
      resources: (resources, path) => validateResources(resources, context.claimNames, path),
      resizePolicy: validateResizePolicy(context.restartPolicy),
      securityContext: validateSecurityContext(context.hostUsers),
    }),
  );
}

const imagePullPolicy = requiredEnum('Always', 'IfNotPresent', 'Never');
const basics = fields<core.Container>({
  name: nonEmptyText('', dnsLabel),
  image: nonEmptyText(),
  terminationMessagePolicy: requiredEnum('File', 'FallbackToLogsOnError'),
  ports: validateContainerPorts,
  env: validateEnv,
  envFrom: validateEnvFrom,
});

const PROBES = fields<core.Container>({
  livenessProbe: validateProbe('liveness'),
  readinessProbe: validateProbe('readiness'),
  startupProbe: validateProbe('startup'),
});

/** What serves requests has hooks and probes. */
function serviceFields({ gracePeriodSeconds }: PodContext): Check {
  const lifecycle = ifPresent((hooks, path) => validateLifecycle(gracePeriodSeconds)(hooks, path));
  return all(fields<core.Container>({ lifecycle }), PROBES);
}

const takenName = fields({ name: repeated });
const noPolicy = fields({ restartPolicy: ifPresent(refused('may not be set for non-init containers')) });

/** Validates the regular containers; there must be at least one. */
export function validateContainers(
  containers: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const [own, service] = [anyContainer(context), serviceFields(context)];
  const check = itemsByKey(nameOf, (isTaken) => all(own, when(isTaken, takenName), service, noPolicy));
  return [...check(containers, path), ...validateHostPortConflicts(containers, path)];
}

/** Validates the init containers. Only sidecars (`restartPolicy: Always`) may have probes. */
export function validateInitContainers(
  initContainers: readonly AnyContainer[],
  containers: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  if (initContainers.length === 0) return [];
  const [own, service] = [anyContainer(context), serviceFields(context)];
  const noService = noneOf(
    ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'],
    'may not be set for init containers without restartPolicy=Always',
  );
  const check = itemsByKey(
    nameOf,
    (isTaken) =>
      given<core.Container>((container) =>
        all(
          own,
          fields({ restartPolicy: optionalEnum('Always') }),
          when(isTaken, takenName),
          // As in Kubernetes, the error names the first container.
          () => validateHostPortConflicts([container], path),
          (container as { restartPolicy?: unknown }).restartPolicy === 'Always' ? service : noService,
        ),
      ),
    containers.map(nameOf),
    (name) => name !== '',
  );
  return check(initContainers, path);
}

/** They serve no requests, and so have no ports, probes or resources. */
const notForEphemeral = all(
  noneOf(
    [
      'ports',
      'resources',
      'resizePolicy',
      'restartPolicy',
      'livenessProbe',
      'readinessProbe',
      'startupProbe',
      'lifecycle',
    ],
    'cannot be set for an Ephemeral Container',
    (value) => (Array.isArray(value) ? value.length > 0 : isPresent(value) && Object.keys(fieldsOf(value)).length > 0),
  ),
  fields<core.EphemeralContainer>({
    volumeMounts: items(
      noneOf(['subPath', 'subPathExpr'], 'cannot be set for an Ephemeral Container', (value) => textOf(value) !== ''),
    ),
  }),
);

/** Validates the ephemeral containers. */
export function validateEphemeralContainers(
  ephemeralContainers: unknown,
  others: readonly AnyContainer[],
  context: PodContext,
  path: string,
): FieldError[] {
  if (itemsOf(ephemeralContainers).length === 0) return [];
  const own = anyContainer(context);
  const targets = new Set(others.map(nameOf));
  const targetContainerName: Check = (name, at) =>
    textOf(name) === '' || targets.has(textOf(name)) ? [] : [notFound(at, textOf(name))];
  const target = fields<core.EphemeralContainer>({ targetContainerName });
  const check = itemsByKey(nameOf, (isTaken) => all(own, when(isTaken, takenName), target, notForEphemeral), targets);
  return check(ephemeralContainers, path);
}
