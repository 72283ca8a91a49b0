import { ExpressionReader, type Path } from './ExpressionReader.ts';
import type { Parsed } from './parseCondition.ts';

export type UpdateOperand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: UpdateOperand }
  | { readonly kind: 'list_append'; readonly left: UpdateOperand; readonly right: UpdateOperand }
  | { readonly kind: 'sum'; readonly sign: 1 | -1; readonly left: UpdateOperand; readonly right: UpdateOperand };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: UpdateOperand }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: string }[];
  readonly delete: readonly { readonly path: Path; readonly value: string }[];
}

/** Parses an update expression. Throws DynamoDB's error for any other text. */
export function parseUpdate(text: string): Parsed<Update> {
  const reader = new ExpressionReader(text);
  const update = { set: [], remove: [], add: [], delete: [] } as { [K in keyof Update]: Update[K][number][] };
  while (!reader.isAtEnd) {
    if (reader.take('SET')) update.set.push(...readActions(reader, readSet));
    else if (reader.take('REMOVE')) update.remove.push(...readActions(reader, () => reader.readPath()));
    else if (reader.take('ADD')) update.add.push(...readActions(reader, readPathAndValue));
    else if (reader.take('DELETE')) update.delete.push(...readActions(reader, readPathAndValue));
    else throw reader.unexpected();
  }
  return { expression: update, used: reader.used, roots: reader.roots };
}

function readActions<T>(reader: ExpressionReader, readAction: (reader: ExpressionReader) => T): readonly T[] {
  const actions = [readAction(reader)];
  while (reader.take(',')) actions.push(readAction(reader));
  return actions;
}

function readSet(reader: ExpressionReader): Update['set'][number] {
  const path = reader.readPath();
  reader.expect('=');
  const left = readOperand(reader);
  const sign = reader.take('+') ? 1 : reader.take('-') ? -1 : undefined;
  return { path, to: sign === undefined ? left : { kind: 'sum', sign, left, right: readOperand(reader) } };
}

function readPathAndValue(reader: ExpressionReader): Update['add'][number] {
  return { path: reader.readPath(), value: reader.readValue() };
}

function readOperand(reader: ExpressionReader): UpdateOperand {
  if (reader.take('(')) {
    const inner = readOperand(reader);
    reader.expect(')');
    return inner;
  }
  const word = reader.peek();
  if (word.startsWith(':')) return { kind: 'value', value: reader.readValue() };
  if (word === 'if_not_exists') {
    reader.next();
    reader.expect('(');
    const path = reader.readPath();
    return { kind: word, path, otherwise: readSecond(reader) };
  }
  if (word === 'list_append') {
    reader.next();
    reader.expect('(');
    const left = readOperand(reader);
    return { kind: word, left, right: readSecond(reader) };
  }
  return { kind: 'path', path: reader.readPath() };
}

function readSecond(reader: ExpressionReader): UpdateOperand {
  reader.expect(',');
  const operand = readOperand(reader);
  reader.expect(')');
  return operand;
}
