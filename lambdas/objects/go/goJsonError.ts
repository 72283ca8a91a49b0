/** Parts of V8's messages, and the context that Go's messages name instead. */
const CONTEXTS: readonly (readonly [RegExp, string])[] = [
  [/after property value/, 'after object key:value pair'],
  [/after property name/, 'after object key'],
  [/property name/, 'looking for beginning of object key string'],
  [/after array element/, 'after array element'],
  [/after JSON/, 'after top-level value'],
  [/control character/, 'in string literal'],
  [/escape/, 'in string escape code'],
];

/** Translates a syntax error of JSON.parse to the words of Go's decoder, as far as V8's message allows. */
export function goJsonError(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/Unexpected end|Unterminated/.test(message)) return 'unexpected end of JSON input';
  const position = /position (\d+)/.exec(message)?.[1];
  const character = /Unexpected token '?(.)/u.exec(message)?.[1] ?? text[Number(position ?? Number.NaN)];
  if (character === undefined) return 'unexpected end of JSON input';
  const context = CONTEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? 'looking for beginning of value';
  return `invalid character '${character === "'" ? "\\'" : character}' ${context}`;
}
