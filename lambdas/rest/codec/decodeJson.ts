import { goQuote } from '../../objects/goQuote.ts';
import { goJsonError } from './goJsonError.ts';
import { scanJson } from './scanJson.ts';

/** A decoded text: `value` is plain JSON of its own, `strictErrors` what a strict decoder finds in the text; or the syntax error in Go's words. */
export type DecodedText =
  | { readonly value: unknown; readonly strictErrors: readonly string[]; readonly error?: undefined }
  | { readonly error: string };

/** Decodes JSON. Members named `__proto__` come out as members, never as prototypes. */
export function decodeJson(text: string): DecodedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: goJsonError(text, error) };
  }
  const { duplicates, tooDeep } = scanJson(text);
  if (tooDeep) return { error: 'exceeded max depth' };
  return { value, strictErrors: duplicates.map((path) => `duplicate field ${goQuote(path)}`) };
}
