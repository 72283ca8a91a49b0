import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden, invalid, notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { askedName } from '../../objects/askedName.ts';
import { DEFINITIONS } from '../customresources/CustomResourceDefinition.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { applyDefaultClass } from './applyDefaultClass.ts';
import { applyLimitRanges } from './applyLimitRanges.ts';
import { applyPriority, checkGlobalDefault } from './applyPriority.ts';
import { applyRuntimeClass } from './applyRuntimeClass.ts';
import { applyServiceAccount } from './applyServiceAccount.ts';
import { applyTopologyLabels } from './applyTopologyLabels.ts';
import type { PodSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from '../../objects/storageProtection.ts';

const FINALIZERS: Readonly<Record<GroupResource, string>> = {
  persistentvolumeclaims: CLAIM_PROTECTION,
  persistentvolumes: VOLUME_PROTECTION,
};

/** DefaultTolerationSeconds: a pod stays this long on a node that is not ready or cannot be reached. */
const TOLERATED_SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/**
 * Admits a new object that has its defaults, as the API server's admission plugins NamespaceLifecycle, LimitRanger, ServiceAccount, Priority,
 * RuntimeClass, DefaultTolerationSeconds, PodTopologyLabels, StorageObjectInUseProtection, DefaultStorageClass and DefaultIngressClass do. Changes the draft. `admitNamespace` comes first. Returns the error if the object is not admitted.
 */
export async function admitCreate(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  switch (entry.groupResource) {
    case 'pods':
      return await admitNewPod(context, draft);
    case 'priorityclasses.scheduling.k8s.io':
      return await checkGlobalDefault(context, draft);
    case DEFINITIONS:
      return admitDefinition(context, draft);
    default:
      protectStorage(entry.groupResource, draft);
      await applyDefaultClass(context, entry.groupResource, draft);
      return undefined;
  }
}

async function admitNewPod(context: RegistryContext, draft: KubernetesObject): Promise<ApiError | undefined> {
  const refusal =
    (await applyLimitRanges(context, draft)) ??
    (await applyServiceAccount(context, draft)) ??
    (await applyPriority(context, draft)) ??
    (await applyRuntimeClass(context, draft));
  if (refusal !== undefined) return refusal;
  admitPod(draft);
  draft.metadata = (await applyTopologyLabels(context, draft)).metadata;
  return undefined;
}

/** Refuses a definition in a group that is served already: its names and versions would break those of the built-in kinds. */
function admitDefinition({ catalog }: RegistryContext, draft: KubernetesObject): ApiError | undefined {
  const { group = '' } = (draft['spec'] ?? {}) as { readonly group?: string };
  const served = catalog.builtIn.flatMap((entry) => [entry.group, ...entry.versions.map((one) => one.group)]);
  // The validation says that the group is missing.
  if (group === '' || !served.includes(group)) return undefined;
  const detail = 'must not be a group that the server has built-in kinds of';
  return invalid('CustomResourceDefinition.apiextensions.k8s.io', draft.metadata.name, [
    { type: 'FieldValueInvalid', field: 'spec.group', badValue: group, detail },
  ]);
}

/** `readAtMs`: when the read that showed the namespace active began, by the steady clock. */
export type NamespaceAdmission =
  | { readonly error: ApiError }
  | { readonly error?: undefined; readonly readAtMs: number };

/** NamespaceLifecycle: refuses a create in a namespace that does not exist or is being deleted. At most one read. */
export async function admitNamespace(
  { admission, clock }: RegistryContext,
  { groupResource, namespaced }: ResourceEntry,
  { metadata }: KubernetesObject,
): Promise<NamespaceAdmission> {
  const { namespace = '' } = metadata;
  // The validation of the metadata refuses a namespaced object without a namespace.
  if (!namespaced || namespace === '') return { readAtMs: clock.steadyMs() };
  const { value: found, readAtMs } = await admission.namespace(namespace);
  if (found === undefined) return { error: notFound('namespaces', namespace) };
  if (found.metadata.deletionTimestamp === undefined) return { readAtMs };
  const error = forbidden(
    groupResource,
    askedName({ metadata }),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
  return { error };
}

/** Applies DefaultTolerationSeconds. Changes the draft. */
function admitPod(draft: KubernetesObject): void {
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return;
  spec.tolerations = withDefaultTolerations(spec.tolerations ?? []);
}

function withDefaultTolerations(tolerations: readonly Toleration[]): Toleration[] {
  const missing = TAINTS.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
  return [
    ...tolerations,
    ...missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: TOLERATED_SECONDS,
    })),
  ];
}

function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

/** StorageObjectInUseProtection: a new claim or volume cannot go while it is used. Changes the draft. */
function protectStorage(resource: GroupResource, { metadata }: KubernetesObject): void {
  const finalizer = FINALIZERS[resource];
  if (finalizer === undefined || metadata.finalizers?.includes(finalizer)) return;
  Object.assign(metadata, { finalizers: [...(metadata.finalizers ?? []), finalizer] });
}
