import { requestEntityTooLarge } from '../../objects/apiErrors.ts';
import { type DecodedText, decodeJson } from './decodeJson.ts';
import type { DecodingLimits } from './DecodingBudget.ts';

/** The largest YAML that is read. A YAML parser needs a hundred times as long as a JSON parser; kubectl converts manifests to JSON itself. */
const MAX_YAML_BYTES = 32_000;

/** The YAML parser's steps. */
const STEPS_PER_YAML_CHARACTER = 20;

/**
 * Decodes one YAML document by converting it to JSON, as Kubernetes does. JSON is YAML too, and is read as JSON. Anchors are allowed, but not so many aliases that
 * a small text becomes huge. A document without a JSON form (a cycle, a map as a key, an unknown tag) is an error. Rejects with ApiError RequestEntityTooLarge for too
 * much content.
 */
export async function decodeYaml(text: string, limits: DecodingLimits): Promise<DecodedText> {
  if (/^\s*\{/.test(text)) {
    const json = decodeJson(text, limits);
    if (json.error === undefined) return json;
  }
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) throw requestEntityTooLarge(MAX_YAML_BYTES, 'bytes of YAML');
  // Most clients send JSON, and loading the YAML library takes longer than many requests.
  const { convertYaml } = await import('./convertYaml.ts');
  limits.budget.spend(text.length * STEPS_PER_YAML_CHARACTER);
  return convertYaml(text, limits);
}
