import { type CelType, optionalOf } from '../../cel/CelType.ts';
import type { CelEnvironment } from '../../cel/check/CelEnvironment.ts';
import type { CheckedExpr } from '../../cel/check/checkExpression.ts';
import { compileExpression } from '../../cel/compileExpression.ts';
import { estimateCost } from '../../cel/cost/estimateCost.ts';
import { STANDARD_FUNCTIONS } from '../../cel/functions/standardFunctions.ts';
import type { ValidationRule } from '../schema/JsonSchemaProps.ts';
import { type SchemaType, sizesOf } from './SchemaType.ts';

/** An expression that compiled, and the most that it can cost. */
export interface CompiledExpression {
  readonly checked: CheckedExpr;
  readonly maxCost: number;
}

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent if the rule is empty or does not compile. */
  readonly expression?: CompiledExpression;
  readonly error?: string;
  readonly message?: CompiledExpression;
  readonly messageError?: string;
  /** True if the rule compares with the old value: then it holds for changes only. */
  readonly usesOldSelf: boolean;
}

/** Compiles a rule for values of a type. Pure. */
export function compileRule(rule: ValidationRule, self: SchemaType): CompiledRule {
  if (rule.rule.trim() === '') return { rule, usesOldSelf: false };
  const environment = environmentOf(self.type, rule.optionalOldSelf === true);
  const result = compileExpression(rule.rule, environment);
  if ('issues' in result) return { rule, error: `compilation failed: ${result.issues}`, usesOldSelf: false };
  if (result.type.kind !== 'bool') return { rule, error: 'cel expression must evaluate to a bool', usesOldSelf: false };
  return {
    rule,
    expression: withCost(result.checked, self),
    usesOldSelf: result.checked.names.has('oldSelf'),
    ...compileMessage(rule, environment, self),
  };
}

function compileMessage(
  { messageExpression }: ValidationRule,
  environment: CelEnvironment,
  self: SchemaType,
): Pick<CompiledRule, 'message' | 'messageError'> {
  if (messageExpression === '') return {};
  const result = compileExpression(messageExpression, environment);
  if ('issues' in result) return { messageError: `messageExpression compilation failed: ${result.issues}` };
  if (result.type.kind !== 'string') return { messageError: 'messageExpression must evaluate to a string' };
  return { message: withCost(result.checked, self) };
}

function withCost(checked: CheckedExpr, self: SchemaType): CompiledExpression {
  return { checked, maxCost: estimateCost(checked, sizesOf(self)).max };
}

function environmentOf(self: CelType, hasOptionalOldSelf: boolean): CelEnvironment {
  const variables = new Map([
    ['self', self],
    ['oldSelf', hasOptionalOldSelf ? optionalOf(self) : self],
  ]);
  return { variables, functions: STANDARD_FUNCTIONS };
}
