import type { RequestInfo } from '../request/RequestInfo.ts';
import type { AccessAttributes } from './UserInfo.ts';

/** What a request asks to do, as routing understands it: the two cannot disagree. */
export function accessAttributes(info: RequestInfo): AccessAttributes {
  if (!info.isResourceRequest) return { verb: info.verb, path: info.path };
  const { verb, group, resource, subresource, namespace, name } = info;
  return { verb, group, resource, subresource, namespace, name };
}
