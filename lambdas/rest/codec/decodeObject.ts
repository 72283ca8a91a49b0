import { ApiError } from '../../objects/ApiError.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import { cannotBeHandled, checkFields, type FieldValidation } from '../schema/checkFields.ts';
import { requireKindSchema } from '../schema/kindSchema.ts';
import { decodeBody } from './decodeBody.ts';
import { kindProblem } from './kindProblem.ts';
import type { DecodedText } from './decodeJson.ts';

export interface ObjectBody {
  /** The release of Kubernetes whose fields are known; absent: the newest. */
  readonly release?: KubernetesRelease | undefined;
  readonly bytes: Uint8Array;
  /** The request's Content-Type; JSON if it has none. */
  readonly contentType: string | undefined;
  /** The version and kind that the path asks for, and the default for a body that names none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Other versions whose objects are taken, too: those of a kind whose fields are the same in them. */
  readonly olderVersions?: readonly string[] | undefined;
  readonly fieldValidation: FieldValidation;
  /** What the request may take. */
  readonly budget: RequestBudget;
}

export interface DecodedObject {
  /** New, plain JSON with apiVersion and kind, and only fields that the kind's schema knows. */
  readonly object: Record<string, unknown>;
  /** For Warning headers. */
  readonly warnings: readonly string[];
}

/**
 * Decodes a request's body into an object of the kind that the path asks for and checks its fields. Rejects with ApiError: UnsupportedMediaType for an
 * unknown media type, otherwise BadRequest in the words of Kubernetes' handlers.
 */
export async function decodeObject(body: ObjectBody): Promise<DecodedObject> {
  const decoded = await decodeBody(body.bytes, body.contentType, body);
  const object = objectOf(decoded, body);
  const apiVersion = stringOr(object['apiVersion'], body.apiVersion);
  const kind = stringOr(object['kind'], body.kind);
  const problem = kindProblem({ apiVersion, kind }, body, body.release);
  if (problem !== undefined) throw cannotBeHandled(apiVersion, kind, body.kind, problem);
  if (apiVersion !== body.apiVersion && body.olderVersions?.includes(apiVersion) !== true) {
    throw new ApiError(
      'BadRequest',
      `the API version in the data (${apiVersion}) does not match the expected API version (${body.apiVersion})`,
    );
  }
  const schema = requireKindSchema(body);
  const strictErrors = decoded.error === undefined ? decoded.strictErrors : [];
  const check = checkFields({ object, strictErrors, schema, mode: body.fieldValidation, budget: body.budget });
  if (check.refused !== undefined) throw cannotBeHandled(apiVersion, kind, body.kind, check.refused);
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  return { object, warnings: check.warnings };
}

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Checks that the body is a JSON object and that its apiVersion and kind, if present, are strings. */
export function objectOf(decoded: DecodedText, body: ObjectBody): Record<string, unknown> {
  if (decoded.error !== undefined) throw unrecognized(decoded.error, body);
  const { value } = decoded;
  // Go decodes null into a struct by leaving the struct unchanged.
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    const word = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw unrecognized(versionKindError(`json: cannot unmarshal ${word} into Go value of type ${TYPE_META}`), body);
  }
  const object = value as Record<string, unknown>;
  for (const name of ['apiVersion', 'kind'] as const) {
    const member = object[name] ?? '';
    if (typeof member === 'string') continue;
    const word = Array.isArray(member) ? 'array' : typeof member === 'boolean' ? 'bool' : typeof member;
    throw unrecognized(
      versionKindError(`json: cannot unmarshal ${word} into Go struct field .${name} of type string`),
      body,
    );
  }
  return object;
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function versionKindError(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

export function unrecognized(why: string, { bytes, kind }: ObjectBody): ApiError {
  return new ApiError(
    'BadRequest',
    `the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(bytes)})`,
  );
}

const SUMMARY_LENGTH = 30;

/** The start of a body: as text if it looks like JSON, otherwise as hexadecimal digits. */
function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, SUMMARY_LENGTH));
  const text = head.toString(head[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > SUMMARY_LENGTH ? `${text} ...` : text;
}
