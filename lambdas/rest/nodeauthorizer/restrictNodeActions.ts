import type { CSIDriver } from 'kubernetes-types/storage/v1.js';
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { TokenRequestSpec } from 'kubernetes-types/authentication/v1.js';
import { forbidden } from '../../objects/apiErrors.ts';
import type { ApiError } from '../../objects/ApiError.ts';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import { nodeNameOf } from './nodeUser.ts';

/** Who acts on what: the user of a request, and the object that its path names. */
export interface NodeAction {
  readonly user: UserInfo | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly registry: Pick<Registry, 'get'>;
  readonly authorizer?: Authorizer | undefined;
}

const DRIVERS = 'csidrivers.storage.k8s.io';

/** NodeRestriction for evictions: a kubelet evicts the pods of its own node. Resolves to the refusal, before anything is charged for the eviction; `undefined` for all others, and for a pod that does not exist. */
export async function refuseEviction({ user, namespace, name, registry }: NodeAction): Promise<ApiError | undefined> {
  const node = user && nodeNameOf(user);
  if (node === undefined) return undefined;
  const pod = await registry.get<Pod>({ resource: 'pods', namespace, name });
  if (!pod || pod.spec?.nodeName === node) return undefined;
  return forbidden('pods', name, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

/** NodeRestriction for tokens: a kubelet gets tokens that end with a pod of its own node, for audiences that the pod asks for. Resolves to the refusal; `undefined` for all others. */
export async function refuseToken(action: NodeAction, spec: Partial<TokenRequestSpec>): Promise<ApiError | undefined> {
  const node = action.user && nodeNameOf(action.user);
  if (node === undefined) return undefined;
  const problem = await tokenProblem(node, action, spec);
  return problem === undefined ? undefined : forbidden('serviceaccounts', action.name, problem);
}

async function tokenProblem(
  node: string,
  action: NodeAction,
  { boundObjectRef, audiences = [] }: Partial<TokenRequestSpec>,
): Promise<string | undefined> {
  const { apiVersion, kind, name = '', uid = '' } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = await action.registry.get<Pod>({ resource: 'pods', namespace: action.namespace, name });
  // That the pod does not exist is said by who makes the token.
  if (!pod) return undefined;
  if (pod.metadata.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  if (pod.spec?.nodeName !== node) return 'node requested token bound to a pod scheduled on a different node';
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences';
  return await audienceProblem(action, pod, audiences[0] ?? '');
}

async function audienceProblem(action: NodeAction, pod: Pod, audience: string): Promise<string | undefined> {
  const isAsked = tokenAudiences(pod).includes(audience) || (await driverAudiences(action, pod)).includes(audience);
  if (isAsked || (await mayRequest(action, audience))) return undefined;
  return `audience ${JSON.stringify(audience)} not found in pod spec volume`;
}

/** The audiences of the tokens that the pod mounts; `''` is the API server's. */
function tokenAudiences({ spec }: Pod): readonly string[] {
  const sources = (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return sources.flatMap(({ serviceAccountToken }) =>
    serviceAccountToken ? [serviceAccountToken.audience ?? ''] : [],
  );
}

/** The audiences of the tokens that the drivers of the pod's volumes want to have. */
async function driverAudiences(action: NodeAction, pod: Pod): Promise<readonly string[]> {
  const volumes = pod.spec?.volumes ?? [];
  const names = await Promise.all(
    volumes.map(async ({ name, csi, persistentVolumeClaim, ephemeral }) => {
      if (csi) return csi.driver;
      const claim = ephemeral ? `${pod.metadata.name}-${name}` : persistentVolumeClaim?.claimName;
      return claim === undefined ? undefined : await driverOfClaim(action, claim);
    }),
  );
  const distinct = [...new Set(names.filter((name) => name !== undefined))];
  const drivers = await Promise.all(
    distinct.map((name) => action.registry.get<Stored<CSIDriver>>({ resource: DRIVERS, namespace: '', name })),
  );
  return drivers.flatMap((driver) => (driver?.spec?.tokenRequests ?? []).map(({ audience }) => audience));
}

async function driverOfClaim({ registry, namespace }: NodeAction, name: string): Promise<string | undefined> {
  const place = { resource: 'persistentvolumeclaims', namespace, name };
  const volumeName = (await registry.get<Stored<PersistentVolumeClaim>>(place))?.spec?.volumeName;
  if (volumeName === undefined) return undefined;
  const volume = { resource: 'persistentvolumes', namespace: '', name: volumeName };
  return (await registry.get<Stored<PersistentVolume>>(volume))?.spec?.csi?.driver;
}

/** Whether a role lets the kubelet ask for the audience, for example for the credentials of images. */
async function mayRequest({ user, authorizer, namespace, name }: NodeAction, audience: string): Promise<boolean> {
  if (!user || !authorizer) return false;
  const verb = 'request-serviceaccounts-token-audience';
  return await authorizer.allows(user, { verb, group: '', resource: audience, subresource: '', namespace, name });
}
