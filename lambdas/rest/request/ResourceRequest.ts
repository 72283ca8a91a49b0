import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { ServedResource, ServedResources } from '../ServedResources.ts';
import type { RequestInfo } from './RequestInfo.ts';

/** A request for a served resource, as its handler receives it. */
export interface ResourceRequest {
  readonly raw: Request;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly resource: ServedResource;
  readonly dependencies: ApiDependencies;
  /** The user who sends the request. Absent if there is no authorization. */
  readonly user?: UserInfo | undefined;
  /** Warnings for the client; every answer carries them as `Warning` headers. */
  readonly warnings: string[];
}

/** The ports and settings that the handlers of the REST API use. */
export interface ApiDependencies {
  readonly registry: Registry;
  readonly served: ServedResources;
  readonly changeLog: ChangeLog;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Decides who may do what. If absent, anyone who reaches this server may do everything. */
  readonly authorizer?: Authorizer | undefined;
  /** Limits the duration of a watch, whatever timeout the client asks for: for hosts that cut connections. Milliseconds. */
  readonly maxWatchMs?: number | undefined;
  /** An idle watch sends an empty line at this interval, which clients skip: for hosts that cut idle connections. Milliseconds. */
  readonly watchKeepAliveMs?: number | undefined;
}
