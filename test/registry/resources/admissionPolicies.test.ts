import { describe, expect, it } from 'vitest';
import { validatingAdmissionPolicies as unloaded } from '../../../lambdas/registry/resources/validatingAdmissionPolicies.ts';
import { validatingAdmissionPolicyBindings } from '../../../lambdas/registry/resources/validatingAdmissionPolicyBindings.ts';
import { createErrors, objectOf, rowOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

const validatingAdmissionPolicies = {
  ...unloaded,
  strategy: { ...unloaded.strategy, ...(await unloaded.loadStrategy?.()) },
};

const RULE = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const SPEC = { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: 'true' }] };

function policyErrors(changes: object, metadata: Record<string, unknown> = {}): string[] {
  return createErrors(validatingAdmissionPolicies, { spec: { ...SPEC, ...changes } }, metadata);
}

function ruleErrors(changes: object): string[] {
  return policyErrors({ matchConstraints: { resourceRules: [{ ...RULE, ...changes }] } });
}

const compileError = (expression: string, column: number, message: string) =>
  `compilation failed: ERROR: <input>:1:${column}: ${message}\n | ${expression}\n | ${'.'.repeat(column - 1)}^`;

describe('ValidatingAdmissionPolicies', () => {
  it('fail closed, and match equivalent resources of every scope, unless they say otherwise', () => {
    const { spec } = objectOf(validatingAdmissionPolicies, { spec: SPEC });
    expect(spec).toEqual({
      ...SPEC,
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...RULE, scope: '*' }],
      },
    });
    expect(policyErrors({})).toEqual([]);
  });

  it('must match something and say something', () => {
    expect(createErrors(validatingAdmissionPolicies, {})).toEqual([
      'spec.matchConstraints: Required value',
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ]);
    expect(policyErrors({ matchConstraints: {} })).toEqual(['spec.matchConstraints.resourceRules: Required value']);
  });

  const at = 'spec.matchConstraints.resourceRules[0]';
  it.each<[object, string[]]>([
    [{ operations: [] }, [`${at}.operations: Required value`]],
    [
      { operations: ['*', 'CREATE'] },
      [`${at}.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
    ],
    [
      { operations: ['create'] },
      [
        `${at}.operations[0]: Unsupported value: "create": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
      ],
    ],
    [
      { apiGroups: ['*', ''] },
      [`${at}.apiGroups: Invalid value: ["*",""]: if '*' is present, must not specify other API groups`],
    ],
    [{ apiVersions: [''] }, [`${at}.apiVersions[0]: Required value`]],
    [
      { resources: ['pods/*', 'pods/log'] },
      [`${at}.resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`],
    ],
    [
      { resources: ['*/log', 'pods/log'] },
      [`${at}.resources[1]: Invalid value: "pods/log": if '*/log' is present, must not specify pods/log`],
    ],
    [
      { resources: ['*', 'pods'] },
      [
        `${at}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    [
      { scope: 'Everywhere' },
      [`${at}.scope: Unsupported value: "Everywhere": supported values: "*", "Cluster", "Namespaced"`],
    ],
    [{ resourceNames: ['a', 'a'] }, [`${at}.resourceNames[1]: Duplicate value: "a"`]],
  ])('refuse the rule %j', (changes, errors) => {
    expect(ruleErrors(changes)).toEqual(errors);
  });

  it.each<[object, string[]]>([
    [
      { failurePolicy: 'Maybe' },
      ['spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      { paramKind: { apiVersion: 'a/b/c', kind: 'x_y' } },
      [
        'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        "spec.paramKind.kind: Invalid value: \"x_y\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [{ paramKind: {} }, ['spec.paramKind.apiVersion: Required value', 'spec.paramKind.kind: Required value']],
    [
      { matchConditions: [{ name: 'a', expression: 'has(object.x)' }, { name: 'a', expression: 'nothing' }, {}] },
      [
        `spec.matchConditions[1].expression: Invalid value: "nothing": ${compileError('nothing', 1, "undeclared reference to 'nothing' (in container '')")}`,
        'spec.matchConditions[1].name: Duplicate value: "a"',
        'spec.matchConditions[2].expression: Required value',
        'spec.matchConditions[2].name: Required value',
      ],
    ],
    [
      { variables: [{ name: 'in', expression: '1' }, { name: '' }] },
      [
        'spec.variables[0].name: Invalid value: "in": name is not a valid CEL identifier',
        'spec.variables[1].name: Required value: name is not specified',
        'spec.variables[1].expression: Required value: expression is not specified',
      ],
    ],
    [
      {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'b', expression: 'variables.a + variables.c' },
        ],
      },
      [
        `spec.variables[1].expression: Invalid value: "variables.a + variables.c": ${compileError('variables.a + variables.c', 24, "undefined field 'c'")}`,
      ],
    ],
    [
      { validations: [{ expression: '1' }, { expression: ' ' }, { expression: 'params.x' }] },
      [
        'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
        'spec.validations[1].expression: Required value: expression is not specified',
        `spec.validations[2].expression: Invalid value: "params.x": ${compileError('params.x', 1, "undeclared reference to 'params' (in container '')")}`,
      ],
    ],
    [
      { validations: [{ expression: 'true', message: 'a\nb', messageExpression: ' ', reason: 'NotFound' }] },
      [
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "NotFound": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      { validations: [{ expression: 'true', messageExpression: 'authorizer' }] },
      [
        `spec.validations[0].messageExpression: Invalid value: "authorizer": ${compileError('authorizer', 1, "undeclared reference to 'authorizer' (in container '')")}`,
      ],
    ],
    [
      { auditAnnotations: [{ key: 'a b', valueExpression: '1' }, { key: 'a b' }] },
      [
        "spec.auditAnnotations[0].key: Invalid value: \"x/a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
        "spec.auditAnnotations[1].key: Invalid value: \"x/a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[1].key: Duplicate value: "a b"',
      ],
    ],
  ])('refuse %j', (changes, errors) => {
    expect(policyErrors(changes)).toEqual(errors);
  });

  it('may ask the authorizer, parameters and variables', () => {
    const expression =
      'authorizer.group("apps").resource("deployments").namespace(request.namespace).check("delete").allowed() && ' +
      'authorizer.requestResource.check("custom").allowed() && variables.limit > params.low';
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'limit', expression: 'int(params.data.limit)' }],
      validations: [{ expression, messageExpression: '"at most " + string(variables.limit)' }],
    };
    expect(policyErrors(spec)).toEqual([]);
  });

  it('print how many rules they have, and the kind of their parameters', () => {
    expect(rowOf(validatingAdmissionPolicies, { spec: SPEC })).toEqual({
      Name: 'x',
      Validations: 1,
      ParamKind: '<unset>',
      Age: '60s',
    });
    const spec = { ...SPEC, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    expect(rowOf(validatingAdmissionPolicies, { spec })).toMatchObject({ ParamKind: 'v1/ConfigMap' });
  });

  it('refuse a status that says nothing', () => {
    const status = { typeChecking: { expressionWarnings: [{}] }, conditions: [{ type: 'Ready', status: 'Yes' }] };
    expect(statusErrors(validatingAdmissionPolicies, status)).toEqual([
      'status.typeChecking.expressionWarnings[0].warning: Required value',
      'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
      'status.conditions[0].status: Unsupported value: "Yes": supported values: "False", "True", "Unknown"',
      'status.conditions[0].lastTransitionTime: Required value: must be set',
      'status.conditions[0].reason: Required value: must be set',
    ]);
  });

  it('keep match conditions that are wrong while nothing changes that they depend on', () => {
    const old = { spec: { ...SPEC, matchConditions: [{ name: 'a', expression: 'nothing' }] } };
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const errorsOf = (changes: object) =>
      updateErrors(validatingAdmissionPolicies, { spec: { ...old.spec, ...changes } }, old).map(
        (error) => error.split(':', 1)[0],
      );
    expect(errorsOf({ validations: [{ expression: '1 == 1' }] })).toEqual([]);
    expect(errorsOf({ paramKind })).toEqual(['spec.matchConditions[0].expression']);
    expect(errorsOf({ matchConditions: [{ name: 'b', expression: 'nothing' }] })).toEqual([
      'spec.matchConditions[0].expression',
    ]);
  });
});

describe('ValidatingAdmissionPolicyBindings', () => {
  const errorsOf = (spec: object) => createErrors(validatingAdmissionPolicyBindings, { spec });

  it.each<[object, string[]]>([
    [{ policyName: 'p', validationActions: ['Deny', 'Audit'] }, []],
    [
      {},
      [
        'spec.policyName: Required value',
        'spec.validationActions: Required value: at least one validation action is required',
      ],
    ],
    [
      { policyName: 'p', validationActions: ['Deny', 'Warn'] },
      [
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      { policyName: 'p', validationActions: ['Stop'] },
      ['spec.validationActions[0]: Unsupported value: "Stop": supported values: "Audit", "Deny", "Warn"'],
    ],
    [
      { policyName: 'p', validationActions: ['Deny'], paramRef: {} },
      ['spec.paramRef: Required value: one of name or selector must be specified'],
    ],
    [
      {
        policyName: 'p',
        validationActions: ['Deny'],
        paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Ask' },
      },
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "Ask": supported values: "Deny", "Allow"',
      ],
    ],
    [
      { policyName: 'p', validationActions: ['Deny'], matchResources: { matchPolicy: 'Some' } },
      ['spec.matchResources.matchPolicy: Unsupported value: "Some": supported values: "Equivalent", "Exact"'],
    ],
  ])('%j', (spec, errors) => {
    expect(errorsOf(spec)).toEqual(errors);
  });

  it('print the policy and the parameters', () => {
    const spec = { policyName: 'p', validationActions: ['Deny'] };
    expect(rowOf(validatingAdmissionPolicyBindings, { spec })).toEqual({
      Name: 'x',
      PolicyName: 'p',
      ParamRef: '<unset>',
      Age: '60s',
    });
    const withParams = { ...spec, paramRef: { namespace: 'ns', name: 'limits' } };
    expect(rowOf(validatingAdmissionPolicyBindings, { spec: withParams })).toMatchObject({ ParamRef: 'ns/limits' });
  });
});
