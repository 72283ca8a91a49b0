import { ApiError } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { isMap, type JsonMap } from '../../registry/fieldmanager/MergeSchema.ts';
import { decodeYaml } from '../codec/decodeYaml.ts';
import { limitsOf } from '../codec/DecodingBudget.ts';
import { jsonWord } from '../schema/checkScalar.ts';
import type { FieldValidation } from '../schema/checkFields.ts';
import { strictWarnings } from '../schema/strictWarnings.ts';

/** The content type of a server-side apply. The body is YAML or JSON, which is YAML too. */
export const APPLY_TYPE = 'application/apply-patch+yaml';

export interface ConfigurationBody {
  readonly bytes: Uint8Array;
  /** The version and kind that the path names. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly fieldValidation: FieldValidation;
  /** What the request may take. */
  readonly budget: RequestBudget;
}

export interface Configuration {
  readonly config: JsonMap;
  /** For Warning headers. */
  readonly warnings: readonly string[];
}

/**
 * Reads what is applied: an object, of which any part may be missing but its apiVersion and kind. Rejects with ApiError, as Kubernetes words it: BadRequest for a body that is not YAML, for another
 * version or kind than the path's, for managedFields in the body, and for a key that comes twice, unless the validation is `Warn` or `Ignore`.
 */
export async function decodeConfiguration({
  bytes,
  apiVersion,
  kind,
  fieldValidation,
  budget,
}: ConfigurationBody): Promise<Configuration> {
  const decoded = await decodeYaml(new TextDecoder().decode(bytes), limitsOf({ apiVersion, kind, budget }));
  if (decoded.error !== undefined) throw badRequest(`error decoding YAML: ${decoded.error}`);
  const config = requireMap(decoded.value);
  if (config['apiVersion'] !== apiVersion || config['kind'] !== kind)
    throw badRequest(`invalid object type: ${kindText(config)}`);
  if (isMap(config['metadata']) && Array.isArray(config['metadata']['managedFields']))
    throw badRequest('metadata.managedFields must be nil');
  const problems = decoded.strictErrors.map((error) => `error converting YAML to JSON: ${error}`);
  if (fieldValidation === 'Strict' && problems.length > 0)
    throw badRequest(`error strict decoding YAML: ${problems.join(', ')}`);
  return { config, warnings: fieldValidation === 'Warn' ? strictWarnings(problems) : [] };
}

function requireMap(value: unknown): JsonMap {
  if (value === null || value === undefined) return {};
  if (isMap(value)) return value;
  const why = `json: cannot unmarshal ${jsonWord(value)} into Go value of type map[string]interface {}`;
  throw new ApiError('BadRequest', `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod` */
export function kindText({ apiVersion, kind }: JsonMap): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  return `${version.includes('/') ? '' : '/'}${version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}
