import { Counter, Histogram, type Registry as MetricsRegistry } from 'prom-client';
import type { RequestInfo } from './request/RequestInfo.ts';
import type { ServedGroup, ServedResource } from './ServedGroup.ts';

/** Counts one request under kube-apiserver's metric names and labels. */
export type CountRequest = (request: CountedRequest, code: number, seconds: number) => void;

export interface CountedRequest {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Absent if the request is for no resource, or for one that is not served. */
  readonly resource: ServedResource | undefined;
}

/** kube-apiserver's buckets of `apiserver_request_duration_seconds`. */
const BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const LABELS = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

const METRIC_VERBS: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

/**
 * Registers `apiserver_request_total` and `apiserver_request_duration_seconds`. `groups`: the groups of built-in resources. Requests for resources that are not served are counted without a name: otherwise a
 * client could fill the memory with made-up names.
 */
export function createRequestMetrics(registry: MetricsRegistry, groups: readonly ServedGroup[]): CountRequest {
  const total = new Counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and code.',
    labelNames: [...LABELS, 'code'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Seconds until a request was answered, by verb and resource; watches are left out.',
    labelNames: [...LABELS],
    buckets: BUCKETS,
    registers: [registry],
  });
  return ({ info, query, resource }, code, seconds) => {
    const labels = labelsOf(isServed(groups, info, resource) ? info : { ...info, ...NOTHING_SERVED }, query);
    total.inc({ ...labels, code: String(code) });
    if (info.verb !== 'watch') duration.observe(labels, seconds);
  };
}

/** Labels for a request whose resource is not served. */
const NOTHING_SERVED = { group: '', version: '', resource: '', subresource: '' };
const SUBRESOURCES = new Set([
  '',
  'status',
  'scale',
  'finalize',
  'eviction',
  'log',
  'exec',
  'attach',
  'portforward',
  'proxy',
]);

function isServed(groups: readonly ServedGroup[], info: RequestInfo, resource: ServedResource | undefined): boolean {
  const { group, version } = info;
  if (info.isResourceRequest) return SUBRESOURCES.has(info.subresource) && resource !== undefined;
  const versions = groups.find((one) => one.group === group)?.versions ?? [];
  return version === '' ? group === '' || versions.length > 0 : versions.some((one) => one.version === version);
}

function labelsOf(info: RequestInfo, query: URLSearchParams) {
  const { verb, group, version, resource, subresource } = info;
  return {
    verb: METRIC_VERBS[verb] ?? verb.toUpperCase(),
    dry_run: query.get('dryRun') === 'All' ? 'All' : '',
    group,
    version,
    resource,
    subresource,
    scope: scopeOf(info),
    component: 'apiserver',
  };
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return '';
  if (!info.isCollection || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
