import {
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  type ScalarTag,
  type SchemaOptions,
} from 'yaml';

/** Kubernetes reads YAML 1.1's words for booleans. */
const booleanWords: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (word: string) => /^(?:y|yes|on)$/i.test(word),
};

/**
 * The parser builds nested lists and maps by recursion. It overflows the stack at less than 1,000 levels, and V8 ends the whole process if a regular expression is
 * compiled while the stack is almost full.
 */
const MAX_NESTING = 200;

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  merge: true,
  // The parser would compare each key with all others of its map. `inspectYaml` finds repeated keys with a set.
  uniqueKeys: false,
  customTags: (tags) => [booleanWords, ...tags],
  logLevel: 'silent',
};

/** Parses the first document of a text; the others are not read, as in Kubernetes. Throws Error for a document that nests too deep. */
export function parseYaml(text: string, lineCounter: LineCounter): Document.Parsed {
  const [document] = new Composer(OPTIONS).compose(tokensOf(text, lineCounter), true, text.length);
  if (!document) throw new Error('the text has no document');
  return document;
}

function* tokensOf(text: string, lineCounter: LineCounter) {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // What is being built, from the document to the innermost list or map.
    if (parser.stack.length > MAX_NESTING) throw new Error(`exceeded max depth of ${MAX_NESTING}`);
  }
  yield* parser.end();
}
