import { Counter, type Registry as MetricsRegistry } from 'prom-client';
import { ApiError } from '../../objects/ApiError.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { RequestLimits } from '../../ports/RequestLimits.ts';
import type { ConfiguredObjectsParts } from '../../registry/admission/dynamic/ConfiguredObjects.ts';
import { trailOf } from '../audit/beginAudit.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import { isLongRunning } from '../request/isLongRunning.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import { classifyRequest, type Flow } from './classifyRequest.ts';
import { type Bucket, decideBuckets } from './decideBuckets.ts';
import { FlowControlConfiguration } from './FlowControlConfiguration.ts';
import { LimitedRequests } from './LimitedRequests.ts';
import type { RequestLimitSettings } from './RequestLimitSettings.ts';

export interface FlowControlOptions {
  readonly settings: RequestLimitSettings;
  readonly limits: RequestLimits;
  /** Reads the schemas and levels. */
  readonly objects: ConfiguredObjectsParts;
  readonly clock: Clock;
  /** Writes a line of the server's log. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

/** A request whose sender is known. */
interface ClassifiedRequest {
  readonly raw: Request;
  readonly info: RequestInfo;
  /** Absent on a server that knows nobody. */
  readonly user: UserInfo | undefined;
}

/** Adds a header to the answer, whatever it will be. */
type AddHeader = (name: string, value: string) => void;

const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
/** Kubernetes' longest. */
const MAX_RETRY_AFTER_SECONDS = 32;

/**
 * Kubernetes' API Priority and Fairness, as far as it goes without a server that holds requests: schemas and levels say which flow a request belongs to, and each flow has a rate instead of a part of the server's seats.
 * A request above it is refused at once, because one that waited would hold the very execution that the limit keeps free.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #configuration: FlowControlConfiguration;
  readonly #limited: LimitedRequests;
  readonly #dispatched: Counter;
  readonly #rejected: Counter;

  constructor(options: FlowControlOptions, metrics: MetricsRegistry) {
    this.#options = options;
    this.#configuration = new FlowControlConfiguration({ ...options.objects, report: options.report });
    this.#limited = new LimitedRequests(options.clock, options.report);
    const labelNames = ['priority_level', 'flow_schema'];
    this.#dispatched = new Counter({
      name: 'apiserver_flowcontrol_dispatched_requests_total',
      help: 'Requests that were let through, by priority level and flow schema.',
      labelNames,
      registers: [metrics],
    });
    this.#rejected = new Counter({
      name: 'apiserver_flowcontrol_rejected_requests_total',
      help: 'Requests that were refused with 429, by priority level, flow schema and limit.',
      labelNames: [...labelNames, 'reason'],
      registers: [metrics],
    });
  }

  /**
   * Lets a request through as far as its user is concerned, or throws TooManyRequests. What comes back is to be called once the request is authorized: it does the same for the namespace, whose tokens nobody may spend who has no rights in it.
   * Long-running requests other than watches are not counted, as in Kubernetes.
   */
  async admit(request: ClassifiedRequest, addHeader: AddHeader): Promise<() => Promise<void>> {
    const { info, user = ANONYMOUS } = request;
    if (isLongRunning(info) && info.verb !== 'watch') return async () => {};
    const flow = classifyRequest(await this.#configuration.read(), info, user);
    if (!flow) return async () => {};
    addUids(flow, addHeader);
    const buckets = decideBuckets(this.#options.settings, flow, info, user);
    // There is at most one of each.
    const take = (wanted: Bucket['limit']) =>
      this.#take(
        buckets.find(({ limit }) => limit === wanted),
        request,
        flow,
      );
    await take('user');
    return async () => {
      await take('namespace');
      this.#dispatched.inc(labelsOf(flow));
    };
  }

  async #take(
    bucket: Bucket | undefined,
    { raw, info, user = ANONYMOUS }: ClassifiedRequest,
    flow: Flow,
  ): Promise<void> {
    if (!bucket) return;
    const admission = await this.#options.limits.admit(bucket.name, bucket.rate);
    if (admission.status === 'admitted') return;
    const labels = labelsOf(flow);
    this.#rejected.inc({ ...labels, reason: `${bucket.limit}-limit` });
    this.#limited.note(bucket, { user: user.username, namespace: info.namespace, ...labels });
    trailOf(raw)?.annotate('flowcontrol.driftless.dev/limit', bucket.limit);
    throw tooManyRequests(admission.retryAfterMs);
  }
}

/** Kubernetes shows UIDs, so that users see what their requests are classified as without learning the names. Objects that are not written yet have none. */
function addUids({ schema, level }: Flow, addHeader: AddHeader): void {
  if (schema.metadata.uid !== undefined) addHeader('X-Kubernetes-PF-FlowSchema-UID', schema.metadata.uid);
  if (level.metadata.uid !== undefined) addHeader('X-Kubernetes-PF-PriorityLevel-UID', level.metadata.uid);
}

function labelsOf({ level, schema }: Flow) {
  return { priority_level: level.metadata.name, flow_schema: schema.metadata.name };
}

function tooManyRequests(retryAfterMs: number): ApiError {
  const seconds = Math.min(Math.max(Math.ceil(retryAfterMs / 1_000), 1), MAX_RETRY_AFTER_SECONDS);
  return new ApiError('TooManyRequests', 'Too many requests, please try again later.', { retryAfterSeconds: seconds });
}
