import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { validationError } from './serviceErrors.ts';

/** A document path: names, of which `#name` is looked up in the request, and places in lists. */
export type Path = readonly (string | number)[];

/** What an expression is evaluated with. */
export interface Scope {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
}

const TOKEN = /\s*(?:([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*)|(\d+)|(<=|>=|<>|[=<>()[\],.+-]))/y;

/** Reads an expression token by token. Remembers which names and values of the request it uses. */
export class ExpressionReader {
  readonly used = new Set<string>();
  /** The first names of all paths. */
  readonly roots = new Set<string>();
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  next(): string {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is this one. Keywords may be written in capitals or not. */
  take(token: string): boolean {
    if (this.peek().toUpperCase() !== token) return false;
    this.#at += 1;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.unexpected();
  }

  unexpected(): Error {
    return validationError(`Invalid expression: Syntax error; token: "${this.peek() || '<EOF>'}"`);
  }

  readPath(): Path {
    const root = this.#readName();
    this.roots.add(root);
    const path: (string | number)[] = [root];
    for (;;) {
      if (this.take('.')) path.push(this.#readName());
      else if (this.take('[')) {
        path.push(Number(this.next()));
        this.expect(']');
      } else return path;
    }
  }

  readValue(): string {
    const token = this.next();
    if (!token.startsWith(':')) throw this.unexpected();
    this.used.add(token);
    return token;
  }

  #readName(): string {
    const token = this.next();
    if (!/^[#A-Za-z_]/.test(token)) throw this.unexpected();
    if (token.startsWith('#')) this.used.add(token);
    return token;
  }
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const [, word, number, sign] = pattern.exec(text) ?? [];
    const token = word ?? number ?? sign;
    if (token === undefined) throw validationError(`Invalid expression: ${text}`);
    tokens.push(token);
  }
  return tokens;
}
