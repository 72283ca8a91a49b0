import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TableKey } from '../../../lambdas/adapters/aws/tables.ts';
import { normalized } from './attributeValues.ts';
import { nameOf, valueOf } from './evaluateCondition.ts';
import type { Scope } from './ExpressionReader.ts';
import type { Condition, Operand } from './parseCondition.ts';
import type { Bound } from './SortedEntries.ts';
import { validationError } from './serviceErrors.ts';
import { keyText, type Shape, sortKeyOf } from './TableShape.ts';

/** What a key condition selects: one partition key, and a range of sort keys. */
export interface KeyRange {
  readonly hash: string;
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
}

/** Reads a key condition. Throws DynamoDB's error if it does not select one partition key and one range. */
export function keyRange(condition: Condition, { partitionKey, sortKey }: Shape, scope: Scope): KeyRange {
  const parts = condition.kind === 'and' ? condition.parts : [condition];
  const [first, ...others] = parts.filter((part) => isOn(part, partitionKey, scope));
  if (first?.kind !== 'compare' || first.by !== '=' || others.length > 0 || parts.length > 2) {
    throw validationError('Query key condition not supported');
  }
  const hash = keyText(keyOf(first.right, partitionKey, scope));
  const range = parts.find((part) => part !== first);
  if (!range) return { hash, from: undefined, to: undefined };
  if (!sortKey || !isOn(range, sortKey, scope)) throw validationError('Query key condition not supported');
  return { hash, ...boundsOf(range, sortKey, scope) };
}

function boundsOf(range: Condition, sortKey: TableKey, scope: Scope): Pick<KeyRange, 'from' | 'to'> {
  const keyAt = (operand: Operand) => sortKeyOf(keyOf(operand, sortKey, scope));
  if (range.kind === 'between') {
    const [low, high] = [keyAt(range.low), keyAt(range.high)];
    if (low > high)
      throw validationError(
        'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
      );
    return { from: { key: low, side: 'before' }, to: { key: high, side: 'after' } };
  }
  if (range.kind === 'begins_with') {
    const prefix = String(keyAt(range.right));
    return { from: { key: prefix, side: 'before' }, to: endOfPrefix(prefix) };
  }
  if (range.kind !== 'compare') throw validationError('Query key condition not supported');
  const key = keyAt(range.right);
  const [before, after] = [
    { key, side: 'before' },
    { key, side: 'after' },
  ] as const;
  switch (range.by) {
    case '=':
      return { from: before, to: after };
    case '<':
      return { from: undefined, to: before };
    case '<=':
      return { from: undefined, to: after };
    case '>':
      return { from: after, to: undefined };
    case '>=':
      return { from: before, to: undefined };
    case '<>':
      throw validationError('Unsupported operator on KeyCondition');
  }
}

/** Returns the bound behind all texts with a prefix: before the prefix with its last unit raised by one. */
function endOfPrefix(prefix: string): Bound | undefined {
  const trimmed = prefix.replace(/\uffff+$/, '');
  if (trimmed === '') return undefined;
  const last = trimmed.charCodeAt(trimmed.length - 1);
  return { key: trimmed.slice(0, -1) + String.fromCharCode(last + 1), side: 'before' };
}

function isOn(condition: Condition, key: TableKey, scope: Scope): boolean {
  const operand = operandOf(condition);
  return operand?.kind === 'path' && operand.path.length === 1 && nameOf(operand.path[0] ?? '', scope) === key.name;
}

function operandOf(condition: Condition): Operand | undefined {
  if (condition.kind === 'compare' || condition.kind === 'begins_with') return condition.left;
  return condition.kind === 'between' ? condition.operand : undefined;
}

function keyOf(operand: Operand, { name, type }: TableKey, scope: Scope): AttributeValue {
  const value = operand.kind === 'value' ? valueOf(operand.value, scope) : undefined;
  if (value?.[type] === undefined) {
    throw validationError(
      `One or more parameter values were invalid: Condition parameter type does not match schema type; key: ${name}`,
    );
  }
  return normalized(value);
}
