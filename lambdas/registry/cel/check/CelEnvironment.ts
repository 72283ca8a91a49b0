import { type CelType, typeOf } from '../CelType.ts';
import type { Overload } from '../functions/Overload.ts';

/** What an expression may refer to: variables with their types, and functions. */
export interface CelEnvironment {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
}

/** Names that stand for types: `type(self) == string`. */
const TYPE_NAMES: Readonly<Record<string, CelType>> = {
  bool: { kind: 'bool' },
  bytes: { kind: 'bytes' },
  double: { kind: 'double' },
  dyn: { kind: 'dyn' },
  int: { kind: 'int' },
  list: { kind: 'list', params: [{ kind: 'dyn' }] },
  map: { kind: 'map', params: [{ kind: 'dyn' }, { kind: 'dyn' }] },
  null_type: { kind: 'null' },
  string: { kind: 'string' },
  type: { kind: 'type', params: [] },
  uint: { kind: 'uint' },
  optional_type: { kind: 'opaque', name: 'optional_type', params: [{ kind: 'dyn' }] },
  'google.protobuf.Duration': { kind: 'duration' },
  'google.protobuf.Timestamp': { kind: 'timestamp' },
  'kubernetes.URL': { kind: 'struct', name: 'kubernetes.URL' },
  'kubernetes.Quantity': { kind: 'struct', name: 'kubernetes.Quantity' },
  'kubernetes.NamedFormat': { kind: 'struct', name: 'kubernetes.NamedFormat' },
  'kubernetes.Semver': { kind: 'struct', name: 'kubernetes.Semver' },
  'net.IP': { kind: 'opaque', name: 'net.IP', params: [] },
  'net.CIDR': { kind: 'opaque', name: 'net.CIDR', params: [] },
};

/** Returns the type of a name's value: of a variable, or of a type. */
export function typeOfName(environment: CelEnvironment, name: string): CelType | undefined {
  const variable = environment.variables.get(name);
  if (variable !== undefined) return variable;
  return isTypeName(name) ? typeOf(TYPE_NAMES[name] ?? { kind: 'dyn' }) : undefined;
}

export function isTypeName(name: string): boolean {
  return Object.hasOwn(TYPE_NAMES, name);
}
