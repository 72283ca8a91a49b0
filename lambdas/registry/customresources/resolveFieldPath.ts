import { goQuote } from '../../objects/goQuote.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';

interface SchemaFields {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly additionalProperties: unknown;
}

/** The type of the field at a path, or why there is none. */
export type ResolvedPath =
  | { readonly type: string; readonly error?: undefined }
  | { readonly error: string; readonly type?: undefined };

/** Follows a path such as `.spec.color` through the properties of a schema (the JSON of `openAPIV3Schema`). Lists have no place in such a path. Pure. */
export function resolveFieldPath(schema: unknown, path: string): ResolvedPath {
  const members = pathMembers(path);
  if (members === undefined) return { error: `unexpected path ${goQuote(path)}` };
  let at = fieldsOf<SchemaFields>(schema);
  for (const member of members) {
    const next = fieldsOf<Record<string, unknown>>(at.properties)[member] ?? at.additionalProperties;
    if (typeof next !== 'object' || next === null) return { error: 'does not refer to a valid field' };
    at = fieldsOf<SchemaFields>(next);
  }
  return { type: textOf(at.type) };
}

/** `.spec.a['b.c']` → `spec`, `a`, `b.c`; `undefined` for anything else. */
export function pathMembers(path: string): string[] | undefined {
  if (!/^(?:\.[A-Za-z_][\w-]*|\['[^']+'\])+$/.test(path)) return undefined;
  return [...path.matchAll(/\.([\w-]+)|\['([^']+)'\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '');
}
