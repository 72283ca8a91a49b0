import type * as core from 'kubernetes-types/core/v1.js';
import { isValidLabelValue } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  fields,
  given,
  ifPresent,
  ifSet,
  items,
  itemsByKey,
  matching,
  nameOf,
  nonEmptyText,
  oneInOrder,
  optionalEnum,
  when,
  wrong,
} from '../checks.ts';
import { duplicate, invalid, notSupported } from '../fieldErrors.ts';
import { type Fields, isPresent, itemsOf, numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLabelName, validateLabelSelector } from '../validateLabels.ts';
import { validateSpreadLabelKeys } from './validateMatchLabelKeys.ts';

/** The operator of a toleration and its value. As in Kubernetes, all errors name the operator. */
function tolerationValue(operator: string, value: string): Check {
  return (_, path) => {
    if (operator === '' || operator === 'Equal') {
      const errors = isValidLabelValue(value);
      return errors.length === 0 ? [] : [invalid(path, value, errors.join(';'))];
    }
    if (operator !== 'Exists') return [notSupported(path, operator, ['Equal', 'Exists'])];
    return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
  };
}

const EFFECT = oneInOrder('NoSchedule', 'PreferNoSchedule', 'NoExecute');

/** A pod's tolerations. */
export const validateTolerations = items(
  given<core.Toleration>(({ key, operator, value, effect, tolerationSeconds }) => {
    const isForAll = textOf(key) === '' && operator !== 'Exists';
    const matchAll = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    return all(
      fields<core.Toleration>({
        key: ifSet(validateLabelName),
        operator: matching(() => !isForAll, matchAll),
        effect: matching(
          (text) => !isPresent(tolerationSeconds) || text === 'NoExecute',
          "effect must be 'NoExecute' when `tolerationSeconds` is set",
        ),
      }),
      fields<core.Toleration>({
        operator: tolerationValue(textOf(operator), textOf(value)),
        effect: when(textOf(effect) !== '', EFFECT),
      }),
    );
  }),
);

/** A pod's scheduling gates: each once. */
export const validateSchedulingGates = itemsByKey(nameOf, (isTaken) => (gate, path) => {
  const name = nameOf(gate as Fields<core.PodSchedulingGate>);
  return [...validateLabelName(name, path), ...(isTaken ? [duplicate(path, name)] : [])];
});

const positive: Check = (value, path) =>
  numberOf(value) > 0 ? [] : [invalid(path, numberOf(value), 'must be greater than zero')];

/** The pair that no two constraints of a pod may share, in Kubernetes' notation. */
function spreadKindOf(constraint: Fields<core.TopologySpreadConstraint>): string {
  return `{${textOf(constraint.topologyKey)}, ${textOf(constraint.whenUnsatisfiable)}}`;
}

/** A pod's topology spread constraints. All but the last of a kind are refused. */
export const validateTopologySpread: Check = (constraints, path) => {
  const list = itemsOf<core.TopologySpreadConstraint>(constraints);
  const lastOfKind = new Map(list.map((constraint, index) => [spreadKindOf(constraint), index]));
  return list.flatMap((constraint, index) => {
    const isRepeated = (lastOfKind.get(spreadKindOf(constraint)) ?? index) > index;
    return spreadConstraint(isRepeated)(constraint, `${path}[${index}]`);
  });
};

function spreadConstraint(isRepeated: boolean): Check {
  return given<core.TopologySpreadConstraint>((constraint) => {
    const action = textOf(constraint.whenUnsatisfiable);
    const onlyHard = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    const repeated: Check = (_, path) => [
      duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, spreadKindOf(constraint)),
    ];
    return all(
      fields<core.TopologySpreadConstraint>({
        maxSkew: positive,
        topologyKey: nonEmptyText('can not be empty'),
        whenUnsatisfiable: oneInOrder('DoNotSchedule', 'ScheduleAnyway'),
      }),
      when(isRepeated, repeated),
      fields<core.TopologySpreadConstraint>({
        minDomains: ifPresent(all(positive, when(action !== 'DoNotSchedule', wrong(onlyHard)))),
        nodeAffinityPolicy: optionalEnum('Honor', 'Ignore'),
        nodeTaintsPolicy: optionalEnum('Honor', 'Ignore'),
        matchLabelKeys: (keys, path) => validateSpreadLabelKeys(textsOf(keys), constraint.labelSelector, path),
        labelSelector: validateLabelSelector,
      }),
    );
  });
}
