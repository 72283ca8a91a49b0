import type {
  FlowSchemaCondition,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from 'kubernetes-types/flowcontrol/v1.js';
import { isDns1123Label } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  distinct,
  dnsLabel,
  dnsSubdomain,
  enumOf,
  fields,
  items,
  nonEmptyList,
  nonEmptyText,
} from '../checks.ts';
import { forbidden, invalid, invalidEach, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf, textsOf } from '../fieldsOf.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

const subjectName = fields({ name: nonEmptyText() });

const serviceAccount = fields({
  name: nonEmptyText('', (value, path) => (value === '*' ? [] : dnsSubdomain(value, path))),
  namespace: nonEmptyText('must specify namespace for service account', dnsLabel),
});

/** The kinds of subjects, each with the only field that describes it, and the check of that. */
const SUBJECTS: Readonly<Record<string, { readonly field: keyof Subject; readonly check: Check }>> = {
  Group: { field: 'group', check: subjectName },
  ServiceAccount: { field: 'serviceAccount', check: serviceAccount },
  User: { field: 'user', check: subjectName },
};
/** The order of the errors about fields of other kinds. */
const OTHER_KINDS = ['ServiceAccount', 'User', 'Group'];

const subject: Check = (value, path) => {
  const given = fieldsOf<Subject>(value);
  const kind = textOf(given.kind);
  const own = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  if (own === undefined) return enumOf(...Object.keys(SUBJECTS))(kind, `${path}.kind`);
  const { field, check } = own;
  const errors = isPresent(given[field])
    ? check(given[field], `${path}.${field}`)
    : [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)];
  const others = OTHER_KINDS.flatMap((other) => {
    const name = SUBJECTS[other]?.field;
    if (other === kind || name === undefined || !isPresent(given[name])) return [];
    return [forbidden(`${path}.${name}`, `${name} is forbidden when subject kind is not '${other}'`)];
  });
  return [...errors, ...others];
};

/** A list in which a star stands for everything, alone; `check` sees a list without one. */
function starOr(what: string, check: Check = () => []): Check {
  return (value, path) => {
    const texts = textsOf(value);
    if (!texts.includes('*')) return check(value, path);
    return texts.length > 1 ? [invalid(path, value, `if '*' is present, must not specify other ${what}`)] : [];
  };
}

const verbs = nonEmptyList(
  'verbs must contain at least one value',
  starOr('verbs', (value, path) =>
    textsOf(value).every((verb) => VERBS.includes(verb)) ? [] : [notSupported(path, value, VERBS)],
  ),
);

const namespaceName: Check = (value, path) =>
  invalidEach(
    path,
    value,
    isDns1123Label(textOf(value)).map((error) => `each member of this list must be '*' or a DNS-1123 label; ${error}`),
  );

/** A rule about resources in no namespace must be about the cluster. */
const scope: Check = (value, path) => {
  const { namespaces, clusterScope } = fieldsOf<ResourcePolicyRule>(value);
  const at = `${path}.namespaces`;
  if (textsOf(namespaces).length > 0) return starOr('namespaces', items(namespaceName))(namespaces, at);
  if (clusterScope === true) return [];
  return [required(at, 'resource rules that are not cluster scoped must supply at least one namespace')];
};

function urlError(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}

const nonResourceUrl: Check = (value, path) => {
  const error = urlError(textOf(value));
  return error === undefined ? [] : [invalid(path, value, error)];
};

const hasRule: Check = (value, path) => {
  const { resourceRules, nonResourceRules } = fieldsOf<PolicyRulesWithSubjects>(value);
  const count = itemsOf(resourceRules).length + itemsOf(nonResourceRules).length;
  return count > 0 ? [] : [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')];
};

const resourceRule: Check = all(
  fields({
    verbs,
    apiGroups: nonEmptyList('resource rules must supply at least one api group', starOr('api groups')),
    resources: nonEmptyList('resource rules must supply at least one resource', starOr('resources')),
  }),
  scope,
);

/** Checks one rule of a FlowSchema: whose requests it is about, and which. Follows upstream's `ValidateFlowSchemaPolicyRulesWithSubjects`. */
export const flowSchemaRule: Check = all(
  fields({ subjects: nonEmptyList('subjects must contain at least one value', items(subject)) }),
  hasRule,
  fields({
    resourceRules: items(resourceRule),
    nonResourceRules: items(
      fields({
        verbs,
        nonResourceURLs: nonEmptyList(
          'nonResourceURLs must contain at least one value',
          starOr('non-resource URLs', items(nonResourceUrl)),
        ),
      }),
    ),
  }),
);

/** The conditions of flowcontrol's kinds: each type once. */
export const flowConditions: Check = all(
  distinct((condition) => fieldsOf<FlowSchemaCondition>(condition).type, '.type'),
  items(fields({ type: nonEmptyText('must not be empty') })),
);
