import type { ApiDependencies } from '../ApiDependencies.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from './RequestInfo.ts';
import type { ServedResource } from '../ServedResources.ts';

/** A request for a served resource, as its handlers get it. */
export interface ResourceRequest {
  readonly raw: Request;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly resource: ServedResource;
  readonly dependencies: ApiDependencies;
  /** Who asks; absent where everyone may do everything. */
  readonly user?: UserInfo | undefined;
  /** What the client is to be warned of; sent as `Warning` headers with any answer. */
  readonly warnings: string[];
}
