/** The escapes of characters that Go and CEL write with a letter: `\\n`. */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** The number of characters after which a quoted text is cut. Kubernetes cuts nothing; a refusal must stay small whatever it quotes. */
export const MAX_QUOTED_LENGTH = 2_000;

/** Prints a string as Go's `%q`: in double quotes, with Go's escapes for characters that cannot be printed. A longer text is cut, and ends in `…`. */
export function goQuote(text: string): string {
  const shown = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  if (/^[ !#-[\]-~]*$/.test(shown)) return `"${shown}"`;
  return `"${Array.from(shown, quoteRune).join('')}"`;
}

function quoteRune(rune: string): string {
  const short = SHORT_ESCAPES[rune];
  if (short !== undefined) return short;
  const code = rune.codePointAt(0) ?? 0;
  // Half of a surrogate pair has no UTF-8 form; Go would have read the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (rune === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(rune)) return rune;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
