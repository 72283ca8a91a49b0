import { childPath, keyPath } from './fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from './JsonSchemaProps.ts';

export type FoundField =
  | {
      /** The path without its first dot: `spec.labels[app]`. */
      readonly path: string;
      readonly schema: JsonSchemaProps | undefined;
      /** The names along the path. */
      readonly names: readonly string[];
    }
  | { readonly error: string };

/**
 * Follows a path such as `.spec.foo` or `.labels['app']` through a schema, as upstream's `ValidFieldPath` does for the `fieldPath` of rules and for selectable
 * fields. `allowsBrackets` is false for the latter. Pure.
 */
export function findFieldPath(jsonPath: string, root: JsonSchemaProps, allowsBrackets = true): FoundField {
  const tokens = jsonPath.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
  const names: string[] = [];
  let schema: JsonSchemaProps | undefined = root;
  let path = '';
  for (let index = 0; index < tokens.length; ) {
    const step = readStep(tokens, index, allowsBrackets);
    if ('error' in step) return step;
    if (schema?.properties !== undefined) {
      if (!schema.properties.has(step.name)) return { error: 'does not refer to a valid field' };
      path = childPath(path, step.name);
      schema = schema.properties.get(step.name);
    } else if (schema?.additionalProperties !== undefined) {
      path = keyPath(path, step.name);
      schema = valuesSchema(schema);
    } else return { error: 'does not refer to a valid field' };
    names.push(step.name);
    index += step.length;
  }
  return { path, schema, names };
}

type Step = { readonly name: string; readonly length: number } | { readonly error: string };

/** Reads `.name`, which is two tokens, or `['name']`, which is three. */
function readStep(tokens: readonly string[], index: number, allowsBrackets: boolean): Step {
  const [first = '', name, close] = tokens.slice(index, index + 3);
  if (first !== '.' && first !== '[') return { error: `expected [ or . but got: ${first}` };
  if (first === '[' && !allowsBrackets) return { error: 'array notation is not allowed' };
  if (name === undefined) return { error: 'unexpected end of JSON path' };
  if (first === '.') return { name, length: 2 };
  if (!/^'.*'$/s.test(name)) return { error: `expected single quoted string but got ${name}` };
  if (close === undefined) return { error: 'unexpected end of JSON path' };
  if (close !== ']') return { error: `expected ] but got ${close}` };
  return { name: name.slice(1, -1).replace(/\\(.)/g, '$1'), length: 3 };
}
