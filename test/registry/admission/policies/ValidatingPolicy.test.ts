import type { ValidatingAdmissionPolicySpec } from 'kubernetes-types/admissionregistration/v1.js';
import { describe, expect, it } from 'vitest';
import {
  compileMatchConditions,
  evaluateMatchConditions,
} from '../../../../lambdas/registry/admission/policies/matchConditions.ts';
import { BudgetExhaustedError, type BudgetLimits, RequestBudget } from '../../../../lambdas/objects/RequestBudget.ts';
import { compileValidatingPolicy } from '../../../../lambdas/registry/admission/policies/ValidatingPolicy.ts';

const INPUT = {
  object: { metadata: { name: 'web', labels: { app: 'a' } }, spec: { replicas: 7 } },
  oldObject: { metadata: { name: 'web' }, spec: { replicas: 3 } },
  request: { operation: 'UPDATE', namespace: 'prod', userInfo: { username: 'ann', groups: ['dev'] }, dryRun: false },
  namespaceObject: {
    metadata: { name: 'prod', uid: 'u1', labels: { tier: 'gold' }, creationTimestamp: '2026-01-01T00:00:00Z' },
  },
  params: { data: { maxReplicas: '5' } },
  budget: new RequestBudget(),
};

function evaluate(spec: ValidatingAdmissionPolicySpec) {
  return compileValidatingPolicy(spec).evaluate(INPUT);
}

function deny(message: string, reason = 'Invalid') {
  return { action: 'deny', failed: false, reason, message };
}

const admit = { action: 'admit', failed: false };

describe('compileValidatingPolicy', () => {
  it.each([
    [{ expression: 'object.spec.replicas <= 10' }, admit],
    [{ expression: 'object.spec.replicas <= 5' }, deny('failed expression: object.spec.replicas <= 5')],
    [
      { expression: 'object.spec.replicas <= 5', message: 'too many', reason: 'Forbidden' },
      deny('too many', 'Forbidden'),
    ],
    [
      {
        expression: 'object.spec.replicas <= 5',
        message: 'too many',
        messageExpression: '"at most 5, not " + string(object.spec.replicas)',
      },
      deny('at most 5, not 7'),
    ],
    [
      { expression: 'object.spec.replicas <= 5', message: 'too many', messageExpression: 'object.nothing' },
      deny('too many'),
    ],
    [
      {
        expression:
          'request.userInfo.username == "ann" && request.operation == "UPDATE" && request.namespace == "prod"',
      },
      admit,
    ],
    [{ expression: 'namespaceObject.metadata.labels.tier == "gold" && namespaceObject.metadata.UID == "u1"' }, admit],
    [{ expression: 'namespaceObject.metadata.creationTimestamp < timestamp("2027-01-01T00:00:00Z")' }, admit],
    [{ expression: 'oldObject == null || object.spec.replicas - oldObject.spec.replicas < 5' }, admit],
    [{ expression: 'object.metadata.?annotations[?"a"].orValue("") == ""' }, admit],
  ])('decides %j', (validation, decision) => {
    expect(evaluate({ validations: [validation] }).decisions).toEqual([decision]);
  });

  it('evaluates variables when they are asked for, each with those before it', () => {
    const spec = {
      variables: [
        { name: 'replicas', expression: 'object.spec.replicas' },
        { name: 'double', expression: 'variables.replicas * 2' },
        { name: 'broken', expression: '1 / 0' },
      ],
      validations: [{ expression: 'variables.double == 14' }, { expression: 'variables.broken == 1' }],
    };
    expect(evaluate(spec).decisions).toEqual([
      admit,
      {
        action: 'deny',
        failed: true,
        reason: 'Invalid',
        message:
          'expression \'variables.broken == 1\' resulted in error: composited variable "broken" fails to evaluate: division by zero',
      },
    ]);
  });

  it('knows parameters only if it has a kind of them', () => {
    const validations = [{ expression: 'object.spec.replicas <= int(params.data.maxReplicas)' }];
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(evaluate({ paramKind, validations }).decisions).toEqual([
      deny('failed expression: object.spec.replicas <= int(params.data.maxReplicas)'),
    ]);
    expect(evaluate({ validations }).decisions[0]).toMatchObject({
      action: 'deny',
      failed: true,
      message: expect.stringContaining("undeclared reference to 'params'"),
    });
  });

  it.each([
    [
      'Fail',
      {
        action: 'deny',
        failed: true,
        reason: 'Invalid',
        message: "expression 'object.x == 1' resulted in error: no such key: x",
      },
    ],
    [
      'Ignore',
      { action: 'admit', failed: true, message: "expression 'object.x == 1' resulted in error: no such key: x" },
    ],
  ])('decides what fails by the failure policy %s', (failurePolicy, decision) => {
    expect(evaluate({ failurePolicy, validations: [{ expression: 'object.x == 1' }] }).decisions).toEqual([decision]);
  });

  it('collects what is for the audit log', () => {
    const auditAnnotations = [
      { key: 'a', valueExpression: '"replicas " + string(object.spec.replicas)' },
      { key: 'b', valueExpression: 'null' },
      { key: 'c', valueExpression: 'object.spec.replicas' },
      { key: 'd', valueExpression: 'object.nothing' },
    ];
    expect(evaluate({ auditAnnotations }).annotations).toEqual([
      { action: 'publish', key: 'a', value: 'replicas 7' },
      { action: 'exclude', key: 'b' },
      {
        action: 'error',
        key: 'c',
        error: 'compilation error: must evaluate to one of [string null_type] but got dyn',
      },
      { action: 'error', key: 'd', error: 'compilation error: must evaluate to one of [string null_type] but got dyn' },
    ]);
  });

  it('says nothing of requests that it does not match', () => {
    const matchConditions = [{ name: 'm', expression: 'request.operation == "CREATE"' }];
    expect(evaluate({ matchConditions, validations: [{ expression: 'false' }] })).toEqual({
      decisions: [],
      annotations: [],
    });
  });

  it('stops expressions that cost too much', () => {
    const validations = [
      { expression: 'lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))' },
    ];
    expect(evaluate({ validations }).decisions[0]).toMatchObject({
      failed: true,
      message: expect.stringContaining('cost limit exceeded'),
    });
  });
});

describe('evaluateMatchConditions', () => {
  it.each([
    [['true', 'request.dryRun == false'], 'Fail', { status: 'matches' }],
    [['true', 'object.x == 1', 'false'], 'Fail', { status: 'doesNotMatch' }],
    [['object.x == 1'], 'Ignore', { status: 'doesNotMatch' }],
    [
      ['object.x == 1', 'object.y == 1'],
      'Fail',
      {
        status: 'failed',
        message:
          "[expression 'object.x == 1' resulted in error: no such key: x, expression 'object.y == 1' resulted in error: no such key: y]",
      },
    ],
    [['1'], 'Fail', { status: 'failed', message: 'compilation error: must evaluate to bool but got int' }],
  ] as const)('%j with the failure policy %s', (expressions, failurePolicy, expected) => {
    const conditions = compileMatchConditions(
      expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    );
    expect(evaluateMatchConditions(conditions, INPUT, failurePolicy)).toEqual(expected);
  });
});

describe('the expressions of a policy', () => {
  const EXPENSIVE = 'object.metadata.name.split("").all(c, c != "z")';
  const VARIABLE = {
    variables: [{ name: 'v', expression: '"a".split("")' }],
    validations: [{ expression: 'variables.v != []' }],
  };

  it.each<[what: string, spec: ValidatingAdmissionPolicySpec, limits: BudgetLimits, unit: string]>([
    ['a validation', { validations: [{ expression: EXPENSIVE }] }, { maxSteps: 1 }, 'steps of work'],
    [
      'a match condition',
      { matchConditions: [{ name: 'a', expression: EXPENSIVE }] },
      { maxSteps: 1 },
      'steps of work',
    ],
    ['a variable, which is kept', VARIABLE, { maxBytes: 1 }, 'bytes kept'],
  ])('draw on the budget of the request: %s', (_, spec, limits, unit) => {
    const policy = compileValidatingPolicy(spec);
    expect(() => policy.evaluate({ ...INPUT, budget: new RequestBudget(limits) })).toThrow(
      new BudgetExhaustedError(1, unit),
    );
    expect(policy.evaluate(INPUT).decisions).not.toContainEqual(expect.objectContaining({ failed: true }));
  });
});
