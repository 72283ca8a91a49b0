import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from './RequestInfo.ts';
import type { ServedResource, ServedResources } from '../ServedResources.ts';
import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';

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

/** What the handlers of the REST API work with. */
export interface ApiDependencies {
  readonly registry: Registry;
  readonly served: ServedResources;
  readonly changeLog: ChangeLog;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Who may do what. Absent: whoever reaches this server may do everything. */
  readonly authorizer?: Authorizer | undefined;
  /** No watch is held longer, whatever the client asks: for hosts that cut connections. Milliseconds. */
  readonly maxWatchMs?: number | undefined;
  /** An idle watch sends an empty line this often, which clients skip: for hosts that cut idle connections. Milliseconds. */
  readonly watchKeepAliveMs?: number | undefined;
}
