import type { Access } from '../../registry/cel/evaluate/AuthorizationValue.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import { ApiError } from '../../objects/ApiError.ts';
import type { UserInfo } from './UserInfo.ts';

/** The action that a user asks for, as an authorizer sees it. Expressions ask about the same. */
export type AccessAttributes = Access;

/** The action that a request asks for. It comes from the same RequestInfo as routing, so the two cannot disagree. */
export function accessAttributes(info: RequestInfo): AccessAttributes {
  if (!info.isResourceRequest) return { verb: info.verb, path: info.path };
  const { verb, group, resource, subresource, namespace, name, fieldSelector } = info;
  return {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

/** The 403 in Kubernetes' words: `pods "web" is forbidden: User "ann" cannot get resource "pods" in API group "" in the namespace "default"`. */
export function forbiddenError(user: UserInfo, attributes: AccessAttributes): ApiError {
  const who = `User ${JSON.stringify(user.username)} cannot ${attributes.verb}`;
  if (attributes.path !== undefined) {
    return new ApiError('Forbidden', `forbidden: ${who} path ${JSON.stringify(attributes.path)}`, {});
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === '' ? qualified : `${qualified} ${JSON.stringify(name)}`;
  const message = `${subject} is forbidden: ${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
  return new ApiError('Forbidden', message, { ...(name && { name }), ...(group && { group }), kind: resource });
}
