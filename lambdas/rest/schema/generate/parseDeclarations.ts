import type { TypeDocs } from '../TypeDocs.ts';

const COMMENT = String.raw`(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?`;
const CLASS = new RegExp(`${COMMENT}export declare class \\w+ \\{`);
const MODEL_FIELD = new RegExp(`^\\s*${COMMENT}'([^']+)'(\\??): `, 'gm');

/** Reads descriptions and required fields from the declaration of one of the client library's model classes. Omits fields that it does not declare. */
export function parseModel(declaration: string, fieldNames: Iterable<string>): TypeDocs {
  const known = new Set(fieldNames);
  const fields: Record<string, string> = {};
  const required: string[] = [];
  for (const [, comment, name = '', optional] of declaration.matchAll(MODEL_FIELD)) {
    if (!known.has(name)) continue;
    const text = plainText(comment);
    if (text !== '') fields[name] = text;
    if (optional === '') required.push(name);
  }
  const description = plainText(CLASS.exec(declaration)?.[1]);
  return { ...(description !== '' && { description }), fields, required: required.sort() };
}

/** The text of a comment, without its stars. */
function plainText(comment: string | undefined): string {
  const lines = (comment ?? '').split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  return lines.join('\n').replaceAll('\\"', '"').trim();
}

const INTERFACE_FIELD = /\/\*\* ((?:(?!\*\/)[\s\S])*?) \*\/\s*"?([\w-]+)"?\??:/g;

/** Reads the descriptions of one interface's fields from a declaration file. Omits fields without a description. */
export function parseFieldTexts(
  declarations: string,
  interfaceName: string,
  fieldNames: readonly string[],
): Readonly<Record<string, string>> {
  const begin = declarations.indexOf(`export interface ${interfaceName} {`);
  if (begin < 0) return {};
  const body = declarations.slice(begin, declarations.indexOf('\n}', begin));
  const texts = [...body.matchAll(INTERFACE_FIELD)].map(([, text = '', name = '']) => [name, text.trim()] as const);
  return Object.fromEntries(texts.filter(([name]) => fieldNames.includes(name)));
}
