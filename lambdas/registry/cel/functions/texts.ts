import { SHORT_ESCAPES } from '../../../objects/go/goQuote.ts';
import { compilePattern, PatternError } from '../../apiextensions/values/patterns.ts';
import { CelError, CelList, type CelResult } from '../evaluate/CelValue.ts';
import { formatText } from './formatText.ts';
import { type Overload, overload } from './Overload.ts';

/** Functions on texts: CEL's own, cel-go's library of strings (version 2), and Kubernetes' `find` and `findAll`. Positions count characters. */
export const TEXTS: readonly Overload[] = [
  overload('contains_string', 'contains', 'string.(string) bool', (text: string, part: string) => text.includes(part)),
  overload('ends_with_string', 'endsWith', 'string.(string) bool', (text: string, part: string) => text.endsWith(part)),
  overload('starts_with_string', 'startsWith', 'string.(string) bool', (text: string, part: string) =>
    text.startsWith(part),
  ),
  overload('matches', 'matches', '(string, string) bool', matches),
  overload('matches_string', 'matches', 'string.(string) bool', matches),
  overload('string_char_at_int', 'charAt', 'string.(int) string', charAt),
  overload('string_index_of_string', 'indexOf', 'string.(string) int', (text: string, part: string) =>
    indexOf(text, part, 0n),
  ),
  overload('string_index_of_string_int', 'indexOf', 'string.(string, int) int', indexOf),
  overload('string_last_index_of_string', 'lastIndexOf', 'string.(string) int', (text: string, part: string) =>
    lastIndexOf(text, part),
  ),
  overload('string_last_index_of_string_int', 'lastIndexOf', 'string.(string, int) int', lastIndexOf),
  overload('string_lower_ascii', 'lowerAscii', 'string.() string', (text: string) =>
    text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  overload('string_upper_ascii', 'upperAscii', 'string.() string', (text: string) =>
    text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  overload(
    'string_replace_string_string',
    'replace',
    'string.(string, string) string',
    (text: string, from: string, to: string) => replace(text, from, to, -1n),
  ),
  overload('string_replace_string_string_int', 'replace', 'string.(string, string, int) string', replace),
  overload('string_split_string', 'split', 'string.(string) list(string)', (text: string, by: string) =>
    split(text, by, -1n),
  ),
  overload('string_split_string_int', 'split', 'string.(string, int) list(string)', split),
  overload('string_substring_int', 'substring', 'string.(int) string', (text: string, start: bigint) =>
    substring(text, start),
  ),
  overload('string_substring_int_int', 'substring', 'string.(int, int) string', substring),
  overload('string_trim', 'trim', 'string.() string', (text: string) => text.trim()),
  overload('list_join', 'join', 'list(string).() string', (list: CelList) => textsOf(list).join('')),
  overload('list_join_string', 'join', 'list(string).(string) string', (list: CelList, by: string) =>
    textsOf(list).join(by),
  ),
  overload('strings_quote', 'strings.quote', '(string) string', quote),
  overload('string_format', 'format', 'string.(list(dyn)) string', formatText),
  overload('string_find_string', 'find', 'string.(string) string', find),
  overload('string_find_all_string', 'findAll', 'string.(string) list(string)', (text: string, pattern: string) =>
    findAll(text, pattern, -1n),
  ),
  overload('string_find_all_string_int', 'findAll', 'string.(string, int) list(string)', findAll),
];

function textsOf({ items }: CelList): string[] {
  return items.filter((item) => typeof item === 'string');
}

function matches(text: string, pattern: string): CelResult {
  const compiled = compilePattern(pattern);
  return compiled instanceof PatternError ? new CelError(compiled.message) : compiled.matcher(text).find();
}

function find(text: string, pattern: string): CelResult {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return new CelError(`Illegal regex: ${compiled.message}`);
  const matcher = compiled.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, pattern: string, limit: bigint): CelResult {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return new CelError(`Illegal regex: ${compiled.message}`);
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  const most = limit < 0n ? text.length + 1 : Number(limit);
  while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
  return new CelList(found);
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): CelResult {
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf(text: string, part: string, offset: bigint): CelResult {
  if (offset < 0n) return outOfRange(offset);
  const characters = Array.from(text);
  if (part === '') return offset;
  if (offset >= BigInt(characters.length)) return -1n;
  const start = characters.slice(0, Number(offset)).join('').length;
  return characterIndex(text, text.indexOf(part, start));
}

function lastIndexOf(text: string, part: string, offset?: bigint): CelResult {
  if (offset !== undefined && offset < 0n) return outOfRange(offset);
  const characters = Array.from(text);
  if (part === '') return offset ?? BigInt(characters.length);
  const last = offset === undefined ? text.length : characters.slice(0, Number(offset)).join('').length;
  return characterIndex(text, text.lastIndexOf(part, last));
}

function characterIndex(text: string, unitIndex: number): bigint {
  return unitIndex < 0 ? -1n : BigInt(Array.from(text.slice(0, unitIndex)).length);
}

function replace(text: string, from: string, to: string, limit: bigint): string {
  if (limit === 0n) return text;
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  const count = limit < 0n || limit > BigInt(parts.length) ? parts.length - 1 : Number(limit);
  const head = parts.slice(0, count + 1).join(to);
  return [head, ...parts.slice(count + 1)].join(from);
}

function split(text: string, by: string, limit: bigint): CelList {
  if (limit === 0n) return new CelList([]);
  const parts = by === '' ? Array.from(text) : text.split(by);
  if (limit < 0n || BigInt(parts.length) <= limit) return new CelList(parts);
  const count = Number(limit) - 1;
  return new CelList([...parts.slice(0, count), parts.slice(count).join(by)]);
}

function substring(text: string, start: bigint, end?: bigint): CelResult {
  const characters = Array.from(text);
  const last = BigInt(characters.length);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > last) return outOfRange(start);
  if (end !== undefined && end > last) return outOfRange(end);
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

function quote(text: string): string {
  return `"${Array.from(text, (character) => SHORT_ESCAPES[character] ?? character).join('')}"`;
}
