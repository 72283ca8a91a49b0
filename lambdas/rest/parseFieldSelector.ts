import { badRequest } from '../objects/apiErrors.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads a field selector, `metadata.name=web,status.phase!=Running`, by the grammar of apimachinery's `fields.ParseSelector`: commas,
 * equal signs and backslashes in values are escaped by a backslash.
 *
 * @throws ApiError BadRequest for what is no selector.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .map(parseTerm);
}

function splitTerms(text: string): string[] {
  const terms = [''];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    const last = terms.length - 1;
    if (char === '\\') terms[last] += char + (text[++at] ?? '');
    else if (char === ',') terms.push('');
    else terms[last] += char;
  }
  return terms;
}

function parseTerm(term: string): FieldRequirement {
  const match = /^((?:[^\\=!]|\\.)*?)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(value) };
}

function unescape(value: string): string {
  let text = '';
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? '';
    if (char === '=' || char === ',') throw badRequest(`invalid field selector: unescaped character in value: ${char}`);
    if (char !== '\\') {
      text += char;
      continue;
    }
    const escaped = value[++at] ?? '';
    if (!['\\', ',', '='].includes(escaped)) {
      throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    text += escaped;
  }
  return text;
}
