import type { FieldError } from '../../objects/FieldError.ts';
import { validateSchema } from '../apiextensions/schema/validateSchema.ts';
import { fieldsOf } from '../validation/fieldsOf.ts';

/** Returns the errors of a version's `schema` member. An absent schema is reported elsewhere. `hasStatus`: whether the status subresource is served. Pure. */
export function validateVersionSchema(validation: unknown, path: string, hasStatus: boolean): FieldError[] {
  const schema = fieldsOf<{ openAPIV3Schema: unknown }>(validation).openAPIV3Schema;
  return schema === undefined
    ? []
    : validateSchema(schema, `${path}.openAPIV3Schema`, { statusSubresource: hasStatus });
}
