import { badRequest } from '../apiErrors.ts';
import { type FieldError, fieldErrorsMessage } from '../FieldError.ts';
import { type LabelRequirement, parseInteger } from './labelRequirement.ts';
import { isQualifiedName, isValidLabelValue } from '../nameFormats.ts';

/** `end` is the end of the text. `in` and `notin` are words, which are operators in some places only. */
interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
}

const END: Token = { kind: 'end', text: '' };
const SYMBOLS = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const OPERATORS = 'in, notin, =, ==, !=, gt, lt';

/** A syntax error inside `parseLabelSelector`, which adds context to the message. */
class SyntaxFault extends Error {}

/**
 * Reads the text form of a label selector, `app=web,tier in (a,b),!legacy`, as apimachinery's `labels.Parse` does. The result is sorted by key; sets
 * are sorted and without repetition. An empty text requires nothing.
 *
 * @throws ApiError BadRequest, in Kubernetes' words.
 */
export function parseLabelSelector(text: string): LabelRequirement[] {
  try {
    const requirements = new SelectorParser(tokenize(text)).parse();
    return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  } catch (error) {
    if (error instanceof SyntaxFault) throw badRequest(error.message);
    throw error;
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /[ \t\r\n]*(?:([=!(),><]+)|([^=!(),>< \t\r\n]+))/gy;
  for (const [, symbols, word] of text.matchAll(pattern)) {
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push(...splitSymbols(symbols ?? ''));
  }
  return [...tokens, END];
}

/** Splits a run of symbols, the longest symbol first: `!=(` is `!=` and `(`. */
function splitSymbols(run: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < run.length; ) {
    const two = run.slice(at, at + 2);
    const symbol = SYMBOLS.has(two) ? two : run.charAt(at);
    tokens.push({ kind: 'symbol', text: symbol });
    at += symbol.length;
  }
  return tokens;
}

class SelectorParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    while (this.#peek().kind !== 'end') {
      const { text } = this.#peek();
      if (!this.#startsRequirement())
        throw new SyntaxFault(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#wrapped());
      const next = this.#take();
      if (next.kind === 'end') break;
      if (next.text !== ',') throw new SyntaxFault(`found '${next.text}', expected: ',' or 'end of string'`);
      if (!this.#startsRequirement())
        throw new SyntaxFault(`found '${this.#peek().text}', expected: identifier after ','`);
    }
    return requirements;
  }

  #wrapped(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (error instanceof SyntaxFault) throw new SyntaxFault(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().text === '!';
    if (negated) this.#take();
    const key = this.#word("found '%', expected: identifier");
    assertNone(keyErrors(key, '<nil>'));
    // A negated key takes no operator. If one follows, the caller refuses it.
    if (negated) return { key, operator: '!', values: [] };
    const { kind, text } = this.#peek();
    if (kind === 'end' || text === ',') return { key, operator: 'exists', values: [] };
    return checked({ key, operator: this.#operator(), values: [] }, (operator) => this.#values(operator));
  }

  #operator(): LabelRequirement['operator'] {
    const { text } = this.#take();
    switch (text) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
      case '>':
      case '<':
        return text;
      default:
        throw new SyntaxFault(`found '${text}', expected: ${OPERATORS}`);
    }
  }

  #values(operator: LabelRequirement['operator']): string[] {
    if (operator === 'in' || operator === 'notin') return this.#set();
    const { kind, text } = this.#peek();
    return kind === 'end' || text === ',' ? [''] : [this.#word("found '%', expected: identifier")];
  }

  /** Reads `(a,b)`. An empty place between commas or parentheses is the empty value. */
  #set(): string[] {
    const open = this.#take().text;
    if (open !== '(') throw new SyntaxFault(`found '${open}' expected: '('`);
    const values = new Set<string>();
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'word') values.add(this.#take().text);
      else if (token.text === ',' || token.text === ')') values.add('');
      else throw new SyntaxFault(`found '${token.text}', expected: ',', ')' or identifier`);
      const next = this.#take();
      if (next.text === ')') return [...values].sort();
      if (next.text !== ',') throw new SyntaxFault(`found '${next.text}', expected: ',' or ')'`);
    }
  }

  #startsRequirement(): boolean {
    const { kind, text } = this.#peek();
    return kind === 'word' || text === '!';
  }

  /** Takes a word. For any other token, throws `complaint` with `%` replaced by the token's text. */
  #word(complaint: string): string {
    const { kind, text } = this.#take();
    if (kind !== 'word') throw new SyntaxFault(complaint.replace('%', () => text));
    return text;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

function checked(
  { key, operator }: LabelRequirement,
  readValues: (operator: LabelRequirement['operator']) => string[],
): LabelRequirement {
  const values = readValues(operator);
  assertNone([...integerErrors(operator, values), ...values.flatMap((value, index) => valueErrors(key, value, index))]);
  return { key, operator, values };
}

function assertNone(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new SyntaxFault(fieldErrorsMessage(errors));
}

/** `field` is `<nil>`, as Go prints it: the parser knows no path to the key. */
function keyErrors(key: string, field: string): FieldError[] {
  const errors = isQualifiedName(key);
  return errors.length === 0 ? [] : [{ type: 'FieldValueInvalid', field, badValue: key, detail: errors.join('; ') }];
}

function valueErrors(key: string, value: string, index: number): FieldError[] {
  const errors = isValidLabelValue(value);
  const field = `values[${index}][${key}]`;
  return errors.length === 0 ? [] : [{ type: 'FieldValueInvalid', field, badValue: value, detail: errors.join('; ') }];
}

function integerErrors(operator: LabelRequirement['operator'], values: readonly string[]): FieldError[] {
  if (operator !== '>' && operator !== '<') return [];
  const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
  return values.flatMap((value, index): FieldError[] =>
    parseInteger(value) === undefined
      ? [{ type: 'FieldValueInvalid', field: `values[${index}]`, badValue: value, detail }]
      : [],
  );
}
