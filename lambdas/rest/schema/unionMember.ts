import type { FieldSchema, Schema } from './schemaOf.ts';

/** The member of a union in whose form a JSON value is written, such as the list of `JSONSchemaPropsOrArray`; `undefined` for a value that is in none of its forms. */
export function unionMember({ wireFields }: Schema, value: unknown): FieldSchema | undefined {
  return wireFields.find(({ shape, of }) => {
    if (shape === 'list') return Array.isArray(value);
    if (typeof of === 'string') return of === 'bool' && typeof value === 'boolean';
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  });
}
