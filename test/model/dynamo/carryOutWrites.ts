import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  ReturnValue,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { applyUpdate } from './applyUpdate.ts';
import { assertCondition } from './assertCondition.ts';
import { type Item, normalized } from './attributeValues.ts';
import type { DynamoTable, Written } from './DynamoTable.ts';
import { evaluateCondition, nameOf } from './evaluateCondition.ts';
import { compileCondition, compileUpdate, scopeOf } from './expressions.ts';
import type { Path, Scope } from './ExpressionReader.ts';
import type { Condition, Parsed } from './parseCondition.ts';
import type { Update } from './parseUpdate.ts';
import { validationError } from './serviceErrors.ts';

const NOTHING: Item = Object.freeze({});

type WriteInput = Pick<
  UpdateItemCommandInput,
  'ReturnConsumedCapacity' | 'ReturnValuesOnConditionCheckFailure' | 'ReturnValues' | 'TableName'
>;

export function carryOutPut(table: DynamoTable, input: PutItemCommandInput): object {
  const condition = compileCondition(input.ConditionExpression);
  const scope = scopeOf(input, condition);
  const item = normalizedItem(input.Item ?? NOTHING);
  const written = table.write({
    operation: 'put',
    key: item,
    condition: conditionOf(condition, scope),
    change: () => item,
    returnsOnFailure: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  });
  return answer(input, written, input.ReturnValues === 'ALL_OLD' ? written.before : undefined);
}

export function carryOutDelete(table: DynamoTable, input: DeleteItemCommandInput): object {
  const condition = compileCondition(input.ConditionExpression);
  const scope = scopeOf(input, condition);
  table.shape.assertKey(input.Key ?? NOTHING);
  const written = table.write({
    operation: 'delete',
    key: input.Key ?? NOTHING,
    condition: conditionOf(condition, scope),
    change: () => undefined,
    returnsOnFailure: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  });
  return answer(input, written, input.ReturnValues === 'ALL_OLD' ? written.before : undefined);
}

export function carryOutUpdate(table: DynamoTable, input: UpdateItemCommandInput): object {
  const condition = compileCondition(input.ConditionExpression);
  const update = compileUpdate(input.UpdateExpression);
  const scope = scopeOf(input, condition, update);
  const key = normalizedItem(input.Key ?? NOTHING);
  table.shape.assertKey(key);
  const names = update ? changedNames(update.expression, scope) : [];
  if (names.some((name) => table.shape.isKey(name))) {
    throw validationError(
      'One or more parameter values were invalid: Cannot update attribute. This attribute is part of the key',
    );
  }
  const written = table.write({
    operation: 'update',
    key,
    condition: conditionOf(condition, scope),
    change: (before) => (update ? applyUpdate(update.expression, before ?? key, scope) : (before ?? { ...key })),
    returnsOnFailure: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  });
  return answer(input, written, returned(input.ReturnValues, written, names));
}

function conditionOf(condition: Parsed<Condition> | undefined, scope: Scope) {
  if (!condition) return undefined;
  assertCondition(condition.expression, scope);
  return (item: Item) => evaluateCondition(condition.expression, item, scope);
}

function normalizedItem(item: Item): Item {
  let changed: Record<string, Item[string]> | undefined;
  for (const name in item) {
    const value = item[name];
    if (!value) continue;
    const normal = normalized(value);
    if (normal === value) continue;
    changed ??= { ...item };
    changed[name] = normal;
  }
  return changed ?? { ...item };
}

function changedNames({ set, remove, add, delete: deleted }: Update, scope: Scope): readonly string[] {
  const paths = [
    ...set.map(({ path }) => path),
    ...remove,
    ...add.map(({ path }) => path),
    ...deleted.map(({ path }) => path),
  ];
  paths.forEach((path, at) => {
    if (paths.some((other, place) => place < at && collide(path, other, scope))) {
      throw validationError('Invalid UpdateExpression: Two document paths overlap or conflict with each other');
    }
  });
  return [...new Set(paths.map((path) => nameOf(path[0] ?? '', scope)))];
}

/** True if one path lies within the other, or if they take one value for a list and for a map. */
function collide(a: Path, b: Path, scope: Scope): boolean {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [one, other] = [a[at] ?? '', b[at] ?? ''];
    if (typeof one !== typeof other) return true;
    if (typeof one === 'number' ? one !== other : nameOf(one, scope) !== nameOf(other, scope)) return false;
  }
  return true;
}

function returned(values: ReturnValue | undefined, { before, after }: Written, names: readonly string[]) {
  switch (values) {
    case 'ALL_NEW':
      return after;
    case 'ALL_OLD':
      return before;
    case 'UPDATED_NEW':
      return some(after, names);
    case 'UPDATED_OLD':
      return some(before, names);
    case 'NONE':
    case undefined:
      return undefined;
  }
}

function some(item: Item | undefined, names: readonly string[]): Item | undefined {
  const entries = names.flatMap((name) => (item?.[name] ? [[name, item[name]] as const] : []));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function answer({ TableName, ReturnConsumedCapacity }: WriteInput, { writeUnits }: Written, item: Item | undefined) {
  const isCounted = ReturnConsumedCapacity !== undefined && ReturnConsumedCapacity !== 'NONE';
  return {
    $metadata: {},
    ...(item && { Attributes: item }),
    ...(isCounted && { ConsumedCapacity: { TableName, CapacityUnits: writeUnits } }),
  };
}
