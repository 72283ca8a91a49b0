const FIELD = /\/\*\* ((?:(?!\*\/)[\s\S])*?) \*\/\s*"?([\w-]+)"?\??:/g;

/** Reads what a declaration file says of the fields of one interface. Fields that it does not declare, or says nothing of, are left out. */
export function parseFieldTexts(
  declarations: string,
  interfaceName: string,
  fieldNames: readonly string[],
): Readonly<Record<string, string>> {
  const begin = declarations.indexOf(`export interface ${interfaceName} {`);
  if (begin < 0) return {};
  const body = declarations.slice(begin, declarations.indexOf('\n}', begin));
  const texts = [...body.matchAll(FIELD)].map(([, text = '', name = '']) => [name, text.trim()] as const);
  return Object.fromEntries(texts.filter(([name]) => fieldNames.includes(name)));
}
