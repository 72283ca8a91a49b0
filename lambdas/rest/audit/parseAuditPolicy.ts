import { LineCounter } from 'yaml';
import { AUDIT_LEVELS, AUDIT_STAGES } from '../../objects/audit/AuditEvent.ts';
import { type FieldError, fieldErrorsMessage } from '../../objects/FieldError.ts';
import { isObject } from '../../objects/json.ts';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { invalid, notSupported, required } from '../../registry/validation/fieldErrors.ts';
import { parseYaml } from '../codec/parseYaml.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './AuditPolicy.ts';

/** A policy that Kubernetes refuses. The message is one line, in its words. */
export class AuditPolicyError extends Error {
  constructor(message: string) {
    super(message.split('\n', 1)[0]);
    this.name = 'AuditPolicyError';
  }
}

/**
 * Reads the text of a policy file: YAML or JSON of an `audit.k8s.io/v1` Policy. Fields that a Policy does not have are passed over, as in Kubernetes. Throws an AuditPolicyError. Follows upstream's
 * `audit/policy.LoadPolicyFromBytes` and `apis/audit/validation`.
 */
export function parseAuditPolicy(text: string): AuditPolicy {
  return checkAuditPolicy(valueOf(text));
}

function valueOf(text: string): unknown {
  try {
    const document = parseYaml(text, new LineCounter());
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS();
  } catch (error) {
    throw new AuditPolicyError(`failed decoding: yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Checks a decoded policy. Throws an AuditPolicyError. Pure. */
function checkAuditPolicy(value: unknown): AuditPolicy {
  const { apiVersion, kind, ...policy } = isObject(value) ? value : {};
  if (apiVersion !== 'audit.k8s.io/v1' || kind !== 'Policy') {
    const found = `${typeof apiVersion === 'string' ? apiVersion : ''}, Kind=${typeof kind === 'string' ? kind : ''}`;
    throw new AuditPolicyError(`unknown group version field ${found} in policy`);
  }
  const problem = typeProblem(policy, POLICY);
  if (problem !== undefined) throw new AuditPolicyError(`failed decoding: ${problem}`);
  const checked = withoutNulls(policy) as AuditPolicy;
  const errors = [
    ...stageErrors(checked.omitStages, 'omitStages'),
    ...(checked.rules ?? []).flatMap((rule, at) => ruleErrors(rule, `rules[${at}]`)),
  ];
  if (errors.length > 0) throw new AuditPolicyError(fieldErrorsMessage(errors));
  if (!checked.rules?.length) throw new AuditPolicyError('loaded illegal policy with 0 rules');
  return checked;
}

/** The types of fields: a name, or the fields of an object; in a list, of each item. */
type FieldType = 'string' | 'boolean' | readonly [FieldType] | { readonly [field: string]: FieldType };

const TEXTS = ['string'] as const;
const POLICY: FieldType = {
  rules: [
    {
      level: 'string',
      users: TEXTS,
      userGroups: TEXTS,
      verbs: TEXTS,
      resources: [{ group: 'string', resources: TEXTS, resourceNames: TEXTS }],
      namespaces: TEXTS,
      nonResourceURLs: TEXTS,
      omitStages: TEXTS,
      omitManagedFields: 'boolean',
    },
  ],
  omitStages: TEXTS,
  omitManagedFields: 'boolean',
};

/** Says which field has another type than it should have; `undefined` if none. */
function typeProblem(value: unknown, type: FieldType, path = ''): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof type === 'string') return typeof value === type ? undefined : `${path} must be a ${type}`;
  if (isList(type)) {
    if (!Array.isArray(value)) return `${path} must be a list`;
    return firstOf(value.map((item, at) => itemProblem(item, type[0], `${path}[${at}]`)));
  }
  if (!isObject(value)) return `${path} must be an object`;
  const fields = Object.entries(type);
  return firstOf(fields.map(([name, own]) => typeProblem(value[name], own, path === '' ? name : `${path}.${name}`)));
}

function itemProblem(item: unknown, type: FieldType, path: string): string | undefined {
  return item === null ? `${path} must not be null` : typeProblem(item, type, path);
}

/** A field that is null is as good as absent. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_name, member: unknown) => (member === null ? undefined : member)));
}

function isList(type: object): type is readonly [FieldType] {
  return Array.isArray(type);
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function ruleErrors(rule: AuditRule, path: string): FieldError[] {
  const { nonResourceURLs = [], resources = [], namespaces = [] } = rule;
  const isMixed = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelErrors(rule.level, `${path}.level`),
    ...nonResourceURLs.flatMap((url, at) => urlErrors(url, `${path}.nonResourceURLs[${at}]`)),
    // Kubernetes does not say which item of the list it is.
    ...resources.flatMap((one) => resourceErrors(one, `${path}.resources`)),
    ...stageErrors(rule.omitStages, `${path}.omitStages`),
    ...(isMixed ? [invalid(`${path}.nonResourceURLs`, nonResourceURLs, MIXED)] : []),
  ];
}

const MIXED = 'rules cannot apply to both regular resources and non-resource URLs';

function levelErrors(level: string | undefined, path: string): FieldError[] {
  if (!level) return [required(path)];
  return (AUDIT_LEVELS as readonly string[]).includes(level) ? [] : [notSupported(path, level, AUDIT_LEVELS)];
}

function urlErrors(url: string, path: string): FieldError[] {
  if (url === '*') return [];
  return [
    ...(url.startsWith('/') ? [] : [invalid(path, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourceErrors(
  { group = '', resources = [], resourceNames = [] }: AuditedResources,
  path: string,
): FieldError[] {
  const messages = group === '' ? [] : isDns1123Subdomain(group);
  return [
    ...(messages.length > 0 ? [invalid(`${path}.group`, group, messages.join(','))] : []),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [invalid(`${path}.resourceNames`, resourceNames, 'using resourceNames requires at least one resource')]
      : []),
  ];
}

function stageErrors(stages: readonly string[] = [], path: string): FieldError[] {
  return stages.flatMap((stage, at) =>
    (AUDIT_STAGES as readonly string[]).includes(stage)
      ? []
      : [invalid(`${path}[${at}]`, stage, `allowed stages are ${AUDIT_STAGES.join(',')}`)],
  );
}
