import { RE2JS } from 're2js';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';

/** Why a pattern does not compile, in Go's words. */
export class PatternError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const CACHE = new Map<string, RE2JS | PatternError>();
const MAX_CACHED_WORK = 40_000_000;
const MAX_PATTERN_WORK = 2_000_000;
let cachedWork = 0;

/** Compiles a pattern in RE2's syntax, once while it is among those last used. Matching takes time linear in the text. A pattern that takes long to compile is refused. */
export function compilePattern(pattern: string): RE2JS | PatternError {
  const known = CACHE.get(pattern);
  if (known !== undefined) return known;
  const work = patternWork(pattern);
  if (work > MAX_PATTERN_WORK) return new PatternError('error parsing regexp: expression too large');
  if (cachedWork + work > MAX_CACHED_WORK) {
    CACHE.clear();
    cachedWork = 0;
  }
  cachedWork += work;
  const compiled = compileOrFail(pattern);
  CACHE.set(pattern, compiled);
  return compiled;
}

/** How many instructions of a compiled pattern one step runs on a character. */
const INSTRUCTIONS_PER_STEP = 20;

/**
 * True if a text contains what a pattern describes; a pattern that does not compile matches nothing. Each character may meet each instruction of the compiled pattern: `^(.{0,1000})+x{500}$`
 * has thousands. Throws BudgetExhaustedError if the budget does not suffice for that.
 */
export function matchesPattern(pattern: string, text: string, budget: RequestBudget): boolean {
  if (!isCompiled(pattern)) budget.spend(Math.ceil(patternWork(pattern) / 2));
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return false;
  budget.spend(Math.ceil((text.length * compiled.programSize()) / INSTRUCTIONS_PER_STEP));
  return compiled.matcher(text).find();
}

/** True if a pattern is compiled already, and costs nothing more. */
export function isCompiled(pattern: string): boolean {
  return CACHE.has(pattern);
}

/**
 * Estimates how long a pattern takes to compile: about 50 ns for each unit, by measurement. Repetitions are written out, up to 1,000 times for all that are
 * nested, and classes of Unicode have hundreds of ranges: `\p{L}{1,1000}` has 15 characters and takes 8 ms.
 */
export function patternWork(pattern: string): number {
  let copies = 1;
  for (const [, from = '', to = ''] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    copies = Math.min(1_000, copies * Math.max(1, Number(from), Number(to)));
  const perCharacter = /\\[pP]|\(\?[a-zA-Z]*i/.test(pattern) ? 20 : 1;
  return pattern.length * (60 + copies * perCharacter);
}

function compileOrFail(pattern: string): RE2JS | PatternError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return new PatternError(error instanceof Error ? error.message : String(error));
  }
}
