import type { Pod } from '../../objects/kinds.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { BackendConnections, UpgradedConnection } from '../../ports/BackendConnections.ts';
import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { KubeletMeasurements } from '../../ports/KubeletMeasurements.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WatchSlots } from '../../ports/WatchSlots.ts';
import type { Annotate } from '../../registry/admission/dynamic/RequestAttributes.ts';
import type { DynamicAdmission } from '../../registry/admission/dynamic/DynamicAdmission.ts';
import type { ConversionWebhooks } from '../../registry/customresources/conversion/ConversionWebhooks.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { AuthenticateToken } from '../authentication/authenticateToken.ts';
import type { ServiceAccountTokens } from '../authentication/ServiceAccountTokens.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { ServedResources } from '../ServedResources.ts';
import type { ServedResource } from '../ServedGroup.ts';
import type { HeldLists } from '../list/HeldLists.ts';
import type { LaterPages } from '../list/LaterPages.ts';
import type { RequestInfo } from './RequestInfo.ts';

/** A request for a served resource, as its handler receives it. */
export interface ResourceRequest {
  readonly raw: Request;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly resource: ServedResource;
  readonly dependencies: ApiDependencies;
  /** The user who sends the request. Absent if the server identifies nobody. */
  readonly user?: UserInfo | undefined;
  /** Connects the client with a backend whose connection has changed its protocol. Absent if the client does not ask for that, or the host cannot do it. */
  readonly acceptUpgrade?: AcceptUpgrade | undefined;
  /** Warnings for the client; every answer carries them as `Warning` headers. */
  readonly warnings: string[];
  /** What the request may take, from its body to its answer. */
  readonly budget: RequestBudget;
  /** Adds an annotation to the request's event in the audit log. Absent: nothing is recorded of the request. */
  readonly annotate?: Annotate | undefined;
}

/** Takes over the client's connection: what it sends goes to the backend and back, in the protocol that both agreed on. */
export type AcceptUpgrade = (upgraded: UpgradedConnection) => void;

/** Does what a client has posted, and answers it. Throws an ApiError for what it refuses. */
export type ServeAction = (request: ResourceRequest) => Promise<Response>;

/** How long watches last at most, in milliseconds. */
export interface WatchLifetime {
  /** Of a client that sent `timeoutSeconds`: it expects the end and resumes. The real limit is up to a fifth more or less, so that not all resume at once. */
  readonly resumedMs: number;
  /** Of any other client, such as a person's `kubectl get -w`, which ends with the watch. */
  readonly unresumedMs: number;
  /** What the host can hold. No watch lasts longer, whatever is added at random. */
  readonly longestMs: number;
}

/** The ports and settings that the handlers of the REST API use. */
export interface ApiDependencies {
  readonly registry: Registry;
  /** Webhooks and policies, for requests to subresources that store no object of their own. Absent: nothing is asked. */
  readonly dynamicAdmission?: DynamicAdmission | undefined;
  readonly served: ServedResources;
  readonly changeLog: ChangeLog;
  /** Absent: versions that only a webhook can convert are refused. */
  readonly conversions?: ConversionWebhooks | undefined;
  /** What lists have read for their later pages. Absent: nothing is kept. */
  readonly laterPages?: LaterPages;
  /** Which lists the log holds. Absent: tombstones are left to the store. */
  readonly heldLists?: HeldLists;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Signs the tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  /** Finds out whose token it is that somebody else has received. */
  readonly authenticateToken: AuthenticateToken;
  /** Decides who may do what. If absent, anyone who reaches this server may do everything. */
  readonly authorizer?: Authorizer | undefined;
  /** Limits how long watches last, whatever timeout the client asks for. Absent: as long as Kubernetes' do. */
  readonly watchLifetime?: WatchLifetime | undefined;
  /** Reaches kubelets and pods. Absent on a host that is in no network with them. */
  readonly backends?: BackendConnections | undefined;
  /** What kubelets measure. Absent as `backends`. */
  readonly kubelets?: KubeletMeasurements | undefined;
  /** What answers the actions of resources (see `ActionRules`), by resource and name: `clocks.testing.driftless.dev/advance`. */
  readonly actions?: Readonly<Record<string, ServeAction>> | undefined;
  /** Why a request that comes without `acceptUpgrade` cannot open a stream, for the client. Absent: it has asked for none. */
  readonly refusesStreams?: string | undefined;
  /** A simulated pod with the annotations that rules of a test add to it. Absent: there are no rules. */
  readonly scriptedPod?: ((pod: Pod) => Pod) | undefined;
  /** Bounds the open watches; what exceeds them is refused with 429. Absent: any number. */
  readonly watchSlots?: WatchSlots | undefined;
  /** An idle watch sends a sign of life at this interval: for hosts that cut idle connections, and to notice clients that have gone. Milliseconds. */
  readonly watchHeartbeatMs?: number | undefined;
}
