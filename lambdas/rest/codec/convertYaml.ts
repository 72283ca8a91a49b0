import { LineCounter } from 'yaml';
import { ApiError } from '../../objects/ApiError.ts';
import { type DecodedText, decodeJson } from './decodeJson.ts';
import type { DecodingLimits } from './DecodingBudget.ts';
import { inspectYaml } from './inspectYaml.ts';
import { parseYaml } from './parseYaml.ts';

/** Decodes one YAML document of an accepted size. Throws ApiError RequestEntityTooLarge for too much content. */
export function convertYaml(text: string, limits: DecodingLimits): DecodedText {
  try {
    return convert(text, limits);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return yamlError(error instanceof Error ? firstLine(error.message) : 'cannot be read');
  }
}

function convert(text: string, limits: DecodingLimits): DecodedText {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, lineCounter);
  const [fatal] = document.errors;
  if (fatal !== undefined) {
    const unclosed = unclosedList(text);
    if (unclosed !== undefined) return yamlError(unclosed);
    return yamlError(`line ${lineCounter.linePos(Math.max(0, fatal.pos[0])).line}: ${firstLine(fatal.message)}`);
  }
  const repeatedKeys = inspectYaml(document);
  const decoded = decodeJson(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null), limits);
  if (decoded.error !== undefined || repeatedKeys.length === 0) return decoded;
  const lines = repeatedKeys.map(({ key, position }) => {
    const { line } = lineCounter.linePos(position);
    return `\n  line ${line}: key ${JSON.stringify(key)} already set in map`;
  });
  return { value: decoded.value, strictErrors: [`yaml: unmarshal errors:${lines.join('')}`] };
}

/** libyaml's words for a list in brackets that the text ends in; `undefined` for another mistake. */
function unclosedList(text: string): string | undefined {
  const read = text.trimEnd();
  const open = read.lastIndexOf('[');
  if (open < 0 || /[\]\n#'"]/.test(read.slice(open))) return undefined;
  const missing = /[[,]$/.test(read) ? 'node content' : "',' or ']'";
  return `line ${read.split('\n').length}: did not find expected ${missing}`;
}

function yamlError(why: string): DecodedText {
  return { error: `error converting YAML to JSON: yaml: ${why}` };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
