import {
  AuthorizerValue,
  DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  ResourceCheckValue,
} from './AuthorizationValue.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './CelValue.ts';
import { CidrValue, FormatValue, IpValue, QuantityValue, SemverValue, UrlValue } from './LibraryValue.ts';

/** Names a value's type as `type(value)` does, and as messages of missing overloads do. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof CelMap) return value.typeName;
  return NAMES.find(([type]) => value instanceof type)?.[1] ?? 'dyn';
}

type ValueClass = abstract new (...args: never) => object;

const NAMES: readonly (readonly [ValueClass, string])[] = [
  [Uint8Array, 'bytes'],
  [CelUint, 'uint'],
  [CelDuration, 'google.protobuf.Duration'],
  [CelTimestamp, 'google.protobuf.Timestamp'],
  [CelTypeValue, 'type'],
  [CelOptional, 'optional_type'],
  [CelList, 'list'],
  [QuantityValue, 'kubernetes.Quantity'],
  [UrlValue, 'kubernetes.URL'],
  [IpValue, 'net.IP'],
  [CidrValue, 'net.CIDR'],
  [FormatValue, 'kubernetes.NamedFormat'],
  [SemverValue, 'kubernetes.Semver'],
  [AuthorizerValue, 'kubernetes.authorization.Authorizer'],
  [PathCheckValue, 'kubernetes.authorization.PathCheck'],
  [GroupCheckValue, 'kubernetes.authorization.GroupCheck'],
  [ResourceCheckValue, 'kubernetes.authorization.ResourceCheck'],
  [DecisionValue, 'kubernetes.authorization.Decision'],
];
