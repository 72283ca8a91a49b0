import type { RequestRate } from '../../objects/tokenBucket.ts';
import { NODES_GROUP } from '../nodeauthorizer/nodeUser.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import type { Flow, PriorityLevel } from './classifyRequest.ts';
import type { RequestLimitSettings } from './RequestLimitSettings.ts';

/** A bucket from which a request takes a token. */
export interface Bucket {
  readonly limit: 'user' | 'namespace';
  readonly name: string;
  readonly rate: RequestRate;
}

/** The shares of Kubernetes' own level `global-default`, to which the settings refer. */
const SHARES_OF_ONE_RATE = 10;
/** Kubernetes' default of `nominalConcurrencyShares`. */
const DEFAULT_SHARES = 30;

/**
 * Returns the buckets that a request takes a token from each; none if its level is exempt. Pure.
 *
 * The schema says what shares a bucket: the requests of a user, of a namespace, or all. Its level says how large it is: a level with 40 shares has four times the rate that the settings name. So what keeps the cluster
 * alive, nodes and the election of leaders, has buckets of its own, which are larger.
 * A tenant with many users is bounded by its namespace, too: all requests of one level in it share a second bucket. Those of nodes do not, or a tenant's pods could not be reported while the tenant is limited.
 */
export function decideBuckets(
  settings: RequestLimitSettings,
  flow: Flow,
  { namespace }: RequestInfo,
  { groups }: UserInfo,
): readonly Bucket[] {
  const { schema, level, distinguisher } = flow;
  if (level.spec?.type === 'Exempt') return [];
  const isByNamespace = schema.spec?.distinguisherMethod?.type === 'ByNamespace';
  const flowName = nameOf('flow', schema.metadata.name, distinguisher);
  if (isByNamespace) return bucketsOf('namespace', flowName, level, settings.namespace);
  const countsForNamespace = namespace !== '' && !groups.includes(NODES_GROUP);
  const sharedName = nameOf('namespace', level.metadata.name, namespace);
  return [
    ...bucketsOf('user', flowName, level, settings.user),
    ...(countsForNamespace ? bucketsOf('namespace', sharedName, level, settings.namespace) : []),
  ];
}

function bucketsOf(
  limit: Bucket['limit'],
  name: string,
  level: PriorityLevel,
  rate: RequestRate | undefined,
): readonly Bucket[] {
  return rate ? [{ limit, name, rate: rateAt(level, rate) }] : [];
}

/** No part has a line break but the last. */
function nameOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** A level without shares admits nothing, as in Kubernetes one that can borrow none. */
function rateAt({ spec }: PriorityLevel, { perSecond, burst }: RequestRate): RequestRate {
  const weight = (spec?.limited?.nominalConcurrencyShares ?? DEFAULT_SHARES) / SHARES_OF_ONE_RATE;
  return { perSecond: perSecond * weight, burst: Math.max(1, burst * weight) };
}
