import type { Container, PodSpec, ServiceAccount } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import { TOKEN_MOUNT_PATH, type TokenVolume, tokenVolumeFor, tokenVolumeOf } from './tokenVolume.ts';

const DEFAULT_NAME = 'default';
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/**
 * ServiceAccount for a new pod: names its account, and takes from it the token volume and the secrets for pulling images. One read. The account `default` may be missing: its controller
 * is about to create it, for which Kubernetes waits up to two seconds. Changes the draft.
 */
export async function applyServiceAccount(
  { admission, admitsServiceAccounts = false }: RegistryContext,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return undefined;
  if (draft.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined) return refuseMirror(draft, spec);
  const name = spec.serviceAccountName || DEFAULT_NAME;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
  if (!admitsServiceAccounts) return undefined;
  const { namespace = '' } = draft.metadata;
  const account = (await admission.serviceAccount(namespace, name)) as ServiceAccount | undefined;
  if (!account && name !== DEFAULT_NAME) {
    const why = `serviceaccount ${goQuote(name)} not found`;
    return refused(draft, `error looking up service account ${namespace}/${name}: ${why}`);
  }
  if (spec.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true) mountToken(spec, namespace);
  pullAs(spec, account);
  return undefined;
}

/** A mirror pod shows what a kubelet runs from a file. The API gives it nothing. */
function refuseMirror(draft: KubernetesObject, spec: PodSpec): ApiError | undefined {
  return spec.serviceAccountName ? refused(draft, 'a mirror pod may not reference service accounts') : undefined;
}

function refused({ metadata }: KubernetesObject, why: string): ApiError {
  return forbidden('pods', metadata.name || metadata.generateName || 'Unknown', why);
}

/** Mounts the token into every container that has nothing at its place, and adds its volume if a container needs it. */
function mountToken(spec: PodSpec, namespace: string): void {
  const existing = tokenVolumeOf(spec.volumes ?? []);
  const token = existing ?? tokenVolumeFor(`${namespace}/${spec.serviceAccountName}`);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const lacking = containers.filter((container) => !hasMount(container));
  for (const container of lacking) mount(container, token);
  if (existing || lacking.length === 0) return;
  spec.volumes = spec.volumes?.length ? [...spec.volumes, token.volume] : token.volumes;
}

function hasMount({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH);
}

function mount(container: Container, token: Pick<TokenVolume, 'mount' | 'mounts'>): void {
  container.volumeMounts = container.volumeMounts?.length ? [...container.volumeMounts, token.mount] : token.mounts;
}

function pullAs(spec: PodSpec, account: ServiceAccount | undefined): void {
  if (spec.imagePullSecrets?.length || !account?.imagePullSecrets?.length) return;
  spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
}
