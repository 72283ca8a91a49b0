import { badRequest, invalid } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { DeleteOptions } from '../../registry/Registry.ts';
import type { ServedVersion } from '../../registry/ResourceEntry.ts';
import { trailOf } from '../audit/beginAudit.ts';
import { decodeBody } from '../codec/decodeBody.ts';
import { objectOf } from '../codec/decodeObject.ts';
import { checkFields } from '../schema/checkFields.ts';
import { kindSchema } from '../schema/kindSchema.ts';
import { readBudgetedBody } from './readRequestBody.ts';
import { parseFlag } from './RequestInfo.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { dryRunErrors, notSupported } from './writeOptions.ts';

/** `metav1.DeleteOptions` as a client sends it. */
export interface WireDeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

export interface ParsedDeleteOptions {
  readonly options: DeleteOptions;
  /** The client asked for deletion of dependents in the deprecated way (`orphanDependents: false`). A deletion that does not finish at once is then answered with 202. */
  readonly cascades: boolean;
}

const POLICIES = ['Orphan', 'Background', 'Foreground'] as const;

/**
 * Reads the options of a DELETE: from the body if there is one, otherwise from the query.
 *
 * @throws ApiError BadRequest for options that cannot be read, Invalid (with causes) for options that contradict each other.
 */
export async function parseDeleteOptions(request: ResourceRequest): Promise<ParsedDeleteOptions> {
  const body = await readBudgetedBody(request);
  const wire = body.byteLength > 0 ? await decodeOptions(request, body) : queryOptions(request.query);
  return checkDeleteOptions(wire, request.resource.version);
}

/** Checks delete options, whether they came in a body, a query or an Eviction. Throws ApiError Invalid (with causes) for options that contradict each other. */
export function checkDeleteOptions(
  wire: WireDeleteOptions,
  { defaultPropagation }: Pick<ServedVersion, 'defaultPropagation'>,
): ParsedDeleteOptions {
  const errors = optionErrors(wire);
  if (errors.length > 0) throw invalid('DeleteOptions.meta.k8s.io', '', errors);
  const policy = policyOf(wire);
  const options = {
    dryRun: (wire.dryRun ?? []).length > 0,
    ...(wire.gracePeriodSeconds !== undefined && { gracePeriodSeconds: wire.gracePeriodSeconds }),
    ...(policy && { propagationPolicy: policy }),
    ...(defaultPropagation && { defaultPropagation }),
    ...(wire.preconditions && { preconditions: wire.preconditions }),
  };
  return { options, cascades: wire.orphanDependents === false };
}

const BODY_KIND = { apiVersion: 'v1', kind: 'DeleteOptions' } as const;

/** Unlike other bodies, one that cannot be read gets the decoder's words with nothing around them. */
async function decodeOptions(request: ResourceRequest, bytes: Uint8Array): Promise<WireDeleteOptions> {
  const contentType = request.raw.headers.get('content-type') ?? undefined;
  const { budget } = request;
  const decoded = await decodeBody(bytes, contentType, { ...BODY_KIND, budget });
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  const object = objectOf(decoded, { bytes, contentType, ...BODY_KIND, fieldValidation: 'Ignore', budget });
  const { apiVersion = 'v1', kind = 'DeleteOptions' } = object as Partial<Record<string, string>>;
  const schema = kind === 'DeleteOptions' ? kindSchema(apiVersion, kind) : undefined;
  if (schema === undefined) throw badRequest(unregistered(apiVersion, kind));
  const check = checkFields({ object, schema, mode: 'Ignore', budget });
  if (check.refused !== undefined) throw badRequest(check.refused);
  trailOf(request.raw)?.noteRequest({ ...object, kind, apiVersion });
  return object;
}

function unregistered(apiVersion: string, kind: string): string {
  const scheme = 'pkg/apis/meta/internalversion/scheme/register.go:27';
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`;
}

function queryOptions(query: URLSearchParams): WireDeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  if (grace && !/^-?\d+$/.test(grace)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  }
  const policy = query.get('propagationPolicy');
  return {
    ...(grace && { gracePeriodSeconds: Number(grace) }),
    ...(policy && { propagationPolicy: policy }),
    ...(query.has('orphanDependents') && { orphanDependents: parseFlag(query.get('orphanDependents')) }),
    dryRun: query.getAll('dryRun'),
  };
}

function optionErrors({ propagationPolicy, orphanDependents, dryRun = [] }: WireDeleteOptions): FieldError[] {
  const errors = dryRunErrors(dryRun);
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push({ type: 'FieldValueInvalid', field: 'propagationPolicy', badValue: propagationPolicy, detail });
  }
  if (propagationPolicy !== undefined && !(POLICIES as readonly string[]).includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  return errors;
}

function policyOf({ propagationPolicy, orphanDependents }: WireDeleteOptions): DeleteOptions['propagationPolicy'] {
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  return POLICIES.find((policy) => policy === propagationPolicy);
}
