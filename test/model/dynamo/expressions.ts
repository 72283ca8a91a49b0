import { ExpressionReader, type Path, type Scope } from './ExpressionReader.ts';
import { type Condition, type Parsed, parseCondition } from './parseCondition.ts';
import { parseUpdate, type Update } from './parseUpdate.ts';
import { validationError } from './serviceErrors.ts';

/** A program has few distinct expressions, which only grow with defects such as values written into them. */
const MOST_KNOWN = 10_000;

const conditions = new Map<string, Parsed<Condition>>();
const updates = new Map<string, Parsed<Update>>();
const projections = new Map<string, Parsed<readonly Path[]>>();

/** Parses a condition, filter or key condition once. */
export function compileCondition(text: string | undefined): Parsed<Condition> | undefined {
  return compile(text, conditions, parseCondition);
}

/** Parses an update once. */
export function compileUpdate(text: string | undefined): Parsed<Update> | undefined {
  return compile(text, updates, parseUpdate);
}

/** Parses a list of paths once. */
export function compileProjection(text: string | undefined): Parsed<readonly Path[]> | undefined {
  return compile(text, projections, parseProjection);
}

function parseProjection(text: string): Parsed<readonly Path[]> {
  const reader = new ExpressionReader(text);
  const paths = [reader.readPath()];
  while (reader.take(',')) paths.push(reader.readPath());
  if (!reader.isAtEnd) throw reader.unexpected();
  return { expression: paths, used: reader.used, roots: reader.roots };
}

function compile<T>(text: string | undefined, known: Map<string, T>, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  const found = known.get(text);
  if (found) return found;
  const parsed = parse(text);
  if (known.size >= MOST_KNOWN) throw new Error(`more than ${MOST_KNOWN} different expressions: ${text}`);
  known.set(text, parsed);
  return parsed;
}

interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Scope['values'] | undefined;
}

const NONE = Object.freeze({});

/** Returns the names and values of a request. Throws unless its expressions use all of them, as DynamoDB does. */
export function scopeOf(
  { ExpressionAttributeNames = NONE, ExpressionAttributeValues = NONE }: Placeholders,
  ...expressions: readonly ({ readonly used: ReadonlySet<string> } | undefined)[]
): Scope {
  for (const [what, given] of [
    ['Names', ExpressionAttributeNames],
    ['Values', ExpressionAttributeValues],
  ] as const) {
    for (const name in given) {
      if (expressions.some((expression) => expression?.used.has(name))) continue;
      throw validationError(`Value provided in ExpressionAttribute${what} unused in expressions: keys: {${name}}`);
    }
  }
  return { names: ExpressionAttributeNames, values: ExpressionAttributeValues };
}
