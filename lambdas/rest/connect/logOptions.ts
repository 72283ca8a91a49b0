import { badRequest, invalid } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import { forbidden, invalid as invalidField, nonNegative } from '../../registry/validation/fieldErrors.ts';
import { parseFlag } from '../request/RequestInfo.ts';

/** `v1.PodLogOptions`: which part of a container's log a client wants, and in which form. */
export interface LogOptions {
  /** `''`: the only container. */
  readonly container: string;
  readonly follow: boolean;
  /** The log of the container that ended before the one that runs. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceTimeMs: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly skipsVerification: boolean;
}

/** Reads the query of a request for a log. Throws BadRequest for what cannot be read, and Invalid for values that Kubernetes refuses. `pod` is the pod's name. Pure. */
export function parseLogOptions(query: URLSearchParams, pod: string): LogOptions {
  const flag = (name: string) => parseFlag(query.get(name));
  const options = {
    container: query.get('container') ?? '',
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    sinceSeconds: parseNumber(query, 'sinceSeconds'),
    sinceTimeMs: parseTime(query.get('sinceTime')),
    tailLines: parseNumber(query, 'tailLines'),
    limitBytes: parseNumber(query, 'limitBytes'),
    skipsVerification: flag('insecureSkipTLSVerifyBackend'),
  };
  const errors = logOptionErrors(options);
  if (errors.length > 0) throw invalid('PodLogOptions', pod, errors);
  return options;
}

function logOptionErrors({ tailLines, limitBytes, sinceSeconds, sinceTimeMs }: LogOptions): FieldError[] {
  const isBoth = sinceSeconds !== undefined && sinceTimeMs !== undefined;
  return [
    ...(tailLines === undefined ? [] : nonNegative('tailLines', tailLines)),
    ...positive('limitBytes', limitBytes),
    ...(isBoth
      ? [forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : positive('sinceSeconds', sinceSeconds)),
  ];
}

function positive(field: string, value: number | undefined): FieldError[] {
  return value === undefined || value > 0 ? [] : [invalidField(field, value, 'must be greater than 0')];
}

function parseNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^[-+]?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseTime(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const timeMs = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(timeMs)) return timeMs;
  throw badRequest(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
}
