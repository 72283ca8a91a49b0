import type { ApiError } from '../../../objects/ApiError.ts';
import { requestTimeout } from '../../../objects/apiErrors.ts';
import { cloneJson } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { Budgeted, WriteOptions } from '../../Registry.ts';
import type { RegistryContext } from '../../RegistryContext.ts';
import type { ResourceEntry } from '../../ResourceEntry.ts';
import type { Requester } from '../../Requester.ts';
import { conversionsOf } from './conversionsOf.ts';
import type { AdmissionAttributes } from './AdmissionAttributes.ts';
import type { DynamicAdmission, Readmit } from './DynamicAdmission.ts';
import type { RequestAttributes, SubresourceView } from './RequestAttributes.ts';
import type { Pod } from '../../../objects/kinds.ts';

/** A pod that gets its node, as admission sees it: as the creation of a Binding. */
const bindingView: SubresourceView = {
  kind: { group: '', version: 'v1', kind: 'Binding' },
  show(object) {
    const { metadata, spec }: Pod = object;
    const { name, namespace, uid } = metadata;
    const target = { kind: 'Node', name: spec?.nodeName };
    return {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target,
    } as unknown as KubernetesObject;
  },
  take(draft, shown) {
    const { name } = (shown['target'] ?? {}) as { readonly name?: string };
    draft['spec'] = { ...cloneJson((draft as Pod).spec), nodeName: name };
  },
};

/** A write that the registry is about to make, in the storage version. */
export interface AdmittedWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly entry: ResourceEntry;
  readonly object?: KubernetesObject;
  readonly oldObject?: KubernetesObject;
  readonly options: Budgeted<WriteOptions> & { readonly subresource?: string };
}

/** Who writes if no client does: all controllers are one user, as in a kube-controller-manager without accounts of their own. */
const CONTROL_PLANE: Requester = {
  username: 'system:kube-controller-manager',
  groups: ['system:authenticated'],
};

/** Returns the draft that is stored, or why it is not. */
export type MutatedWrite =
  | { readonly status: 'admitted'; readonly draft: KubernetesObject; readonly isChanged: boolean }
  | { readonly status: 'refused'; readonly error: ApiError };

/** True if webhooks or policies may have to be asked about a write. If not, the write need not even be described. */
export function isAskedAbout({ dynamicAdmission }: RegistryContext, { request }: WriteOptions): boolean {
  return dynamicAdmission !== undefined && request !== 'admitted' && !dynamicAdmission.isIdle();
}

/** Lets mutating webhooks change the draft of a create or an update, before the registry validates it. The given draft stays as it is. */
export async function mutateWrite(
  context: RegistryContext,
  write: AdmittedWrite & { readonly object: KubernetesObject },
  readmit: Readmit,
): Promise<MutatedWrite> {
  const { dynamicAdmission } = context;
  const { object } = write;
  const unchanged = { status: 'admitted', draft: object, isChanged: false } as const;
  if (dynamicAdmission === undefined || !isAskedAbout(context, write.options)) return unchanged;
  const view = viewOf(write);
  const attributes = attributesOf(context, write, view);
  const mutation = await dynamicAdmission.mutate(attributes, view ? () => Promise.resolve(undefined) : readmit);
  if (mutation.status === 'refused') return mutation;
  if (mutation.object === undefined || mutation.object === attributes.object) return unchanged;
  if (view === undefined) return { status: 'admitted', draft: mutation.object, isChanged: true };
  const draft = cloneJson(object);
  view.take(draft, mutation.object);
  return { status: 'admitted', draft, isChanged: true };
}

/** Asks policies and validating webhooks about a write that is valid. About a deletion, mutating webhooks are asked first, although they have nothing to change. */
export async function validateWrite(context: RegistryContext, write: AdmittedWrite): Promise<ApiError | undefined> {
  const { dynamicAdmission } = context;
  const isAsked = dynamicAdmission !== undefined && isAskedAbout(context, write.options);
  const error = isAsked ? await askAbout(dynamicAdmission, context, write) : undefined;
  return error ?? timeoutOf(context, write.options);
}

/** The error of a write whose time is over before it begins. Where nothing can be configured, nothing takes long. */
export function timeoutOf(
  { dynamicAdmission }: RegistryContext,
  { request, timeLeftMs }: WriteOptions,
): ApiError | undefined {
  if (dynamicAdmission === undefined || request === 'admitted' || timeLeftMs === undefined) return undefined;
  return timeLeftMs() > 0 ? undefined : requestTimeout();
}

async function askAbout(
  dynamicAdmission: DynamicAdmission,
  context: RegistryContext,
  write: AdmittedWrite,
): Promise<ApiError | undefined> {
  const attributes = attributesOf(context, write, viewOf(write));
  if (write.operation === 'DELETE') {
    const mutation = await dynamicAdmission.mutate(attributes, () => Promise.resolve(undefined));
    if (mutation.status === 'refused') return mutation.error;
  }
  return await dynamicAdmission.validate(attributes);
}

function viewOf({ options }: AdmittedWrite): SubresourceView | undefined {
  if (options.subresource === 'binding') return bindingView;
  return requestOf(options)?.view;
}

function requestOf({ request }: WriteOptions): RequestAttributes | undefined {
  return request === 'admitted' ? undefined : request;
}

/** An object of a subresource's own kind has one version. */
const UNCONVERTED: Pick<AdmissionAttributes, 'inVersion' | 'fromVersion'> = {
  inVersion: (object) => Promise.resolve(object),
  fromVersion: (object) => Promise.resolve(object),
};

function attributesOf(context: RegistryContext, write: AdmittedWrite, view?: SubresourceView): AdmissionAttributes {
  const { entry, options } = write;
  const request = requestOf(options);
  const version = request?.version ?? options.version ?? entry.storageVersion;
  const group = request?.group ?? entry.group;
  const isBinding = options.subresource === 'binding';
  const shown = (object: KubernetesObject | undefined) => (object && view ? view.show(object) : object);
  return {
    operation: isBinding ? 'CREATE' : write.operation,
    entry,
    group,
    version,
    // `POST bindings` is the binding of a pod, too.
    subresource: isBinding ? 'binding' : (request?.subresource ?? options.subresource ?? ''),
    kind: view?.kind ?? { group, version, kind: entry.kind },
    ...placeOf(write, request),
    object: shown(write.object),
    oldObject: isBinding ? undefined : shown(write.oldObject),
    options: wireOptions(write.operation, request?.options, options.dryRun),
    dryRun: options.dryRun === true,
    user: request?.user ?? CONTROL_PLANE,
    allows: request?.allows,
    warn: request?.warn ?? (() => {}),
    annotate: request?.annotate,
    timeLeftMs: options.timeLeftMs ?? (() => Number.POSITIVE_INFINITY),
    budget: options.budget,
    ...(view ? UNCONVERTED : conversionsOf(context, entry, options.budget)),
  };
}

/** An object that is created names itself; otherwise the path does, and a collection has no name. A Namespace is in itself. All this is as in Kubernetes. */
function placeOf({ operation, entry, object, oldObject }: AdmittedWrite, request: RequestAttributes | undefined) {
  const { name, namespace = '' } = (object ?? oldObject)?.metadata ?? { name: '' };
  return {
    name: operation === 'CREATE' || request === undefined ? name : request.name,
    namespace: entry.groupResource === 'namespaces' ? name : namespace,
  };
}

function wireOptions(
  operation: AdmittedWrite['operation'],
  options: Readonly<Record<string, unknown>> = {},
  dryRun = false,
): Readonly<Record<string, unknown>> {
  const kind = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }[operation];
  return { kind, apiVersion: 'meta.k8s.io/v1', ...options, ...(dryRun && { dryRun: ['All'] }) };
}
