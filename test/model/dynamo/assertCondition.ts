import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compareValues, typeOf } from './attributeValues.ts';
import { nameOf, valueOf } from './evaluateCondition.ts';
import type { Scope } from './ExpressionReader.ts';
import type { Condition, Operand } from './parseCondition.ts';
import { validationError } from './serviceErrors.ts';

const ORDERED: ReadonlySet<string> = new Set(['S', 'N', 'B']);

/** Throws for a condition that DynamoDB refuses whatever the item is: for operands of a wrong type, names and values that are missing. */
export function assertCondition(condition: Condition, scope: Scope): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.parts) assertCondition(part, scope);
      return;
    case 'not':
      return assertCondition(condition.part, scope);
    case 'exists':
      for (const step of condition.path) if (typeof step === 'string') nameOf(step, scope);
      return;
    case 'compare': {
      assertDistinct(condition.left, condition.right, scope);
      const isOrder = condition.by !== '=' && condition.by !== '<>';
      for (const operand of [condition.left, condition.right])
        assertOperand(operand, scope, isOrder ? ORDERED : undefined);
      return;
    }
    case 'between':
      return assertBetween(condition, scope);
    case 'in':
      for (const operand of [condition.operand, ...condition.among]) assertOperand(operand, scope, undefined);
      return;
    case 'attribute_type':
    case 'begins_with':
    case 'contains': {
      assertDistinct(condition.left, condition.right, scope);
      assertOperand(condition.left, scope, undefined);
      assertOperand(condition.right, scope, condition.kind === 'begins_with' ? new Set(['S', 'B']) : undefined);
      return;
    }
  }
}

function assertBetween({ operand, low, high }: Extract<Condition, { kind: 'between' }>, scope: Scope): void {
  for (const one of [operand, low, high]) assertOperand(one, scope, ORDERED);
  if (low.kind !== 'value' || high.kind !== 'value') return;
  const order = compareValues(valueOf(low.value, scope), valueOf(high.value, scope));
  if (order === undefined || order > 0) {
    throw validationError('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
}

/** Throws for a given value of another type. Attributes may be of any type. */
function assertOperand(operand: Operand, scope: Scope, allowed: ReadonlySet<string> | undefined): void {
  if (operand.kind !== 'value') {
    for (const step of operand.path) if (typeof step === 'string') nameOf(step, scope);
    return;
  }
  const value: AttributeValue = valueOf(operand.value, scope);
  if (allowed && !allowed.has(typeOf(value))) {
    throw validationError(`Incorrect operand type for operator or function; operand type: ${typeOf(value)}`);
  }
}

function assertDistinct(left: Operand, right: Operand, scope: Scope): void {
  if (left.kind !== 'path' || right.kind !== 'path' || left.path.length !== right.path.length) return;
  const isSame = left.path.every((step, at) => {
    const other = right.path[at] ?? '';
    return typeof step === 'number' || typeof other === 'number'
      ? step === other
      : nameOf(step, scope) === nameOf(other, scope);
  });
  if (isSame)
    throw validationError(
      'The first operand must be distinct from the remaining operands for this operator or function',
    );
}
