import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { spendOnCompiling } from '../../admission/policies/spendOnCompiling.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { isDns1035Label, isDns1123Subdomain, isQualifiedName } from '../../../objects/nameFormats.ts';
import { admissionEnvironment } from '../../admission/policies/AdmissionEnvironment.ts';
import { compileVariable } from '../../admission/policies/AdmissionInput.ts';
import { compileCondition } from '../../admission/policies/Condition.ts';
import type { CelType } from '../../cel/CelType.ts';
import type { CelEnvironment } from '../../cel/check/CelEnvironment.ts';
import { failurePolicy, matchResources } from './admissionRules.ts';
import {
  all,
  type Check,
  distinct,
  enumOf,
  fields,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
  present,
} from '../checks.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { matchConditions } from './matchConditions.ts';

const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_EXPRESSION_BYTES = 5 * 1024;

const paramVersion: Check = (value, path) => {
  const text = textOf(value);
  const parts = text.split('/');
  if (text === '') return [required(path)];
  if (parts.length > 2) return [invalid(path, text, `unexpected GroupVersion string: ${text}`)];
  const [group = '', version = ''] = parts.length === 1 ? ['', text] : parts;
  const groupErrors = group === '' ? [] : isDns1123Subdomain(group);
  if (version === '') return [...joined(path, group, groupErrors), invalid(path, text, 'version must be specified')];
  return [...joined(path, group, groupErrors), ...joined(path, version, isDns1035Label(version))];
};

function joined(path: string, value: string, errors: readonly string[]): FieldError[] {
  return errors.length === 0 ? [] : [invalid(path, value, errors.join(','))];
}

const paramKind: Check = (value, path) => {
  const errors = isDns1035Label(textOf(value).toLowerCase());
  return errors.length === 0
    ? []
    : [invalid(path, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
};

/** Checks a new ValidatingAdmissionPolicy, its expressions included. Follows upstream's `validateValidatingAdmissionPolicySpec`. */
export function validateAdmissionPolicy(policy: KubernetesObject, budget: RequestBudget): FieldError[] {
  return policyErrors(policy, true, budget);
}

/** Checks a changed policy. Match conditions are not checked again while neither they nor the kind of the parameters change. */
export function validateAdmissionPolicyUpdate(
  policy: KubernetesObject,
  old: KubernetesObject,
  budget: RequestBudget,
): FieldError[] {
  const [spec, before] = [policy, old].map((one) => {
    const { paramKind: kind, matchConditions: conditions } = fieldsOf<ValidatingAdmissionPolicySpec>(one['spec']);
    return { kind, conditions };
  });
  return policyErrors(policy, !jsonEqual(spec, before), budget);
}

function policyErrors(policy: KubernetesObject, checksConditions: boolean, budget: RequestBudget): FieldError[] {
  const spec = fieldsOf<ValidatingAdmissionPolicySpec>(policy['spec']);
  spendOnCompiling(budget, [spec.variables, spec.validations, spec.auditAnnotations, spec.matchConditions]);
  const hasParams = isPresent(spec.paramKind);
  return [
    ...fields({
      failurePolicy: present('', failurePolicy),
      paramKind: ifPresent(fields({ apiVersion: paramVersion, kind: nonEmptyText('', paramKind) })),
      matchConstraints: present('', all(matchResources, fields({ resourceRules: nonEmptyList() }))),
      matchConditions: checksConditions ? matchConditions(hasParams) : () => [],
    })(spec, 'spec'),
    ...expressionErrors(policy, spec, hasParams),
  ];
}

function expressionErrors(
  { metadata }: KubernetesObject,
  spec: ReturnType<typeof fieldsOf<ValidatingAdmissionPolicySpec>>,
  hasParams: boolean,
): FieldError[] {
  const variables = new Map<string, CelType>();
  const errors = itemsOf<Variable>(spec.variables).flatMap((variable, index) =>
    variableErrors(variable, `spec.variables[${index}]`, hasParams, variables),
  );
  const options = { hasParams, ...(variables.size > 0 && { variables }) };
  const environment = admissionEnvironment(options);
  const [validations, annotations] = [itemsOf<Validation>(spec.validations), itemsOf(spec.auditAnnotations)];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [...errors, required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  const messages = admissionEnvironment({ ...options, hasAuthorizer: false });
  return [
    ...errors,
    ...items(validationCheck(environment, messages))(spec.validations, 'spec.validations'),
    ...annotationErrors(spec.auditAnnotations, metadata.name, environment),
  ];
}

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function variableErrors(
  variable: ReturnType<typeof fieldsOf<Variable>>,
  path: string,
  hasParams: boolean,
  types: Map<string, CelType>,
): FieldError[] {
  const [name, expression] = [textOf(variable.name), textOf(variable.expression)];
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
  const nameErrors = isIdentifier ? [] : [invalid(`${path}.name`, name, 'name is not a valid CEL identifier')];
  const errors = name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : nameErrors;
  if (expression.trim() === '') return [...errors, required(`${path}.expression`, 'expression is not specified')];
  const condition = compileVariable({ name, expression }, { hasParams }, types);
  return 'error' in condition ? [...errors, invalid(`${path}.expression`, expression, condition.error)] : errors;
}

/** An expression that compiles to one of some types. */
function expressionOf(environment: CelEnvironment, ...kinds: readonly CelType['kind'][]): Check {
  return (value, path) => {
    const condition = compileCondition(textOf(value), environment, kinds);
    return 'error' in condition ? [invalid(path, value, condition.error)] : [];
  };
}

function validationCheck(environment: CelEnvironment, messages: CelEnvironment): Check {
  return fields({
    expression: specified('expression is not specified', expressionOf(environment, 'bool')),
    messageExpression: (value, path) => {
      const text = textOf(value);
      if (text === '') return [];
      if (text.trim() === '') return [invalid(path, text, 'must be non-empty if specified')];
      return expressionOf(messages, 'string')(text, path);
    },
    message: (value, path) => {
      const text = textOf(value);
      if (text !== '' && text.trim() === '') return [invalid(path, text, 'message must be non-empty if specified')];
      return /[\n\r]/.test(text.trim()) ? [invalid(path, text, 'message must not contain line breaks')] : [];
    },
    reason: ifPresent(enumOf('Forbidden', 'Invalid', 'RequestEntityTooLarge')),
  } satisfies Record<keyof Validation, Check>);
}

function specified(detail: string, check: Check): Check {
  return (value, path) => (textOf(value).trim() === '' ? [required(path, detail)] : check(value, path));
}

function annotationErrors(value: unknown, policyName: string, environment: CelEnvironment): FieldError[] {
  const path = 'spec.auditAnnotations';
  const key: Check = (given, at) => {
    const whole = `${policyName}/${textOf(given)}`;
    return policyName === ''
      ? [invalid(at, given, 'requires metadata.name be non-empty')]
      : invalidEach(at, whole, isQualifiedName(whole));
  };
  const valueExpression = specified('valueExpression is not specified', (given, at) =>
    Buffer.byteLength(textOf(given).trim()) > MAX_ANNOTATION_EXPRESSION_BYTES
      ? [required(at, `must not exceed ${MAX_ANNOTATION_EXPRESSION_BYTES} bytes in length`)]
      : expressionOf(environment, 'string', 'null')(textOf(given).trim(), at),
  );
  return [
    ...(itemsOf(value).length > MAX_ANNOTATIONS
      ? [invalid(path, value, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`)]
      : []),
    ...items(fields({ key, valueExpression } satisfies Record<keyof AuditAnnotation, Check>))(value, path),
    ...distinct((item) => fieldsOf<AuditAnnotation>(item).key, '.key')(value, path),
  ];
}
