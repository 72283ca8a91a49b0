import type { MatchCondition } from 'kubernetes-types/admissionregistration/v1.js';
import { isQualifiedName } from '../../../objects/nameFormats.ts';
import { admissionEnvironment } from '../../admission/policies/AdmissionEnvironment.ts';
import { compileCondition } from '../../admission/policies/Condition.ts';
import { type Check, fields, format, nonEmptyText } from '../checks.ts';
import { duplicate, invalid, required, tooMany } from '../fieldErrors.ts';
import { fieldsOf, textOf } from '../fieldsOf.ts';

const MAX_MATCH_CONDITIONS = 64;

/** Conditions with names of their own, whose expressions compile. `hasParams`: they may refer to the parameters of a policy. */
export function matchConditions(hasParams = false): Check {
  const environment = admissionEnvironment({ hasParams });
  const expression: Check = (value, path) => {
    const text = textOf(value).trim();
    if (text === '') return [required(path)];
    const condition = compileCondition(text, environment, ['bool']);
    return 'error' in condition ? [invalid(path, text, condition.error)] : [];
  };
  const condition = fields({ expression, name: nonEmptyText('', format(isQualifiedName)) });
  return (value, path) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const seen = new Set<string>();
    return [
      ...(list.length > MAX_MATCH_CONDITIONS ? [tooMany(path, list.length, MAX_MATCH_CONDITIONS)] : []),
      ...list.flatMap((item, index) => {
        const name = textOf(fieldsOf<MatchCondition>(item).name);
        const repeated = name !== '' && seen.has(name);
        seen.add(name);
        const at = `${path}[${index}]`;
        return [...condition(item, at), ...(repeated ? [duplicate(`${at}.name`, name)] : [])];
      }),
    ];
  };
}
