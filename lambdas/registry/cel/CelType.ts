/** A type of CEL, as cel-go's checker knows it. */
export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly params: readonly [CelType] }
  | { readonly kind: 'map'; readonly params: readonly [CelType, CelType] }
  /** The type of a type: `int` in an expression has the type `type(int)`. */
  | { readonly kind: 'type'; readonly params: readonly CelType[] }
  /** A type with a name and parameters of its own: `optional_type(int)`, `net.IP`. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly CelType[] }
  /** An object with fields: what a schema describes, and some types of Kubernetes' libraries. */
  | { readonly kind: 'struct'; readonly name: string; readonly fields?: StructFields }
  | { readonly kind: 'param'; readonly name: string };

export type StructFields = ReadonlyMap<string, CelType>;

const SIMPLE_KINDS = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'duration',
  'timestamp',
  'null',
  'dyn',
  'error',
] as const;
type SimpleKind = (typeof SIMPLE_KINDS)[number];

const simpleTypes = new Map<string, CelType>(SIMPLE_KINDS.map((kind) => [kind, { kind }]));

/** Kubernetes' types that cel-go treats as objects without fields, and those that it treats as opaque. */
const STRUCTS = new Set([
  'kubernetes.URL',
  'kubernetes.Quantity',
  'kubernetes.NamedFormat',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

export function listOf(element: CelType): CelType {
  return { kind: 'list', params: [element] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', params: [key, value] };
}

export function optionalOf(value: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', params: [value] };
}

export function typeOf(value: CelType): CelType {
  return { kind: 'type', params: [value] };
}

export function simpleType(kind: SimpleKind): CelType {
  return { kind };
}

export function paramsOf(type: CelType): readonly CelType[] {
  return 'params' in type ? type.params : [];
}

export function isDyn({ kind }: CelType): boolean {
  return kind === 'dyn';
}

/** Returns the type within an optional one, or the type itself. */
export function unwrapOptional(type: CelType): { readonly type: CelType; readonly isOptional: boolean } {
  const [inner] = paramsOf(type);
  return type.kind === 'opaque' && type.name === 'optional_type' && inner !== undefined
    ? { type: inner, isOptional: true }
    : { type, isOptional: false };
}

/** Prints a type as cel-go does in its messages: `list(string)`. */
export function formatType(type: CelType): string {
  if (type.kind === 'error') return '!error!';
  if (type.kind === 'struct' || type.kind === 'param') return type.name;
  const name = type.kind === 'opaque' ? type.name : type.kind;
  const params = paramsOf(type);
  return params.length === 0 ? name : `${name}(${params.map(formatType).join(', ')})`;
}

export function isExactType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || nameOf(a) !== nameOf(b)) return false;
  const [left, right] = [paramsOf(a), paramsOf(b)];
  return left.length === right.length && left.every((one, index) => isExactType(one, right[index] ?? one));
}

export function nameOf(type: CelType): string {
  return 'name' in type ? type.name : type.kind;
}

/**
 * Parses the type of a declaration: `int`, `list(T)`, `map(K, V)`, `optional_type(V)`, `net.IP`. A single capital letter is a parameter. For the tables of
 * functions only.
 */
export function parseType(text: string): CelType {
  const [, name = '', inner] = /^([A-Za-z_.]+)(?:\((.*)\))?$/.exec(text.trim()) ?? [];
  const params = inner === undefined ? [] : splitTypes(inner).map(parseType);
  const [first, second] = params;
  if (/^[A-Z]$/.test(name)) return { kind: 'param', name };
  if (name === 'list' && first !== undefined) return listOf(first);
  if (name === 'map' && first !== undefined && second !== undefined) return mapOf(first, second);
  if (name === 'type') return { kind: 'type', params };
  if (STRUCTS.has(name)) return { kind: 'struct', name };
  return simpleTypes.get(name) ?? { kind: 'opaque', name, params };
}

/** Splits at commas outside of brackets. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, character] of text.split('').entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  const last = text.slice(start);
  return last.trim() === '' && parts.length === 0 ? [] : [...parts, last];
}
