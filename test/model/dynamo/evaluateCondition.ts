import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { areEqual, compareValues, type Item, membersOf, typeOf } from './attributeValues.ts';
import type { Path, Scope } from './ExpressionReader.ts';
import type { Comparator, Condition, Operand } from './parseCondition.ts';
import { validationError } from './serviceErrors.ts';

/** Says whether an item fulfils a condition. An absent item has no attributes. */
export function evaluateCondition(condition: Condition, item: Item, scope: Scope): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => evaluateCondition(part, item, scope));
    case 'or':
      return condition.parts.some((part) => evaluateCondition(part, item, scope));
    case 'not':
      return !evaluateCondition(condition.part, item, scope);
    case 'exists':
      return (valueAt(item, condition.path, scope) !== undefined) === condition.isWanted;
    case 'compare':
      return compare(condition.by, resolve(condition.left, item, scope), resolve(condition.right, item, scope));
    case 'between': {
      const value = resolve(condition.operand, item, scope);
      const isAbove = compare('>=', value, resolve(condition.low, item, scope));
      return isAbove && compare('<=', value, resolve(condition.high, item, scope));
    }
    case 'in': {
      const value = resolve(condition.operand, item, scope);
      return condition.among.some((one) => compare('=', value, resolve(one, item, scope)));
    }
    case 'attribute_type':
    case 'begins_with':
    case 'contains':
      return test(condition.kind, resolve(condition.left, item, scope), resolve(condition.right, item, scope));
  }
}

/** Returns the value at a path; `undefined` if the item has no such path. */
export function valueAt(item: Item, path: Path, scope: Scope): AttributeValue | undefined {
  let value = item[nameOf(path[0] ?? '', scope)];
  for (let at = 1; at < path.length && value; at += 1) {
    const step = path[at] ?? '';
    value = typeof step === 'number' ? value.L?.[step] : value.M?.[nameOf(step, scope)];
  }
  return value;
}

/** Returns the attribute's name that a step of a path stands for. */
export function nameOf(step: string | number, { names }: Scope): string {
  const word = String(step);
  if (!word.startsWith('#')) return word;
  const name = names[word];
  if (name === undefined) {
    throw validationError(
      `An expression attribute name used in the document path is not defined; attribute name: ${word}`,
    );
  }
  return name;
}

export function valueOf(word: string, { values }: Scope): AttributeValue {
  const value = values[word];
  if (value === undefined) {
    throw validationError(`An expression attribute value used in expression is not defined; attribute value: ${word}`);
  }
  return value;
}

function resolve(operand: Operand, item: Item, scope: Scope): AttributeValue | undefined {
  if (operand.kind === 'value') return valueOf(operand.value, scope);
  const value = valueAt(item, operand.path, scope);
  return operand.kind === 'size' ? sizeOf(value) : value;
}

/** Values of different types are unequal, and neither is the greater one. What is absent is unequal to everything. */
function compare(by: Comparator, a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (by === '=') return a !== undefined && areEqual(a, b);
  if (by === '<>') return a === undefined || b === undefined || !areEqual(a, b);
  const order = a && b && compareValues(a, b);
  if (order === undefined) return false;
  if (by === '<') return order < 0;
  if (by === '<=') return order <= 0;
  return by === '>' ? order > 0 : order >= 0;
}

function test(
  kind: 'attribute_type' | 'begins_with' | 'contains',
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (!left || !right) return false;
  if (kind === 'attribute_type') return typeOf(left) === right.S;
  if (kind === 'begins_with') return beginsWith(left, right);
  if (left.S !== undefined) return right.S !== undefined && left.S.includes(right.S);
  if (left.B !== undefined) return right.B !== undefined && Buffer.from(left.B).includes(Buffer.from(right.B));
  return (left.L ?? membersOf(left) ?? []).some((member) => areEqual(member, right));
}

function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if (value.S !== undefined) return prefix.S !== undefined && value.S.startsWith(prefix.S);
  if (value.B === undefined || prefix.B === undefined) return false;
  return Buffer.compare(value.B.subarray(0, prefix.B.length), prefix.B) === 0;
}

/** A text's size is its length in UTF-16 units, as DynamoDB Local counts and users of the service report. It is stored and billed by its bytes in UTF-8. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (!value) return undefined;
  if (value.S !== undefined) return { N: String(value.S.length) };
  const counted = value.B ?? value.L ?? value.SS ?? value.NS ?? value.BS ?? (value.M && Object.keys(value.M));
  return counted && { N: String(counted.length) };
}
