import type { FieldError } from '../../../objects/FieldError.ts';
import { isPathSegmentName } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  distinct,
  enumOf,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
  present,
} from '../checks.ts';
import { invalid, required } from '../fieldErrors.ts';
import { textsOf } from '../fieldsOf.ts';
import { validateLabelSelector } from '../validateLabels.ts';

/** The checks that admission policies and webhooks share, as upstream's validation of admissionregistration. */

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

const rules = items(
  all(
    fields({
      resourceNames: all(
        items(format(isPathSegmentName)),
        distinct((name) => name),
      ),
    }),
    ruleWithOperations,
  ),
);

/** What a policy or a binding matches: `MatchResources`, with its defaults. */
export const matchResources: Check = fields({
  matchPolicy: present('', matchPolicy),
  namespaceSelector: present('', validateLabelSelector),
  objectSelector: present('', validateLabelSelector),
  resourceRules: rules,
  excludeResourceRules: rules,
});
