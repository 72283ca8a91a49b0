import { goJsonError } from '../../objects/go/goJsonError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { DecodingBudget, type DecodingLimits } from './DecodingBudget.ts';
import { countJson, scanJson } from './scanJson.ts';

/** A decoded text: `value` is new, plain JSON, and `strictErrors` are the problems that a strict decoder finds. Or the syntax error in Go's words. */
export type DecodedText =
  | { readonly value: unknown; readonly strictErrors: readonly string[]; readonly error?: undefined }
  | { readonly error: string };

/** Decodes JSON. A member named `__proto__` becomes an ordinary member, never a prototype. Throws ApiError RequestEntityTooLarge for too much content. */
export function decodeJson(text: string, limits: DecodingLimits): DecodedText {
  const counted = countJson(text, limits);
  if (counted.tooDeep) return { error: 'exceeded max depth' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: goJsonError(text, error) };
  }
  const { duplicates, tooDeep } = scanJson(text);
  if (tooDeep) return { error: 'exceeded max depth' };
  if (counted.values > limits.values) new DecodingBudget(limits).spendObject(value);
  return { value, strictErrors: duplicates.map((path) => `duplicate field ${goQuote(path)}`) };
}
