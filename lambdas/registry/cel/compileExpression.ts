import { parseGoDuration } from '../../objects/go/goDuration.ts';
import { compilePattern, PatternError } from '../apiextensions/values/patterns.ts';
import type { CelType } from './CelType.ts';
import { type CelIssue, issuesMessage } from './CelIssue.ts';
import type { CelEnvironment } from './check/CelEnvironment.ts';
import { type CheckedExpr, checkExpression } from './check/checkExpression.ts';
import { childrenOf, type Expr } from './Expr.ts';
import { parseTimestamp } from './functions/parseTimestamp.ts';
import { parseExpression } from './parse/parseExpression.ts';

export type Compiled =
  | { readonly checked: CheckedExpr; readonly type: CelType }
  /** All issues in cel-go's words, with the lines that they point into. */
  | { readonly issues: string };

/** The steps that compiling one character of an expression counts for, 1.5 µs together. The slowest known expression takes twice as long. Whoever compiles what a request says spends them first. */
export const STEPS_PER_EXPRESSION_CHARACTER = 15;

/** Parses and checks an expression, and the times, durations and patterns that are written in it. Pure; never throws. */
export function compileExpression(source: string, environment: CelEnvironment): Compiled {
  const parsed = parseExpression(source);
  if ('issues' in parsed) return { issues: issuesMessage(parsed.issues, source) };
  const result = checkExpression(parsed.expr, environment);
  if ('issues' in result) return { issues: issuesMessage(result.issues, source) };
  const issues = literalIssues(result.checked.expr);
  return issues.length > 0 ? { issues: issuesMessage(issues, source) } : result;
}

/** The functions whose arguments are judged if they are written out. */
const LITERALS: Readonly<Record<string, { readonly argument: number; readonly isValid: (text: string) => boolean }>> = {
  duration: { argument: 0, isValid: (text) => parseGoDuration(text) !== undefined },
  timestamp: { argument: 0, isValid: (text) => parseTimestamp(text) !== undefined },
  matches: { argument: -1, isValid: (text) => !(compilePattern(text) instanceof PatternError) },
};

function literalIssues(expr: Expr): CelIssue[] {
  const inner = childrenOf(expr).flatMap(literalIssues);
  const rule = expr.kind === 'call' && Object.hasOwn(LITERALS, expr.name) ? LITERALS[expr.name] : undefined;
  const argument = expr.kind === 'call' && rule !== undefined ? expr.args.at(rule.argument) : undefined;
  if (rule === undefined || argument?.kind !== 'literal' || typeof argument.value !== 'string') return inner;
  if (rule.isValid(argument.value) || expr.kind !== 'call') return inner;
  return [...inner, { offset: argument.offset, message: `invalid ${expr.name} argument` }];
}
