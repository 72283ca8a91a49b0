import { ExpressionReader, type Path } from './ExpressionReader.ts';

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'size'; readonly path: Path };

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'compare'; readonly by: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly among: readonly Operand[] }
  | { readonly kind: 'exists'; readonly path: Path; readonly isWanted: boolean }
  | { readonly kind: 'attribute_type' | 'begins_with' | 'contains'; readonly left: Operand; readonly right: Operand };

export interface Parsed<T> {
  readonly expression: T;
  /** The names and values of the request that the expression uses. */
  readonly used: ReadonlySet<string>;
  /** The attributes that it reads or changes. */
  readonly roots: ReadonlySet<string>;
}

const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const EXISTENCE = ['attribute_exists', 'attribute_not_exists'];
const TESTS: ReadonlySet<string> = new Set(['attribute_type', 'begins_with', 'contains']);

/** Parses a condition, filter or key condition. Throws DynamoDB's error for any other text. */
export function parseCondition(text: string): Parsed<Condition> {
  const reader = new ExpressionReader(text);
  const expression = readOr(reader);
  if (!reader.isAtEnd) throw reader.unexpected();
  return { expression, used: reader.used, roots: reader.roots };
}

function readOr(reader: ExpressionReader): Condition {
  return readParts(reader, 'or', 'OR', readAnd);
}

function readAnd(reader: ExpressionReader): Condition {
  return readParts(reader, 'and', 'AND', readNot);
}

function readParts(
  reader: ExpressionReader,
  kind: 'and' | 'or',
  keyword: string,
  readPart: (reader: ExpressionReader) => Condition,
): Condition {
  const first = readPart(reader);
  const parts = [first];
  while (reader.take(keyword)) parts.push(readPart(reader));
  return parts.length === 1 ? first : { kind, parts };
}

function readNot(reader: ExpressionReader): Condition {
  if (reader.take('NOT')) return { kind: 'not', part: readNot(reader) };
  if (!reader.take('(')) return readTest(reader);
  const inner = readOr(reader);
  reader.expect(')');
  return inner;
}

function readTest(reader: ExpressionReader): Condition {
  const word = reader.peek();
  if (EXISTENCE.includes(word)) {
    return { kind: 'exists', path: readArgument(reader), isWanted: word === 'attribute_exists' };
  }
  if (TESTS.has(word)) return readFunction(reader, word as 'attribute_type');
  const left = readOperand(reader);
  if (reader.take('BETWEEN')) {
    const low = readOperand(reader);
    reader.expect('AND');
    return { kind: 'between', operand: left, low, high: readOperand(reader) };
  }
  if (reader.take('IN')) return { kind: 'in', operand: left, among: readList(reader) };
  const by = reader.next();
  if (!COMPARATORS.has(by)) throw reader.unexpected();
  return { kind: 'compare', by: by as Comparator, left, right: readOperand(reader) };
}

function readFunction(reader: ExpressionReader, kind: 'attribute_type' | 'begins_with' | 'contains'): Condition {
  reader.next();
  reader.expect('(');
  const left = readOperand(reader);
  reader.expect(',');
  const right = readOperand(reader);
  reader.expect(')');
  return { kind, left, right };
}

function readArgument(reader: ExpressionReader): Path {
  reader.next();
  reader.expect('(');
  const path = reader.readPath();
  reader.expect(')');
  return path;
}

function readList(reader: ExpressionReader): readonly Operand[] {
  reader.expect('(');
  const operands = [readOperand(reader)];
  while (reader.take(',')) operands.push(readOperand(reader));
  reader.expect(')');
  return operands;
}

function readOperand(reader: ExpressionReader): Operand {
  if (reader.peek().startsWith(':')) return { kind: 'value', value: reader.readValue() };
  if (reader.peek() === 'size') return { kind: 'size', path: readArgument(reader) };
  return { kind: 'path', path: reader.readPath() };
}
