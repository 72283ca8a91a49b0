import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from 'kubernetes-types/flowcontrol/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isInRange } from '../../../objects/nameFormats.ts';
import { all, atLeast, atMost, type Check, enumOf, fields, ifPresent } from '../checks.ts';
import { forbidden, invalid, invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf } from '../fieldsOf.ts';
import { FIXED_LEVELS } from './fixedFlowControl.ts';

/** Set only by the server, between versions of the API that say in different ways that a level has no shares. */
const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const EXEMPT = 'exempt';

/** Returns the errors of a PriorityLevelConfiguration, new or changed, as `ValidatePriorityLevelConfiguration`. Pure. */
export function validatePriorityLevel({ metadata, ...object }: KubernetesObject): FieldError[] {
  const spec = fieldsOf<PriorityLevelConfigurationSpec>(object['spec']);
  const isNamed = metadata.name === EXEMPT;
  const annotations = Object.hasOwn(metadata.annotations ?? {}, ZERO_SHARES)
    ? [forbidden('metadata.annotations', `annotation '${ZERO_SHARES}' is forbidden`)]
    : [];
  return [
    ...annotations,
    ...(isNamed === (spec.type === 'Exempt')
      ? []
      : [invalid('spec.type', textOf(spec.type), "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...byType(spec, 'spec'),
    ...fixedErrors(metadata.name, spec),
  ];
}

/** Two levels always are as the API server makes them. Only what the exempt one lends can be set. */
function fixedErrors(name: string, spec: object): FieldError[] {
  const fixed = Object.hasOwn(FIXED_LEVELS, name) ? FIXED_LEVELS[name] : undefined;
  if (fixed === undefined) return [];
  if (name !== EXEMPT) {
    const isFixed = jsonEqual(spec, fixed);
    return isFixed ? [] : [invalid('spec', spec, `spec of '${name}' must equal the fixed value`)];
  }
  const { exempt: _, ...rest } = fieldsOf<PriorityLevelConfigurationSpec>(spec);
  if (jsonEqual(rest, { type: fixed.type })) return [];
  return [invalid('spec', spec, `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`)];
}

const byType: Check = (value, path) => {
  const { type, limited: given, exempt: exemption } = fieldsOf<PriorityLevelConfigurationSpec>(value);
  switch (textOf(type)) {
    case 'Exempt':
      return [
        ...(isPresent(given) ? [forbidden(`${path}.limited`, 'must be nil if the type is not Limited')] : []),
        ...ifPresent(exempt)(exemption, `${path}.exempt`),
      ];
    case 'Limited':
      return [
        ...(isPresent(exemption) ? [forbidden(`${path}.exempt`, 'must be nil if the type is Limited')] : []),
        ...(isPresent(given)
          ? limited(given, `${path}.limited`)
          : [required(`${path}.limited`, 'must not be empty when type is Limited')]),
      ];
    default:
      return enumOf('Exempt', 'Limited')(type, `${path}.type`);
  }
};

const percent: Check = (value, path) => invalidEach(path, value, isInRange(numberOf(value), 0, 100));
const positive = atLeast(1, 'must be positive');
const shares = atLeast(0, 'must be a non-negative integer');
const exempt: Check = fields({ nominalConcurrencyShares: shares, lendablePercent: percent });

const MAX_QUEUES = 10_000_000;
/** The bits of a hash, from which a request's hand of queues is dealt. */
const HASH_BITS = 60;

const handSize: Check = (value, path) => {
  const given = fieldsOf<QueuingConfiguration>(value);
  const [hand, queues] = [numberOf(given.handSize), numberOf(given.queues)];
  if (hand <= 0) return [invalid(path, hand, 'must be positive')];
  if (hand > queues) return [invalid(path, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= HASH_BITS) return [];
  const need = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(path, hand, `${need} should not be greater than ${HASH_BITS}`)];
};

const queuing: Check = (value, path) => [
  ...fields({
    queueLengthLimit: positive,
    queues: all(positive, atMost(MAX_QUEUES, `must not be greater than ${MAX_QUEUES}`)),
  })(value, path),
  ...handSize(value, `${path}.handSize`),
];

const limitResponse: Check = (value, path) => {
  const { type, queuing: given } = fieldsOf<LimitResponse>(value);
  const at = `${path}.queuing`;
  switch (textOf(type)) {
    case 'Reject':
      return isPresent(given) ? [forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return isPresent(given)
        ? queuing(given, at)
        : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return enumOf('Queue', 'Reject')(type, `${path}.type`);
  }
};

const limited: Check = fields({
  nominalConcurrencyShares: shares,
  limitResponse,
  lendablePercent: percent,
  borrowingLimitPercent: ifPresent(atLeast(0, 'if specified, must be a non-negative integer')),
} satisfies Record<keyof LimitedPriorityLevelConfiguration, Check>);
