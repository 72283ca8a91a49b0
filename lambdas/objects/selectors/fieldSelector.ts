import { badRequest } from '../apiErrors.ts';
import { goQuote } from '../go/goQuote.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads `status.phase=Running,metadata.name!=web` as apimachinery's `fields.ParseSelector` does. In values, a backslash escapes a comma, an equals sign
 * or a backslash. An empty text requires nothing.
 *
 * @throws ApiError BadRequest, in Kubernetes' words.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text));
}

/** The error for a field by which a resource cannot be selected. `names` are the fields that it supports beyond name and namespace. */
export function unsupportedField(field: string, names: readonly string[]): Error {
  return names.length > 0
    ? badRequest(`field label not supported: ${field}`)
    : badRequest(`${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\[\s\S]?|[^\\,])+/g) ?? [];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  // The first operator in the term counts, even if more follow.
  const match = /^([\s\S]*?)(!=|==|=)([\s\S]*)$/.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(value) };
}

function unescape(text: string): string {
  return text.replace(/\\([\s\S]?)|[,=]/g, (found, escaped: string | undefined) => {
    if (escaped === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    if (!['\\', ',', '='].includes(escaped))
      throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`);
    return escaped;
  });
}
