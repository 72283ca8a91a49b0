import { ApiError } from '../../objects/ApiError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { badRequest, invalid } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import { type ContinuePlace, decodeContinueToken } from './continueToken.ts';
import { parseFlag } from '../request/RequestInfo.ts';

/** A page holds at most this many objects, whatever the client asks for. DynamoDB takes no limit above 2^31 - 1. */
const MAX_LIMIT = 1_000_000;

/** `metav1.ListOptions` without its selectors. */
export interface ListOptions {
  /** 0 means no limit. */
  readonly limit: number;
  readonly continueFrom: ContinuePlace | undefined;
  /** Absent if the query's is empty. */
  readonly resourceVersion: number | undefined;
  readonly resourceVersionMatch: 'Exact' | 'NotOlderThan' | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Reads and checks the query of a list or a watch, as apiserver's ValidateListOptions does.
 *
 * @throws ApiError BadRequest for a malformed number or token, Invalid (with causes) for options that contradict each other.
 */
export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const errors = watch ? watchErrors(query) : listErrors(query);
  if (errors.length > 0) throw invalid('ListOptions.meta.k8s.io', '', errors);
  const token = query.get('continue');
  const resourceVersion = parseResourceVersion(query.get('resourceVersion'), watch);
  if (token && resourceVersion) throw badRequest('specifying resource version is not allowed when using continue');
  return {
    limit: Math.min(Math.max(parseCount(query, 'limit') ?? 0, 0), MAX_LIMIT),
    continueFrom: token && !watch ? decodeContinueToken(token) : undefined,
    resourceVersion,
    resourceVersionMatch: (query.get('resourceVersionMatch') || undefined) as ListOptions['resourceVersionMatch'],
    timeoutSeconds: parseCount(query, 'timeoutSeconds') || undefined,
    allowWatchBookmarks: parseFlag(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? parseFlag(query.get('sendInitialEvents')) : undefined,
  };
}

/** Reads a query's resourceVersion, a decimal integer; `undefined` if it is empty. Lists and watches answer a malformed one with different errors, as Kubernetes does. */
function parseResourceVersion(text: string | null, watch: boolean): number | undefined {
  if (!text) return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  if (!watch) throw badRequest(`invalid resource version: ${why}`);
  throw new ApiError('Unknown', `resourceVersion: Invalid value: ${goQuote(text)}: ${why}`);
}

function parseCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function listErrors(query: URLSearchParams): FieldError[] {
  const match = query.get('resourceVersionMatch');
  const errors: FieldError[] = [];
  if (match) {
    const version = query.get('resourceVersion');
    if (!version) errors.push(forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    errors.push(...continueErrors(query));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(unsupportedMatch(match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && version === '0') {
      errors.push(forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (query.has('sendInitialEvents')) {
    errors.push({
      type: 'FieldValueForbidden',
      field: 'sendInitialEvents',
      detail: 'sendInitialEvents is forbidden for list',
    });
  }
  return errors;
}

function watchErrors(query: URLSearchParams): FieldError[] {
  const match = query.get('resourceVersionMatch');
  const initial = query.has('sendInitialEvents');
  const errors: FieldError[] = [];
  if (initial && match !== 'NotOlderThan') {
    errors.push(forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match) {
    if (!initial) {
      errors.push(forbiddenMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (match !== 'NotOlderThan') errors.push(unsupportedMatch(match, ['NotOlderThan']));
    errors.push(...continueErrors(query));
  }
  return errors;
}

function continueErrors(query: URLSearchParams): FieldError[] {
  if (!query.get('continue')) return [];
  return [forbiddenMatch('resourceVersionMatch is forbidden when continue is provided')];
}

function forbiddenMatch(detail: string): FieldError {
  return { type: 'FieldValueForbidden', field: 'resourceVersionMatch', detail };
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(', ');
  return {
    type: 'FieldValueNotSupported',
    field: 'resourceVersionMatch',
    badValue: match,
    detail: `supported values: ${values}`,
  };
}
