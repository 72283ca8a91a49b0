import { parseDuration } from '../../../lambdas/adapters/simulated/parseDuration.ts';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { badRequest, conflict, invalid, notFound } from '../../../lambdas/objects/apiErrors.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { FieldError } from '../../../lambdas/objects/FieldError.ts';
import { decodeBody } from '../../../lambdas/rest/codec/decodeBody.ts';
import { readBudgetedBody } from '../../../lambdas/rest/request/readRequestBody.ts';
import type { ResourceRequest } from '../../../lambdas/rest/request/ResourceRequest.ts';
import { respondObject } from '../../../lambdas/rest/response/respond.ts';
import { SettleTimeoutError } from '../SettleTimeoutError.ts';
import type { ClusterTime, SettleHow } from '../ClusterTime.ts';
import { CLOCKS, TESTING_GROUP } from './testingEntries.ts';

/** A hundred years: later times would not fit the texts of times. */
const LONGEST_ADVANCE = '876000h';
/** As long as a client may keep an answer waiting. */
const LONGEST_WAIT = '1h';

const TYPE_META = ['apiVersion', 'kind', 'metadata'];

/** What the actions of a clock are done with. */
interface ClockControls {
  readonly isVirtual: boolean;
  readonly time: Pick<ClusterTime, 'advance' | 'settle'>;
  reset(): Promise<void>;
  /** The Clock, as it stands now. */
  clock(): Promise<KubernetesObject>;
}

type Body = Readonly<Record<string, unknown>>;

/** Answers `POST clocks/cluster/advance`. Refuses with Conflict if the clock is real, and with Timeout if the cluster does not settle. */
export async function serveAdvance(controls: ClockControls, request: ResourceRequest): Promise<Response> {
  const body = await readBody(request, ['duration', 'quiet', 'timeout']);
  const [durationMs, errors] = durationOf(body, 'duration', LONGEST_ADVANCE);
  if (body['duration'] === undefined)
    errors.push({ type: 'FieldValueRequired', field: 'duration', detail: 'how far the clock moves, such as 10m' });
  const how = howOf(request, body, errors);
  if (!controls.isVirtual) {
    const why = "the clock is the machine's; a server that is started with --clock virtual has one that can be moved";
    throw conflict(CLOCKS, request.info.name, why);
  }
  return await answer(controls, request, () => controls.time.advance(durationMs ?? 0, how));
}

/** Answers `POST clocks/cluster/settle`. Refuses with Timeout if the cluster does not settle. */
export async function serveSettle(controls: ClockControls, request: ResourceRequest): Promise<Response> {
  const body = await readBody(request, ['quiet', 'timeout']);
  const how = howOf(request, body, []);
  return await answer(controls, request, () => controls.time.settle(how));
}

/** Answers `POST clocks/cluster/reset`. */
export async function serveReset(controls: ClockControls, request: ResourceRequest): Promise<Response> {
  await readBody(request, []);
  return await answer(controls, request, () => controls.reset());
}

async function answer(controls: ClockControls, request: ResourceRequest, act: () => Promise<void>): Promise<Response> {
  try {
    await act();
  } catch (error) {
    if (error instanceof SettleTimeoutError) throw new ApiError('Timeout', error.message, undefined, { cause: error });
    throw error;
  }
  return respondObject(request, await controls.clock(), 201);
}

/** Reads the body as an object with these fields. An empty body has none. Throws NotFound for another clock than `cluster`. */
async function readBody(request: ResourceRequest, fields: readonly string[]): Promise<Body> {
  const { info, raw, resource, query } = request;
  if (info.name !== 'cluster') throw notFound(CLOCKS, info.name);
  if (query.has('dryRun')) throw badRequest(`${info.subresource} cannot be tried with dryRun`);
  const bytes = await readBudgetedBody(request);
  if (bytes.byteLength === 0) return {};
  const kind = resource.entry.actions?.[info.subresource]?.kind ?? '';
  const decoded = await decodeBody(bytes, raw.headers.get('content-type') ?? undefined, {
    apiVersion: resource.apiVersion,
    kind,
    budget: request.budget,
  });
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  const { value } = decoded;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the body must be an object');
  const unknown = Object.keys(value).find((field) => ![...fields, ...TYPE_META].includes(field));
  if (unknown !== undefined) throw badRequest(`strict decoding error: unknown field ${JSON.stringify(unknown)}`);
  return value as Body;
}

/** Throws Invalid with these errors and those of the fields about waiting. */
function howOf(request: ResourceRequest, body: Body, before: readonly FieldError[]): SettleHow {
  const [quietMs, quietErrors] = durationOf(body, 'quiet', LONGEST_WAIT);
  const [timeoutMs, timeoutErrors] = durationOf(body, 'timeout', LONGEST_WAIT);
  const errors = [...before, ...quietErrors, ...timeoutErrors];
  const kind = request.resource.entry.actions?.[request.info.subresource]?.kind ?? '';
  if (errors.length > 0) throw invalid(`${kind}.${TESTING_GROUP}`, request.info.name, errors);
  return { quietMs, timeoutMs };
}

/** Returns a field in milliseconds, or its errors. */
function durationOf(body: Body, field: string, longest: string): [number | undefined, FieldError[]] {
  const value = body[field];
  if (value === undefined) return [undefined, []];
  const refuse = (detail: string): [undefined, FieldError[]] => [
    undefined,
    [{ type: 'FieldValueInvalid', field, badValue: value, detail }],
  ];
  if (typeof value !== 'string') return refuse('must be a text such as 10m or 1h30m');
  if (value.startsWith('-')) return refuse('must not be negative');
  const ms = parseDuration(value);
  if (ms === undefined) return refuse('must be a duration such as 10m or 1h30m');
  return ms <= (parseDuration(longest) ?? 0) ? [ms, []] : refuse(`must be at most ${longest}`);
}
