import type { CelIssue } from '../CelIssue.ts';
import type { CallExpr, Expr, LiteralExpr, MapEntry } from '../Expr.ts';
import { expandMacro } from './expandMacro.ts';
import { lex, type Token } from './lex.ts';
import { isLiteral, readLiteral } from './readLiteral.ts';

export type Parsed = { readonly expr: Expr } | { readonly issues: readonly CelIssue[] };

/** Kubernetes' limits: the size of an expression's nesting, and, here, of its text. */
const MAX_DEPTH = 250;
const MAX_LENGTH = 100_000;

const RELATIONS = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const PRIMARIES =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Parses a CEL expression and expands its macros. The issues are worded as cel-go's, which come from ANTLR, for the usual mistakes. Pure; never throws. */
export function parseExpression(source: string): Parsed {
  if (source.length > MAX_LENGTH)
    return { issues: [{ offset: 0, message: 'expression code point size exceeds limit' }] };
  const { tokens, issues } = lex(source);
  const parser = new Parser(tokens);
  try {
    const expr = parser.parse();
    const all = [...issues, ...parser.issues];
    return all.length > 0 ? { issues: all } : { expr };
  } catch (error) {
    if (!(error instanceof SyntaxStop)) throw error;
    return { issues: [...issues, ...parser.issues, error.issue] };
  }
}

/** Ends the parsing at an issue after which nothing more can be read. */
class SyntaxStop extends Error {
  readonly issue: CelIssue;

  constructor(offset: number, message: string) {
    super(message);
    this.issue = { offset, message };
  }
}

class Parser {
  readonly issues: CelIssue[] = [];
  readonly #tokens: readonly Token[];
  #position = 0;
  #nextId = 1;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expr {
    const expr = this.#expression();
    if (this.#token.kind !== 'EOF')
      throw new SyntaxStop(this.#token.offset, `Syntax error: extraneous input '${this.#token.text}' expecting <EOF>`);
    return expr;
  }

  get #token(): Token {
    return this.#tokens[this.#position] ?? { kind: 'EOF', text: '<EOF>', offset: 0 };
  }

  #next(): Token {
    const token = this.#token;
    this.#position += 1;
    return token;
  }

  #take(kind: string): Token | undefined {
    return this.#token.kind === kind ? this.#next() : undefined;
  }

  #expect(kind: string, expecting = `'${kind}'`): Token {
    return this.#take(kind) ?? this.#fail(expecting);
  }

  #fail(expecting: string): never {
    const { offset, text } = this.#token;
    throw new SyntaxStop(offset, `Syntax error: mismatched input '${text}' expecting ${expecting}`);
  }

  #node(offset: number): { readonly id: number; readonly offset: number } {
    const id = this.#nextId;
    this.#nextId += 1;
    return { id, offset };
  }

  #call(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const call: CallExpr = {
      kind: 'call',
      ...this.#node(offset),
      name,
      args,
      ...(target === undefined ? {} : { target }),
    };
    const expansion = expandMacro(call, () => this.#node(offset));
    if (expansion === undefined) return call;
    if ('expr' in expansion) return expansion.expr;
    this.issues.push(expansion);
    return call;
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new SyntaxStop(this.#token.offset, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #expression(): Expr {
    return this.#nested(() => {
      const condition = this.#or();
      const question = this.#take('?');
      if (question === undefined) return condition;
      const yes = this.#or();
      this.#expect(':');
      return this.#call(question.offset, '_?_:_', [condition, yes, this.#expression()]);
    });
  }

  #or(): Expr {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
  }

  /** Terms of one logical operator make a balanced tree, so that hundreds of them are not hundreds deep. */
  #logical(operator: string, name: string, term: () => Expr): Expr {
    const terms = [term()];
    const offsets: number[] = [];
    for (let token = this.#take(operator); token !== undefined; token = this.#take(operator)) {
      offsets.push(token.offset);
      terms.push(term());
    }
    return this.#balance(name, terms, offsets, 0, terms.length - 1);
  }

  #balance(name: string, terms: readonly Expr[], offsets: readonly number[], low: number, high: number): Expr {
    const only = terms[low];
    if (low === high && only !== undefined) return only;
    const middle = Math.floor((low + high) / 2);
    const left = this.#balance(name, terms, offsets, low, middle);
    return this.#call(offsets[middle] ?? 0, name, [left, this.#balance(name, terms, offsets, middle + 1, high)]);
  }

  #relation(): Expr {
    return this.#leftToRight(
      (kind) => RELATIONS.has(kind),
      () => this.#sum(),
    );
  }

  #sum(): Expr {
    const product = () =>
      this.#leftToRight(
        (kind) => kind === '*' || kind === '/' || kind === '%',
        () => this.#unary(),
      );
    return this.#leftToRight((kind) => kind === '+' || kind === '-', product);
  }

  #leftToRight(isOperator: (kind: string) => boolean, operand: () => Expr): Expr {
    let left = operand();
    for (let count = 0; isOperator(this.#token.kind); count += 1) {
      if (count > MAX_DEPTH)
        throw new SyntaxStop(this.#token.offset, `expression recursion limit exceeded: ${MAX_DEPTH}`);
      const { kind, offset } = this.#next();
      left = this.#call(offset, kind === 'in' ? '@in' : `_${kind}_`, [left, operand()]);
    }
    return left;
  }

  /** `!!a` is `a`, and a minus before a number belongs to the number. */
  #unary(): Expr {
    const { kind, offset } = this.#token;
    if (kind !== '!' && kind !== '-') return this.#member();
    let count = 0;
    while (this.#take(kind) !== undefined) count += 1;
    if (kind === '-' && count === 1 && (this.#token.kind === 'NUM_INT' || this.#token.kind === 'NUM_FLOAT'))
      return this.#members(this.#literal(this.#next(), '-', offset));
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#call(offset, kind === '!' ? '!_' : '-_', [operand]);
  }

  #member(): Expr {
    return this.#members(this.#primary());
  }

  #members(first: Expr): Expr {
    let expr = first;
    for (let count = 0; ; count += 1) {
      if (count > MAX_DEPTH)
        throw new SyntaxStop(this.#token.offset, `expression recursion limit exceeded: ${MAX_DEPTH}`);
      const dot = this.#take('.');
      const bracket = dot === undefined ? this.#take('[') : undefined;
      if (dot !== undefined) expr = this.#afterDot(expr, dot);
      else if (bracket !== undefined) expr = this.#afterBracket(expr, bracket);
      else return expr;
    }
  }

  #afterDot(operand: Expr, dot: Token): Expr {
    const isOptional = this.#take('?') !== undefined;
    const name = this.#expect(
      'IDENTIFIER',
      isOptional ? '{IDENTIFIER, ESC_IDENTIFIER}' : "{'?', IDENTIFIER, ESC_IDENTIFIER}",
    );
    if (isOptional) {
      const field: Expr = { kind: 'literal', ...this.#node(name.offset), value: name.text };
      return this.#call(dot.offset, '_?._', [operand, field]);
    }
    const open = this.#take('(');
    if (open !== undefined) return this.#call(open.offset, name.text, this.#list(')'), operand);
    return { kind: 'select', ...this.#node(dot.offset), operand, field: name.text, testOnly: false };
  }

  #afterBracket(operand: Expr, bracket: Token): Expr {
    const name = this.#take('?') === undefined ? '_[_]' : '_[?_]';
    const index = this.#expression();
    this.#expect(']');
    return this.#call(bracket.offset, name, [operand, index]);
  }

  /** Reads arguments up to the closing bracket. */
  #list(close: string): Expr[] {
    const items: Expr[] = [];
    if (this.#take(close) !== undefined) return items;
    do items.push(this.#expression());
    while (this.#take(',') !== undefined);
    this.#expect(close);
    return items;
  }

  #primary(): Expr {
    const token = this.#token;
    switch (token.kind) {
      case '(':
        return this.#parenthesized();
      case '[':
        return this.#listLiteral();
      case '{':
        return this.#mapLiteral();
      case '.':
      case 'IDENTIFIER':
        return this.#name();
      default:
        return isLiteral(token) ? this.#literal(this.#next(), '', token.offset) : this.#fail(PRIMARIES);
    }
  }

  #parenthesized(): Expr {
    this.#next();
    const expr = this.#expression();
    this.#expect(')');
    return expr;
  }

  #name(): Expr {
    const dot = this.#take('.') === undefined ? '' : '.';
    const token = this.#expect('IDENTIFIER', 'IDENTIFIER');
    if (RESERVED.has(token.text))
      this.issues.push({ offset: token.offset, message: `reserved identifier: ${token.text}` });
    const open = this.#take('(');
    if (open !== undefined) return this.#call(open.offset, `${dot}${token.text}`, this.#list(')'));
    return this.#structLiteral(token) ?? { kind: 'ident', ...this.#node(token.offset), name: `${dot}${token.text}` };
  }

  /** `a.b.Type{field: value}`, unless the braces belong to something else: then nothing is read. */
  #structLiteral(first: Token): Expr | undefined {
    const start = this.#position;
    const names = [first.text];
    while (this.#token.kind === '.' && this.#tokens[this.#position + 1]?.kind === 'IDENTIFIER') {
      this.#next();
      names.push(this.#next().text);
    }
    const brace = this.#take('{');
    if (brace === undefined) {
      this.#position = start;
      return undefined;
    }
    const values: Expr[] = [];
    while (this.#token.kind !== '}') {
      this.#take('?');
      this.#expect('IDENTIFIER', "{'?', '}', ',', IDENTIFIER, ESC_IDENTIFIER}");
      this.#expect(':');
      values.push(this.#expression());
      if (this.#take(',') === undefined) break;
    }
    this.#expect('}');
    return { kind: 'struct', ...this.#node(brace.offset), typeName: names.join('.'), values };
  }

  #listLiteral(): Expr {
    const node = this.#node(this.#next().offset);
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (this.#token.kind !== ']') {
      if (this.#take('?') !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
      if (this.#take(',') === undefined) break;
    }
    this.#expect(']');
    return { kind: 'list', ...node, elements, optional };
  }

  #mapLiteral(): Expr {
    const node = this.#node(this.#next().offset);
    const entries: MapEntry[] = [];
    while (this.#token.kind !== '}') {
      const optional = this.#take('?') !== undefined;
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), optional });
      if (this.#take(',') === undefined) break;
    }
    this.#expect('}');
    return { kind: 'map', ...node, entries };
  }

  #literal(token: Token, sign: '' | '-', offset: number): LiteralExpr {
    const value = readLiteral(token, sign);
    if ('message' in value) this.issues.push({ offset, message: value.message });
    return { kind: 'literal', ...this.#node(offset), value: 'value' in value ? value.value : null };
  }
}
