import { badRequest } from '../objects/apiErrors.ts';
import { isQualifiedName, isValidLabelValue } from '../objects/nameFormats.ts';

export type LabelMatch = (labels: Readonly<Record<string, string>> | undefined) => boolean;

type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

/**
 * Reads a label selector as it stands in a query, `app=web,tier in (a, b),!legacy`, by the grammar of apimachinery's `labels.Parse`, to what it
 * matches. An empty one matches everything.
 *
 * @throws ApiError BadRequest for what the grammar does not know, or a key or value that no label can have.
 */
export function parseLabelSelector(text: string): LabelMatch {
  const requirements = new Parser(tokenize(text)).parse();
  for (const requirement of requirements) checkRequirement(requirement);
  return (labels = {}) => requirements.every((requirement) => matches(requirement, labels));
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const symbol = SYMBOLS.find((one) => text.startsWith(one, at));
    const word = symbol ?? /^[^=!(),<>\s]+/.exec(text.slice(at))?.[0];
    if (word !== undefined) tokens.push(word);
    at += word?.length ?? 1;
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#tokens.length === 0) return requirements;
    while (true) {
      requirements.push(this.#requirement());
      const next = this.#next();
      if (next === undefined) return requirements;
      if (next !== ',') throw unexpected(next, "',' or 'end of string'");
      if (this.#peek() === undefined) throw unexpected('', "identifier after ','");
    }
  }

  #requirement(): Requirement {
    const negated = this.#peek() === '!';
    if (negated) this.#next();
    const key = this.#word('identifier');
    if (negated) return { key, operator: '!', values: [] };
    const operator = this.#peek();
    if (operator === undefined || operator === ',') return { key, operator: 'exists', values: [] };
    this.#next();
    switch (operator) {
      case 'in':
      case 'notin':
        return { key, operator, values: this.#set() };
      case '=':
      case '==':
      case '!=':
        return { key, operator, values: [this.#value()] };
      case '>':
      case '<':
        return { key, operator, values: [this.#word('identifier')] };
      default:
        throw unexpected(operator, 'in, notin, =, ==, !=, gt, lt');
    }
  }

  #set(): string[] {
    const open = this.#next();
    if (open !== '(') throw unexpected(open ?? '', "'('");
    const values = [this.#value()];
    while (true) {
      const next = this.#next();
      if (next === ')') return values;
      if (next !== ',') throw unexpected(next ?? '', "',' or ')'");
      values.push(this.#value());
    }
  }

  /** A value may be empty: `a=`, `a in (,b)`. */
  #value(): string {
    const next = this.#peek();
    return next === undefined || next === ',' || next === ')' ? '' : this.#word('identifier');
  }

  #word(expected: string): string {
    const token = this.#next();
    if (token === undefined || SYMBOLS.includes(token)) throw unexpected(token ?? '', expected);
    return token;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++];
  }
}

function unexpected(found: string, expected: string): Error {
  return badRequest(`unable to parse requirement: found '${found}', expected: ${expected}`);
}

function checkRequirement({ key, operator, values }: Requirement): void {
  const keyErrors = isQualifiedName(key);
  if (keyErrors.length > 0)
    throw badRequest(`unable to parse requirement: key: Invalid value: ${quote(key, keyErrors)}`);
  if (operator === '>' || operator === '<') {
    if (/^[+-]?\d+$/.test(values[0] ?? '')) return;
    throw badRequest(`unable to parse requirement: values[0]: Invalid value: ${quote(values[0] ?? '', INTEGER)}`);
  }
  for (const value of values) {
    const errors = isValidLabelValue(value);
    if (errors.length > 0) {
      throw badRequest(`unable to parse requirement: values[0][${key}]: Invalid value: ${quote(value, errors)}`);
    }
  }
}

const INTEGER = ["for 'Gt', 'Lt' operators, the value must be an integer"];

function quote(value: string, errors: readonly string[]): string {
  return `${JSON.stringify(value)}: ${errors.join('; ')}`;
}

/** A label that is absent is not in any set and unequal to any value. */
function matches({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '>':
      return value !== undefined && Number(value) > Number(values[0]);
    case '<':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}
