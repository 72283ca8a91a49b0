import type { BoundObjectReference } from 'kubernetes-types/authentication/v1.js';
import { badRequest, conflict, notFound } from '../../objects/apiErrors.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Binding, NamedObject } from '../authentication/TokenClaims.ts';

/** For whom a token is asked: a service account and its namespace. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads the object to which a token is to be bound: a pod of the account, a secret, or a node. A pod brings its node along. Throws NotFound for an object that does not exist, Conflict for another UID, and BadRequest
 * for what no token can be bound to.
 */
export async function observeBinding(
  registry: Pick<Registry, 'get'>,
  account: Account,
  reference: BoundObjectReference | undefined,
): Promise<Binding> {
  if (!reference) return {};
  const { kind = '', name = '' } = reference;
  switch (`${groupOf(reference)}/${kind}`) {
    case '/Pod':
      return observePod(registry, account, name, reference);
    case '/Secret':
      return { secret: referTo(await read(registry, 'secrets', account.namespace, name), reference) };
    case '/Node':
      return { node: referTo(await read(registry, 'nodes', '', name), reference) };
    default:
      throw badRequest(`cannot bind token to object of type ${printKind(reference)}`);
  }
}

async function observePod(
  registry: Pick<Registry, 'get'>,
  account: Account,
  name: string,
  reference: BoundObjectReference,
): Promise<Binding> {
  const found = await read(registry, 'pods', account.namespace, name);
  const { serviceAccountName, nodeName = '' } = (found as Pod).spec ?? {};
  if (serviceAccountName !== account.name) {
    const who = goQuote(account.name);
    throw badRequest(`cannot bind token for serviceaccount ${who} to pod running with different serviceaccount name.`);
  }
  const pod = referTo(found, reference);
  if (nodeName === '') return { pod };
  const node = await registry.get({ resource: 'nodes', namespace: '', name: nodeName });
  return { node: { name: nodeName, ...(node && { uid: node.metadata.uid }) }, pod };
}

async function read(
  registry: Pick<Registry, 'get'>,
  resource: string,
  namespace: string,
  name: string,
): Promise<KubernetesObject> {
  const found = await registry.get({ resource, namespace, name });
  if (!found) throw notFound(resource, name);
  return found;
}

function referTo({ metadata }: KubernetesObject, { kind = '', uid = '' }: BoundObjectReference): NamedObject {
  if (uid !== '' && uid !== metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(kind, metadata.name, why);
  }
  return { name: metadata.name, uid: metadata.uid };
}

function groupOf({ apiVersion = '' }: BoundObjectReference): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** `apps/v1, Kind=Deployment`, and `/v1, Kind=Pod` for the core group. */
function printKind({ apiVersion = '', kind = '' }: BoundObjectReference): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}
