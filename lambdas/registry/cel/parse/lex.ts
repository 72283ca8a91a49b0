import type { CelIssue } from '../CelIssue.ts';

export interface Token {
  /** What an operator or a keyword is written as; `IDENTIFIER`, `NUM_INT` and so on for the rest; `EOF` at the end. */
  readonly kind: string;
  readonly text: string;
  readonly offset: number;
}

const QUOTED = `"""(?:[^\\\\]|\\\\.)*?"""|'''(?:[^\\\\]|\\\\.)*?'''|"(?:[^\\\\"\\n\\r]|\\\\.)*"|'(?:[^\\\\'\\n\\r]|\\\\.)*'`;
const RAW = `"""[^]*?"""|'''[^]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*'`;

/** The tokens of CEL's grammar; the first that matches wins. */
const TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['BLANK', /(?:[\t \r\n\f]+|\/\/[^\n]*)/y],
  ['BYTES', new RegExp(`[bB](?:[rR](?:${RAW})|${QUOTED})`, 'sy')],
  ['STRING', new RegExp(`(?:[rR](?:${RAW})|${QUOTED})`, 'sy')],
  ['NUM_FLOAT', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['NUM_UINT', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['NUM_INT', /(?:0x[0-9a-fA-F]+|\d+)/y],
  ['IDENTIFIER', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['OPERATOR', /(?:==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%])/y],
];

const KEYWORDS = new Set(['true', 'false', 'null', 'in']);

/** Splits an expression into tokens. Characters that start no token are issues, and are left out. Takes time linear in the text. */
export function lex(source: string): { readonly tokens: Token[]; readonly issues: CelIssue[] } {
  const tokens: Token[] = [];
  const issues: CelIssue[] = [];
  let offset = 0;
  while (offset < source.length) {
    const token = readToken(source, offset);
    if (token === undefined) {
      const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
      issues.push({ offset, message: `Syntax error: token recognition error at: '${character}'` });
      offset += character.length;
      continue;
    }
    if (token.kind !== 'BLANK') tokens.push(token);
    offset += token.text.length;
  }
  tokens.push({ kind: 'EOF', text: '<EOF>', offset: source.length });
  return { tokens, issues };
}

function readToken(source: string, offset: number): Token | undefined {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = offset;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) continue;
    const isWord = kind === 'OPERATOR' || (kind === 'IDENTIFIER' && KEYWORDS.has(text));
    return { kind: isWord ? text : kind, text, offset };
  }
  return undefined;
}
