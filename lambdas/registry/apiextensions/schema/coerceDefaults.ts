import { coerceEmbedded } from './embeddedResources.ts';
import type { JsonSchemaProps } from './JsonSchemaProps.ts';

/**
 * Changes the defaults in a valid schema, and so the JSON that it was parsed from: the metadata of embedded resources in them loses fields that it does not know. Upstream's `defaulting.ValidateDefaults` has
 * this effect on the definitions that it lets in. Within additionalProperties there are no defaults.
 */
export function coerceDefaults(schema: JsonSchemaProps): void {
  // A value within metadata has none of its own, so it stays as it is.
  if (schema.default !== undefined) coerceEmbedded(schema.default, schema);
  if (schema.items !== undefined) coerceDefaults(schema.items);
  for (const property of schema.properties?.values() ?? []) coerceDefaults(property);
}
