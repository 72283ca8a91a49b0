import { CelUint, type CelValue } from '../evaluate/CelValue.ts';
import type { Token } from './lex.ts';
import { unquoteBytes, unquoteText } from './unquote.ts';

const LITERALS = new Set(['true', 'false', 'null', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES']);

export function isLiteral({ kind }: Token): boolean {
  return LITERALS.has(kind);
}

const INT64_END = 2n ** 63n;

/** Reads a literal's value, with the sign before a number; or says why it has none. */
export function readLiteral(
  { kind, text }: Token,
  sign: '' | '-',
): { readonly value: CelValue } | { readonly message: string } {
  switch (kind) {
    case 'true':
    case 'false':
      return { value: kind === 'true' };
    case 'null':
      return { value: null };
    case 'NUM_INT': {
      const value = sign === '-' ? -BigInt(text) : BigInt(text);
      return value >= INT64_END || value < -INT64_END ? { message: 'invalid int literal' } : { value };
    }
    case 'NUM_UINT': {
      const value = BigInt(text.slice(0, -1));
      return value >= 2n * INT64_END ? { message: 'invalid uint literal' } : { value: new CelUint(value) };
    }
    case 'NUM_FLOAT': {
      const value = Number(`${sign}${text}`);
      return Number.isFinite(value) ? { value } : { message: 'invalid double literal' };
    }
    default: {
      const value = kind === 'BYTES' ? unquoteBytes(text.slice(1)) : unquoteText(text);
      return value === undefined ? { message: 'unable to unescape string' } : { value };
    }
  }
}
