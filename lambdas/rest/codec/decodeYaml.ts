import { parseDocument, type ScalarTag, type YAMLError } from 'yaml';
import { type DecodedText, decodeJson } from './decodeJson.ts';

/** Kubernetes reads YAML 1.1's words for booleans, except the single letters y and n. */
const booleanWords: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:yes|Yes|YES|on|On|ON|no|No|NO|off|Off|OFF)$/,
  resolve: (word: string) => /^(?:yes|on)$/i.test(word),
};

/**
 * Decodes one YAML document by converting it to JSON, as Kubernetes does. Anchors are allowed, but not so many aliases that a small text becomes huge. A
 * document without a JSON form (a cycle, an unknown tag) is an error.
 */
export function decodeYaml(text: string): DecodedText {
  try {
    const document = parseDocument(text, {
      merge: true,
      customTags: (tags) => [booleanWords, ...tags],
      logLevel: 'silent',
    });
    const duplicates = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
    const fatal = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
    if (fatal !== undefined) return yamlError(`line ${lineOf(fatal)}: ${firstLine(fatal.message)}`);
    const decoded = decodeJson(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
    if (decoded.error !== undefined || duplicates.length === 0) return decoded;
    const lines = duplicates.map((error) => `\n  line ${lineOf(error)}: key ${keyAt(text, error)} already set in map`);
    return { value: decoded.value, strictErrors: [`yaml: unmarshal errors:${lines.join('')}`] };
  } catch (error) {
    return yamlError(error instanceof Error ? firstLine(error.message) : 'cannot be read');
  }
}

function yamlError(why: string): DecodedText {
  return { error: `error converting YAML to JSON: yaml: ${why}` };
}

function lineOf(error: YAMLError): number {
  return error.linePos?.[0].line ?? 1;
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:$/, '');
}

function keyAt(text: string, error: YAMLError): string {
  return JSON.stringify(/^[^\s:]*/.exec(text.slice(error.pos[0]))?.[0] ?? '');
}
