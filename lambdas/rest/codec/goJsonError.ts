const AFTER: readonly (readonly [RegExp, string])[] = [
  [/after property value/, 'after object key:value pair'],
  [/after property name/, 'after object key'],
  [/property name/, 'looking for beginning of object key string'],
  [/after array element/, 'after array element'],
  [/after JSON/, 'after top-level value'],
  [/control character/, 'in string literal'],
  [/escape/, 'in string escape code'],
];

/** The syntax error that JSON.parse threw, in the words of Go's decoder as far as V8 tells enough. */
export function goJsonError(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/Unexpected end|Unterminated/.test(message)) return 'unexpected end of JSON input';
  const position = /position (\d+)/.exec(message)?.[1];
  const character = /Unexpected token '?(.)/u.exec(message)?.[1] ?? text[Number(position ?? Number.NaN)];
  if (character === undefined) return 'unexpected end of JSON input';
  const context = AFTER.find(([pattern]) => pattern.test(message))?.[1] ?? 'looking for beginning of value';
  return `invalid character '${character === "'" ? "\\'" : character}' ${context}`;
}
