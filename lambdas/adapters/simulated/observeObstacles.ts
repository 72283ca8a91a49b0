import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import {
  allContainers,
  environmentReferences,
  type ObjectReference,
  volumeReferences,
} from '../../objects/pods/podReferences.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { DataKeys, ReferenceReader } from '../../ports/PodRuntime.ts';

/** A volume that cannot be mounted, and why. */
interface FailedVolume {
  readonly volume: string;
  readonly errors: readonly string[];
  /** Whether it is a claim's: the kubelet's volume manager looks at claims before it mounts anything. */
  readonly isClaim: boolean;
}

/** What keeps a pod's containers from being created. */
export interface Obstacles {
  /** What a kubelet says in events about the volumes that cannot be mounted. */
  readonly mountErrors: readonly string[];
  /** Why a container cannot be created, by the container's name. */
  readonly configErrors: ReadonlyMap<string, string>;
}

export const NO_OBSTACLES: Obstacles = { mountErrors: [], configErrors: new Map() };

/** Reads the objects from which the pod's volumes and variables are made, as far as a container that needs them may start now. A pod that refers to nothing, or runs, reads nothing. */
export async function observeObstacles(pod: Pod, references: ReferenceReader | undefined): Promise<Obstacles> {
  if (!references || !pod.spec || isPodTerminal(pod) || pod.metadata.deletionTimestamp !== undefined)
    return NO_OBSTACLES;
  const reader = remembering(references);
  const failed = await failedVolumes(pod, reader);
  if (failed.length > 0) return { mountErrors: mountErrors(pod, failed), configErrors: new Map() };
  const waiting = startableContainers(pod).filter((one) => environmentReferences(one).length > 0);
  if (waiting.length === 0) return NO_OBSTACLES;
  const namespace = pod.metadata.namespace ?? '';
  const errors = await Promise.all(waiting.map(async (one) => [one.name, await variableError(one, namespace, reader)]));
  return {
    mountErrors: [],
    configErrors: new Map(errors.filter((one): one is [string, string] => one[1] !== undefined)),
  };
}

/** The containers that do not run and may be started, now or once others have ended. */
function startableContainers({ spec, status }: Pod): readonly Container[] {
  const isDone = ({ state }: ContainerStatus) => state?.terminated?.exitCode === 0;
  const isRunning = ({ state }: ContainerStatus) => state?.running !== undefined;
  const settled = [
    ...(status?.initContainerStatuses ?? []).filter((one) => isRunning(one) || isDone(one)),
    // A regular container that ended well may be started again.
    ...(status?.containerStatuses ?? []).filter(isRunning),
    ...(status?.ephemeralContainerStatuses ?? []).filter(({ state }) => !state?.waiting),
  ];
  const names = new Set(settled.map(({ name }) => name));
  return spec ? allContainers(spec).filter(({ name }) => !names.has(name)) : [];
}

/** Volumes are mounted before the pod has its network. Later they are there. */
async function failedVolumes(pod: Pod, reader: ReferenceReader): Promise<readonly FailedVolume[]> {
  if (!pod.spec || pod.status?.podIP !== undefined) return [];
  const volumes = await Promise.all(
    volumeReferences(pod.spec).map(async ({ volume, references }) => {
      const errors = await Promise.all(references.map((one) => mountError(one, pod.metadata.namespace ?? '', reader)));
      return { volume, errors: errors.filter((error) => error !== undefined), isClaim: isClaim(references) };
    }),
  );
  return volumes.filter(({ errors }) => errors.length > 0);
}

function isClaim([first]: readonly ObjectReference[]): boolean {
  return first?.resource === 'persistentvolumeclaims';
}

async function mountError(
  { resource, name, isOptional, keys }: ObjectReference,
  namespace: string,
  reader: ReferenceReader,
): Promise<string | undefined> {
  if (resource === 'persistentvolumeclaims') return await claimError(name, namespace, reader);
  if (isOptional) return undefined;
  const found = await reader.keysOf(resource, name);
  if (!found) return notFound(resource, name);
  const absent = keys.find((key) => !found.text.has(key) && !found.binary.has(key));
  if (absent === undefined) return undefined;
  return resource === 'secrets'
    ? `references non-existent secret key: ${absent}`
    : `configmap references non-existent config key: ${absent}`;
}

/** As the kubelet's `getPVCExtractPV`. */
async function claimError(name: string, namespace: string, reader: ReferenceReader): Promise<string | undefined> {
  const claim = await reader.claim(name);
  const error = (why: string) => `error processing PVC ${namespace}/${name}: ${why}`;
  if (!claim) return error(`failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`);
  if (claim.metadata.deletionTimestamp !== undefined) return error('PVC is being deleted');
  return claim.status?.phase === 'Bound' ? undefined : error('PVC is not bound');
}

/** As the kubelet's `makeEnvironmentVariables`, which stops at the first error. */
async function variableError(
  container: Container,
  namespace: string,
  reader: ReferenceReader,
): Promise<string | undefined> {
  for (const { resource, name, isOptional, keys } of environmentReferences(container)) {
    if (resource === 'persistentvolumeclaims' || isOptional) continue;
    const found = await reader.keysOf(resource, name);
    if (!found) return notFound(resource, name);
    const absent = keys.find((key) => !found.text.has(key));
    const kind = resource === 'secrets' ? 'Secret' : 'ConfigMap';
    if (absent !== undefined) return `couldn't find key ${absent} in ${kind} ${namespace}/${name}`;
  }
  return undefined;
}

/** A kubelet names the kind, not the resource. */
function notFound(resource: 'configmaps' | 'secrets', name: string): string {
  return `${resource === 'secrets' ? 'secret' : 'configmap'} "${name}" not found`;
}

/** Reads each object once. */
function remembering(reader: ReferenceReader): ReferenceReader {
  const known = new Map<string, Promise<DataKeys | undefined>>();
  return {
    keysOf: (resource, name) => {
      const key = `${resource}/${name}`;
      const read = known.get(key) ?? reader.keysOf(resource, name);
      known.set(key, read);
      return read;
    },
    claim: (name) => reader.claim(name),
  };
}

/** Returns the messages of the events FailedMount about these volumes, in the words of the kubelet's volume manager. Pure. */
function mountErrors(pod: Pod, failed: readonly FailedVolume[]): readonly string[] {
  const claims = failed.filter(({ isClaim }) => isClaim);
  const others = failed.filter(({ isClaim }) => !isClaim);
  const named = (volumes: readonly FailedVolume[]) => `[${volumes.map(({ volume }) => volume).join(' ')}]`;
  const why = claims.flatMap(({ errors }) => errors).join('; ');
  const unprocessed = `unmounted volumes=${named(inOrder(pod, failed))}, unattached volumes=[], failed to process volumes=${named(claims)}: ${why}`;
  return [
    ...others.map(({ volume, errors }) => `MountVolume.SetUp failed for volume "${volume}" : ${aggregate(errors)}`),
    ...(claims.length > 0 ? [`Unable to attach or mount volumes: ${unprocessed}`] : []),
  ];
}

function inOrder({ spec }: Pod, failed: readonly FailedVolume[]): readonly FailedVolume[] {
  const names = (spec?.volumes ?? []).map(({ name }) => name);
  return failed.toSorted((a, b) => names.indexOf(a.volume) - names.indexOf(b.volume));
}

/** As apimachinery's `NewAggregate` writes several errors: each text once. */
function aggregate(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
