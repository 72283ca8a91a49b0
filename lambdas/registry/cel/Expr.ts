import type { CelValue } from './evaluate/CelValue.ts';

/**
 * The syntax tree of a CEL expression after macros were expanded, as cel-go has it. Operators are calls of functions such as `_+_`. `id` is unique within an
 * expression; `offset` is where errors point to: the operator, the bracket or the dot, and the first character of everything else.
 */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

interface Node {
  readonly id: number;
  readonly offset: number;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: CelValue;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** True for what was written `has(a.b)`. */
  readonly testOnly: boolean;
}

export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly name: string;
  /** Absent for global functions. */
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** The indexes of elements that were written `?element`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  /** True for what was written `?key: value`. */
  readonly optional: boolean;
}

/** `Type{field: value}`. No environment of Kubernetes' rules and policies has such types; it is parsed to be refused. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly values: readonly Expr[];
}

/** A fold: what `all`, `exists`, `map`, `filter` and their kin expand to. */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** The variable of the value, if the macro has variables for key and value. */
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The accumulator of macros. It cannot be written in an expression. */
export const ACCUMULATOR = '@result';

/** Returns the expressions directly within an expression. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.values;
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
