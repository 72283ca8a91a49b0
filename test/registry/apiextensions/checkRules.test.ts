import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { validateSchema } from '../../../lambdas/registry/apiextensions/schema/validateSchema.ts';

/** The messages for a property `a` with rules, without the way to it and to the first rule. */
function messagesOf(property: object, ...rules: object[]): string[] {
  const a = { ...property, 'x-kubernetes-validations': rules };
  return validateSchema({ type: 'object', properties: { a } }, 'S', {
    statusSubresource: false,
    budget: new RequestBudget(),
  }).map((error) =>
    fieldErrorMessage(error)
      .replaceAll('S.properties[a].x-kubernetes-validations', 'R')
      .replace(/\{"Rule".*?\}: /s, ''),
  );
}

const text = { type: 'string' };
const HINT =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

describe('checkRules', () => {
  it.each([
    [
      text,
      'self == 1',
      [
        "R[0].rule: Invalid value: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(string, int)'\n | self == 1\n | .....^",
      ],
    ],
    [text, 'self', ['R[0].rule: Invalid value: cel expression must evaluate to a bool']],
    [{ type: 'object', properties: { 'a-b': text, namespace: text } }, 'self.a__dash__b != self.__namespace__', []],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      'self.metadata.name != self.kind',
      [],
    ],
    [{ 'x-kubernetes-int-or-string': true }, 'type(self) == int ? self > 1 : self == "50%"', []],
    [
      { 'x-kubernetes-preserve-unknown-fields': true },
      'true',
      [
        'R: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
      ],
    ],
    [{ type: 'string', format: 'date-time' }, 'self > timestamp("2024-01-01T00:00:00Z")', []],
  ])('judges the rule of %j: %s', (property, rule, expected) => {
    expect(messagesOf(property, { rule })).toEqual(expected);
  });

  it('counts what rules can cost', () => {
    const list = { type: 'array', items: { type: 'string', maxLength: 100 } };
    const rule = 'self.all(a, self.all(b, a == b))';
    expect(messagesOf({ ...list, maxItems: 100 }, { rule })).toEqual([]);
    expect(messagesOf(list, { rule })).toEqual([
      `R[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${HINT}`,
      'R[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      `S: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${HINT}`,
    ]);
  });

  it.each([
    [
      { rule: 'self > 1', optionalOldSelf: true },
      'R[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ],
    [
      { rule: 'self >= oldSelf', messageExpression: 'self' },
      'R[0].messageExpression: Invalid value: messageExpression must evaluate to a string',
    ],
    [{ rule: 'self >= oldSelf.orValue(0)', optionalOldSelf: true }, undefined],
  ])('judges %j', (rule, expected) => {
    expect(messagesOf({ type: 'integer' }, rule)[0]).toBe(expected);
  });

  it('refuses transition rules where the old value cannot be found', () => {
    const items = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] };
    const errors = validateSchema({ type: 'object', properties: { a: { type: 'array', maxItems: 5, items } } }, 'S', {
      statusSubresource: false,
      budget: new RequestBudget(),
    });
    expect(errors.map(fieldErrorMessage)).toEqual([
      'S.properties[a].items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within S.properties[a]',
    ]);
  });

  it('finds the old members of a map by their keys, also of an atomic one', () => {
    const properties = { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] } };
    const atomic = { type: 'object', 'x-kubernetes-map-type': 'atomic', properties };
    const schema = { type: 'object', properties: { m: atomic } };
    expect(validateSchema(schema, 'S', { statusSubresource: false, budget: new RequestBudget() })).toEqual([]);
  });
});
