import { ApiError } from '../../objects/ApiError.ts';
import { goQuote } from '../../objects/goQuote.ts';
import { parseApiVersion } from './kindSchema.ts';
import { type Mismatch, pruneFields } from './pruneFields.ts';
import { goTypeNames } from './goTypeNames.ts';
import type { Schema } from './schemaOf.ts';

/** The `fieldValidation` of a request; without one, Kubernetes warns. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

const STRING_TYPES = new Set(Object.values(goTypeNames));

export interface FieldCheckInput {
  /** The caller's own: it is changed in place. */
  readonly object: Record<string, unknown>;
  /** Strict errors that decoding the text has found already: `duplicate field "spec.replicas"`. */
  readonly strictErrors?: readonly string[];
  readonly schema: Schema;
  readonly mode: FieldValidation;
  /** Whose words a wrong type is told in: the JSON decoder's (if absent), or those of the converter that strategic merge patches go through. */
  readonly words?: 'decoder' | 'converter';
}

/** What checking came to: warnings for the client, or why the object is refused, to be worded by the request that it came with. */
export type FieldCheck =
  | { readonly warnings: readonly string[]; readonly refused?: undefined }
  | { readonly refused: string; readonly warnings?: undefined };

/**
 * Brings an object to what Kubernetes would decode (see pruneFields) and judges what it knows nothing of by the mode: unknown and duplicate fields are
 * refused, warned of or ignored; they are dropped in any case. A value of a wrong type is always refused.
 */
export function checkFields({ object, strictErrors = [], schema, mode, words }: FieldCheckInput): FieldCheck {
  const pruned = pruneFields(object, schema);
  if (pruned.error !== undefined) {
    const mismatch = words === 'converter' ? pruned.mismatch : undefined;
    return { refused: mismatch === undefined ? pruned.error : converterError(mismatch) };
  }
  if (mode === 'Ignore') return { warnings: [] };
  const problems = [...strictErrors, ...pruned.unknown.map((path) => `unknown field ${goQuote(path)}`)];
  if (mode === 'Warn' || problems.length === 0) return { warnings: problems };
  return { refused: `strict decoding error: ${problems.join(', ')}` };
}

/** What apimachinery's converter from unstructured objects says; it names no field. */
function converterError({ word, goType }: Mismatch): string {
  const found = { array: 'slice', object: 'map', number: 'int64' }[word] ?? word;
  if (goType.startsWith('[]') && goType !== '[]uint8') return `cannot restore slice from ${found}`;
  if (goType.startsWith('map[') || goType === 'v1.ResourceList') return `cannot restore map from ${found}`;
  if (/^(?:string|bool|int32|int64)$/.test(goType)) return `unrecognized type: ${goType}`;
  return STRING_TYPES.has(goType) ? 'unrecognized type: string' : `cannot restore struct from: ${found}`;
}

/** The 400 for a body that cannot be decoded as the kind that the path asks for. */
export function cannotBeHandled(apiVersion: string, kind: string, expectedKind: string, why: string): ApiError {
  const { version } = parseApiVersion(apiVersion);
  return new ApiError(
    'BadRequest',
    `${kind} in version ${goQuote(version)} cannot be handled as a ${expectedKind}: ${why}`,
  );
}
