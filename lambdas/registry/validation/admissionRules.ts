import type { MatchCondition } from 'kubernetes-types/admissionregistration/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { admissionEnvironment } from '../admission/policies/AdmissionEnvironment.ts';
import { compileCondition } from '../admission/policies/Condition.ts';
import { all, type Check, enumOf, fields, format, ifPresent, items, nonEmptyList, nonEmptyText } from './checks.ts';
import { duplicate, invalid, required, tooMany } from './fieldErrors.ts';
import { fieldsOf, textOf, textsOf } from './fieldsOf.ts';

/** The checks that admission policies and webhooks share, as upstream's validation of admissionregistration. */

const MAX_MATCH_CONDITIONS = 64;

export const failurePolicy = enumOf('Fail', 'Ignore');
export const matchPolicy = enumOf('Exact', 'Equivalent');

/** A star stands for everything, so it stands alone. */
function starAlone(what: string): Check {
  return (value, path) =>
    textsOf(value).length > 1 && textsOf(value).includes('*')
      ? [invalid(path, value, `if '*' is present, must not specify other ${what}`)]
      : [];
}

/** Refuses resources that another one includes: `pods/log` beside `pods/*`. */
const resources: Check = (value, path) => {
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  for (const [index, text] of textsOf(value).entries()) {
    const at = `${path}[${index}]`;
    const slash = text.indexOf('/');
    if (text === '') errors.push(required(at));
    if (slash < 0) continue;
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholeResources.has(resource))
      errors.push(invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (wholeSubresources.has(subresource))
      errors.push(invalid(at, text, `if '*/${subresource}' is present, must not specify ${text}`));
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  }
  return errors;
};

const starsAlone: Check = (value, path) => {
  const texts = textsOf(value);
  const plain = texts.findLast((text) => text !== '' && !text.includes('/'));
  return [
    ...(texts.length > 1 && texts.includes('*/*')
      ? [invalid(path, value, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(texts.includes('*') && plain !== undefined && plain !== '*'
      ? [invalid(path, value, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
};

/** A rule that says which operations on which resources it is about. */
export const ruleWithOperations: Check = fields({
  operations: all(
    nonEmptyList('', starAlone('operations')),
    items(enumOf('*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT')),
  ),
  apiGroups: nonEmptyList('', starAlone('API groups')),
  apiVersions: nonEmptyList('', all(starAlone('API versions'), items(nonEmptyText()))),
  resources: nonEmptyList('', all(resources, starsAlone)),
  scope: ifPresent(enumOf('Cluster', 'Namespaced', '*')),
});

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
