import type { ChangeLog } from '../ports/ChangeLog.ts';
import type { Clock } from '../ports/Clock.ts';
import type { Ids } from '../ports/Ids.ts';
import type { Registry } from '../registry/Registry.ts';
import type { Authorizer } from './rbac/createRbacAuthorizer.ts';
import type { ServedResources } from './ServedResources.ts';

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
