import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { EVENTS_LOST } from '../../../lambdas/objects/audit/AuditLosses.ts';
import { SETUP_PROBLEM } from '../../../lambdas/functions/logSetupProblems.ts';
import { NEW_EPOCH } from '../../../lambdas/functions/record/createRecordHandler.ts';
import type { FunctionName } from '../../topology.ts';
import type { ApiBackend } from '../addProxy.ts';
import { type Functions, logicalName } from '../createFunctions.ts';
import { METRICS_NAMESPACE } from '../functionEnvironment.ts';

/** The metrics that are counted by lines in logs. */
export const LOGGED_METRICS = {
  newEpochs: 'NewEpochs',
  setupProblems: 'SetupProblems',
  /** How often audit events begin to be lost. */
  lostAuditEvents: 'LostAuditEvents',
  /** Requests that were answered with 401 or 403. */
  deniedRequests: 'DeniedRequests',
  /** 409. Controllers and clients try these again. */
  conflictingRequests: 'ConflictingRequests',
  /** 400, 413, 415 or 422. */
  invalidRequests: 'InvalidRequests',
  /** 429. */
  tooManyRequests: 'TooManyRequests',
  /** How long each create, update, patch and delete took at API Gateway; milliseconds. */
  writeMs: 'WriteMs',
  /** How long each change of an object waited in the work queue for the sync of a key that it concerns; milliseconds. */
  edgeMs: 'EdgeMs',
} as const;

/** What logs the lines. */
export interface LogSources {
  readonly functions: Functions;
  readonly backend: ApiBackend;
  /** API Gateway's. */
  readonly accessLog: ILogGroup | undefined;
}

const IS_SETUP_PROBLEM = FilterPattern.stringValue('$.message', '=', SETUP_PROBLEM);
const IS_NEW_EPOCH = FilterPattern.stringValue('$.outcome', '=', NEW_EPOCH);
/** AWS does not say of which of these types the answer is if the function is throttled. If it may not be invoked, it is the second. */
const IS_NOT_INVOKED = FilterPattern.any(
  ...[ResponseType.INTEGRATION_FAILURE, ResponseType.API_CONFIGURATION_ERROR].map(({ responseType }) =>
    FilterPattern.stringValue('$.responseType', '=', responseType),
  ),
);

/**
 * Counts the lines that report a setup that is wrong, or a log that begins anew. A function that cannot be invoked logs nothing, so for `api` the lines of API Gateway count; for the container
 * it answers with 503, which has an alarm. A metric filter costs nothing.
 */
export function countLines(scope: Construct, { functions, backend, accessLog }: LogSources): void {
  const count = (source: string, logGroup: ILogGroup, metricName: string, filterPattern: IFilterPattern) =>
    addFilter(scope, { source, logGroup, metricName, filterPattern });
  for (const [name, { logGroup }] of Object.entries(functions)) {
    const source = logicalName(name as FunctionName);
    count(source, logGroup, LOGGED_METRICS.setupProblems, IS_SETUP_PROBLEM);
    if (name === 'record' || name === 'resync') count(source, logGroup, LOGGED_METRICS.newEpochs, IS_NEW_EPOCH);
  }
  if (backend.kind === 'container') {
    count('ApiContainer', backend.target.logGroup, LOGGED_METRICS.setupProblems, IS_SETUP_PROBLEM);
  } else if (accessLog) count('AccessLog', accessLog, LOGGED_METRICS.setupProblems, IS_NOT_INVOKED);
}

/** Counts the lines by which the API tells that audit events are lost. A process writes one when that begins, however many events it loses. */
export function countLostEvents(scope: Construct, { functions, backend }: LogSources): void {
  const source = backend.kind === 'container' ? 'ApiContainer' : logicalName('api');
  const logGroup = backend.kind === 'container' ? backend.target.logGroup : functions.api?.logGroup;
  if (!logGroup) throw new Error('the stack has nothing that answers the API');
  const filterPattern = FilterPattern.stringValue('$.message', '=', EVENTS_LOST);
  addFilter(scope, { source, logGroup, metricName: LOGGED_METRICS.lostAuditEvents, filterPattern });
}

const STATUSES: readonly (readonly [name: string, statuses: readonly number[]])[] = [
  [LOGGED_METRICS.deniedRequests, [401, 403]],
  [LOGGED_METRICS.conflictingRequests, [409]],
  [LOGGED_METRICS.invalidRequests, [400, 413, 415, 422]],
  [LOGGED_METRICS.tooManyRequests, [429]],
];
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Counts refused requests by their reason, and times writes. Each is a metric, for which CloudWatch bills $0.30 a month while there are such requests. */
export function countRequests(scope: Construct, { accessLog }: Pick<LogSources, 'accessLog'>): void {
  if (!accessLog) return;
  const from = { source: 'AccessLog', logGroup: accessLog };
  for (const [metricName, statuses] of STATUSES)
    addFilter(scope, { ...from, metricName, filterPattern: anyOf('$.status', statuses.map(String)) });
  // CloudWatch takes a value only from a field that the pattern names.
  const filterPattern = FilterPattern.all(anyOf('$.method', WRITES), FilterPattern.exists('$.latencyMs'));
  addFilter(scope, { ...from, metricName: LOGGED_METRICS.writeMs, filterPattern, metricValue: '$.latencyMs' });
}

/** Times how long changes wait for their syncs, by the lines of `sync`. Wake-ups and tries after a failure are not edges, and their lines have no `edgeMs`. */
export function timeEdges(scope: Construct, { functions }: Pick<LogSources, 'functions'>): void {
  addFilter(scope, {
    source: logicalName('sync'),
    logGroup: functions.sync.logGroup,
    metricName: LOGGED_METRICS.edgeMs,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.message', '=', 'sync'),
      FilterPattern.exists('$.edgeMs'),
    ),
    metricValue: '$.edgeMs',
  });
}

interface Counted {
  /** Where the lines are, for the construct's id. */
  readonly source: string;
  readonly logGroup: ILogGroup;
  readonly metricName: string;
  readonly filterPattern: IFilterPattern;
  /** Absent: each line counts as one. */
  readonly metricValue?: string;
}

function addFilter(scope: Construct, { source, metricName, metricValue = '1', ...lines }: Counted): MetricFilter {
  return new MetricFilter(scope, `${source}${metricName}`, {
    ...lines,
    metricNamespace: METRICS_NAMESPACE,
    metricName,
    metricValue,
    dimensions: { service: '$.service' },
  });
}

function anyOf(field: string, values: readonly string[]) {
  return FilterPattern.any(...values.map((value) => FilterPattern.stringValue(field, '=', value)));
}
