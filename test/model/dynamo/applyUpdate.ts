import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { areEqual, type Item, membersOf, normalized, typeOf } from './attributeValues.ts';
import { addDecimals } from './decimal.ts';
import { nameOf, valueAt, valueOf } from './evaluateCondition.ts';
import type { Path, Scope } from './ExpressionReader.ts';
import type { Update, UpdateOperand } from './parseUpdate.ts';
import { validationError } from './serviceErrors.ts';

type Change = { readonly path: Path; readonly value: AttributeValue | undefined };

/** Returns the item after an update. All operands are those of the item before. Throws what DynamoDB refuses. */
export function applyUpdate(update: Update, before: Item, scope: Scope): Item {
  const changes: Change[] = [
    ...update.set.map(({ path, to }) => ({ path, value: operandOf(to, before, scope) })),
    ...update.remove.map((path) => ({ path, value: undefined })),
    ...update.add.map(({ path, value }) => ({
      path,
      value: added(valueAt(before, path, scope), valueOf(value, scope)),
    })),
    ...update.delete.map(({ path, value }) => {
      return { path, value: deleted(valueAt(before, path, scope), valueOf(value, scope)) };
    }),
  ];
  // Removals from a list go from its end to its beginning, so that they do not shift one another.
  const deep = changes.filter(({ path }) => path.length > 1);
  const shallow = new Map(
    changes.filter(({ path }) => path.length === 1).map(({ path, value }) => [nameOf(path[0] ?? '', scope), value]),
  );
  const after: Record<string, AttributeValue> = {};
  for (const name in before) {
    const value = before[name];
    if (value && !shallow.has(name)) after[name] = value;
  }
  for (const [name, value] of shallow) if (value) after[name] = value;
  for (const change of inRemovalOrder(deep)) applyDeep(after, change, scope);
  return after;
}

function inRemovalOrder(changes: readonly Change[]): readonly Change[] {
  const place = ({ path }: Change) => Number(path.at(-1));
  const kept = changes.filter(({ value }) => value !== undefined);
  const removed = changes.filter(({ value }) => value === undefined).sort((a, b) => (place(b) || 0) - (place(a) || 0));
  return [...kept, ...removed];
}

function operandOf(operand: UpdateOperand, item: Item, scope: Scope): AttributeValue {
  switch (operand.kind) {
    case 'value':
      return normalized(valueOf(operand.value, scope));
    case 'path': {
      const value = valueAt(item, operand.path, scope);
      if (!value)
        throw validationError('The provided expression refers to an attribute that does not exist in the item');
      return value;
    }
    case 'if_not_exists':
      return valueAt(item, operand.path, scope) ?? operandOf(operand.otherwise, item, scope);
    case 'list_append': {
      const [left, right] = [operandOf(operand.left, item, scope), operandOf(operand.right, item, scope)];
      if (!left.L || !right.L) throw wrongType('list_append');
      return { L: [...left.L, ...right.L] };
    }
    case 'sum': {
      const [left, right] = [operandOf(operand.left, item, scope), operandOf(operand.right, item, scope)];
      if (left.N === undefined || right.N === undefined) throw wrongType(operand.sign === 1 ? '+' : '-');
      return { N: addDecimals(left.N, right.N, operand.sign) };
    }
  }
}

function wrongType(operator: string): Error {
  return validationError(`An operand in the update expression has an incorrect data type; operator: ${operator}`);
}

function added(present: AttributeValue | undefined, given: AttributeValue): AttributeValue {
  const value = normalized(given);
  if (value.N === undefined && !membersOf(value)) throw wrongType('ADD');
  if (!present) return value;
  if (value.N !== undefined && present.N !== undefined) return { N: addDecimals(present.N, value.N) };
  if (value.SS && present.SS) return { SS: [...new Set([...present.SS, ...value.SS])] };
  if (value.NS && present.NS) return { NS: [...new Set([...present.NS, ...value.NS])] };
  if (value.BS && present.BS) {
    const known = present.BS;
    return { BS: [...known, ...value.BS.filter((one) => !known.some((other) => Buffer.compare(one, other) === 0))] };
  }
  throw wrongType('ADD');
}

/** Returns the set without some members; `undefined` if none is left. */
function deleted(present: AttributeValue | undefined, given: AttributeValue): AttributeValue | undefined {
  const gone = membersOf(normalized(given));
  if (!gone || (present && typeOf(present) !== typeOf(given))) throw wrongType('DELETE');
  if (!present) return undefined;
  const left = (membersOf(present) ?? []).filter((member) => !gone.some((other) => areEqual(member, other)));
  if (left.length === 0) return undefined;
  if (present.SS) return { SS: left.map(({ S = '' }) => S) };
  if (present.NS) return { NS: left.map(({ N = '' }) => N) };
  return { BS: left.flatMap(({ B }) => (B ? [B] : [])) };
}

/** Changes a value inside of an attribute, after copying what lies on the way. */
function applyDeep(item: Record<string, AttributeValue>, { path, value }: Change, scope: Scope): void {
  const [first = '', ...rest] = path;
  const name = nameOf(first, scope);
  const container = item[name];
  if (!container) throw invalidPath();
  item[name] = changedAt(container, rest, value, scope);
}

function changedAt(
  container: AttributeValue,
  [step = '', ...rest]: Path,
  value: AttributeValue | undefined,
  scope: Scope,
): AttributeValue {
  const change = (member: AttributeValue | undefined) => {
    if (rest.length === 0) return value;
    if (!member) throw invalidPath();
    return changedAt(member, rest, value, scope);
  };
  if (typeof step === 'number') {
    if (!container.L) throw invalidPath();
    const changed = change(container.L[step]);
    const list = [...container.L];
    if (changed) list[Math.min(step, list.length)] = changed;
    else list.splice(step, 1);
    return { L: list };
  }
  if (!container.M) throw invalidPath();
  const name = nameOf(step, scope);
  const changed = change(container.M[name]);
  const { [name]: _, ...others } = container.M;
  return { M: changed ? { ...others, [name]: changed } : others };
}

function invalidPath(): Error {
  return validationError('The document path provided in the update expression is invalid for update');
}
