import { isTypeName } from '../check/CelEnvironment.ts';
import type { CheckedExpr } from '../check/checkExpression.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from '../Expr.ts';
import { composedSizeOf, forgetSize, MAX_COMPOSED_SIZE } from './composedSize.ts';
import { costRuleOf } from './costRuleOf.ts';
import {
  CelError,
  CelList,
  CelMap,
  CelOptional,
  type CelResult,
  CelTypeValue,
  type CelValue,
  LiteralMap,
} from './CelValue.ts';
import { hasField, insert, insertAll, memberOf, NO_OVERLOAD, optionalMember, shown } from './members.ts';
import { takes } from './takes.ts';
import { typeNameOf } from './typeNameOf.ts';

/** The values of variables; `undefined` for a name without one. A variable may turn out to be an error. */
export type Variables = (name: string) => CelResult | undefined;

export interface Evaluated {
  readonly result: CelResult;
  /** In cel-go's units. */
  readonly cost: number;
}

/** The error of an expression that was stopped because it cost too much. */
export const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** Evaluates a checked expression. It is stopped when it has cost more than `costLimit`, so its time is bounded. Never throws. */
export function evaluate(checked: CheckedExpr, variables: Variables, costLimit: number): Evaluated {
  const evaluation = new Evaluation(checked, variables, costLimit);
  try {
    return { result: evaluation.run(checked.expr, undefined), cost: evaluation.cost };
  } catch (error) {
    if (!(error instanceof CostExceeded)) throw error;
    return { result: new CelError(COST_EXCEEDED), cost: evaluation.cost };
  }
}

class CostExceeded extends Error {}

/** The variables of folds, the innermost first. */
interface Scope {
  readonly name: string;
  value: CelResult;
  readonly outer: Scope | undefined;
}

/** The list or the map that a fold collects: what is added to it is added in place. */
class Collected {
  readonly items: CelValue[] = [];
  readonly list = new CelList(this.items);
}

class Evaluation {
  cost = 0;
  readonly #checked: CheckedExpr;
  readonly #variables: Variables;
  readonly #limit: number;
  readonly #collected = new WeakMap<CelList, Collected>();
  readonly #collectedMaps = new WeakSet<CelMap>();

  constructor(checked: CheckedExpr, variables: Variables, limit: number) {
    this.#checked = checked;
    this.#variables = variables;
    this.#limit = limit;
  }

  run(expr: Expr, scope: Scope | undefined): CelResult {
    switch (expr.kind) {
      case 'literal':
        return expr.value;
      case 'ident':
        return this.#name(expr.name, scope);
      case 'select':
        return this.#select(expr, scope);
      case 'call':
        return this.#call(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'struct':
        return new CelError(`unknown type: ${expr.typeName}`);
      case 'comprehension':
        return this.#fold(expr, scope);
    }
  }

  #charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostExceeded();
  }

  /** Stops where a value stands for more than an evaluation may hold, however little memory it takes as long as nobody looks into it. */
  #composed<T extends CelResult>(value: T): T {
    if (composedSizeOf(value) > MAX_COMPOSED_SIZE) throw new CostExceeded();
    return value;
  }

  #name(name: string, scope: Scope | undefined): CelResult {
    this.#charge(1);
    for (let local = scope; local !== undefined; local = local.outer) if (local.name === name) return local.value;
    const value = this.#variables(name);
    if (value !== undefined) return value;
    return isTypeName(name) ? new CelTypeValue(name) : new CelError(`no such attribute(s): ${name}`);
  }

  #select(expr: SelectExpr, scope: Scope | undefined): CelResult {
    const operand = this.run(expr.operand, scope);
    if (operand instanceof CelError) return operand;
    if (expr.testOnly) return hasField(operand, expr.field);
    this.#charge(1);
    return operand instanceof CelOptional ? optionalMember(operand, expr.field) : memberOf(operand, expr.field);
  }

  #call(expr: CallExpr, scope: Scope | undefined): CelResult {
    switch (expr.name) {
      case '_&&_':
        return this.#logical(expr, scope, false);
      case '_||_':
        return this.#logical(expr, scope, true);
      case '_?_:_':
        return this.#conditional(expr, scope);
      case '@not_strictly_false':
        return this.#notFalse(expr, scope);
      default:
        return this.#function(expr, scope);
    }
  }

  /** `&&` and `||` ignore an error of one side if the other side decides. */
  #logical({ args: [left, right] }: CallExpr, scope: Scope | undefined, deciding: boolean): CelResult {
    if (left === undefined || right === undefined) return NO_OVERLOAD;
    const first = this.run(left, scope);
    if (first === deciding) return deciding;
    const second = this.run(right, scope);
    if (second === deciding) return deciding;
    if (first instanceof CelError) return first;
    if (second instanceof CelError) return second;
    return first === !deciding && second === !deciding ? !deciding : NO_OVERLOAD;
  }

  #conditional({ args: [condition, yes, no] }: CallExpr, scope: Scope | undefined): CelResult {
    if (condition === undefined || yes === undefined || no === undefined) return NO_OVERLOAD;
    const decision = this.run(condition, scope);
    if (decision instanceof CelError) return decision;
    if (typeof decision !== 'boolean') return NO_OVERLOAD;
    return this.run(decision ? yes : no, scope);
  }

  #notFalse({ args: [operand] }: CallExpr, scope: Scope | undefined): CelResult {
    const value = operand === undefined ? NO_OVERLOAD : this.run(operand, scope);
    this.#charge(1);
    return value !== false;
  }

  #function(expr: CallExpr, scope: Scope | undefined): CelResult {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const values: CelValue[] = [];
    for (const operand of operands) {
      const value = this.run(operand, scope);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    const [first = null, second = null] = values;
    switch (expr.name) {
      case '_[_]':
        this.#charge(1);
        return first instanceof CelOptional ? optionalMember(first, second) : memberOf(first, second);
      case '_[?_]':
      case '_?._':
        this.#charge(1);
        return optionalMember(first instanceof CelOptional ? first : new CelOptional(first), second);
      default:
        return this.#collect(expr, values) ?? this.#dispatch(expr, values);
    }
  }

  #dispatch(expr: CallExpr, values: readonly CelValue[]): CelResult {
    const candidates = this.#checked.overloads.get(expr.id) ?? [];
    const overload = candidates.find((one) => takes(one, values));
    if (overload === undefined) return noOverload(expr.name, values);
    const rule = costRuleOf(expr.name, overload.id);
    // Most of a cost is known before the call, and must be: the call may take all of its time at once.
    if (rule !== undefined && this.cost + rule(values, null) > this.#limit) throw new CostExceeded();
    const result = overload.call(values);
    this.#charge(rule?.(values, result) ?? 1);
    return this.#composed(result);
  }

  /** Adds to what a fold collects, in place: otherwise a fold over n items would copy n² of them. */
  #collect(expr: CallExpr, [first, second, third]: readonly CelValue[]): CelResult | undefined {
    if (expr.name === '_+_' && first instanceof CelList && second instanceof CelList) {
      const collected = this.#collected.get(first);
      if (collected === undefined) return undefined;
      this.#charge(Math.max(1, second.items.length));
      for (const item of second.items) collected.items.push(item);
      return first;
    }
    if (expr.name !== 'cel.@mapInsert' || !(first instanceof CelMap) || !this.#collectedMaps.has(first))
      return undefined;
    this.#charge(1);
    return third === undefined ? insertAll(first, second) : insert(first, second ?? null, third);
  }

  #list(expr: ListExpr, scope: Scope | undefined): CelResult {
    const items: CelValue[] = [];
    for (const [index, element] of expr.elements.entries()) {
      const value = this.run(element, scope);
      if (value instanceof CelError) return value;
      if (!expr.optional.has(index)) items.push(value);
      else if (value instanceof CelOptional && value.value !== undefined) items.push(value.value);
    }
    this.#charge(10);
    return this.#composed(new CelList(items));
  }

  #map(expr: MapExpr, scope: Scope | undefined): CelResult {
    const entries = new LiteralMap();
    for (const entry of expr.entries) {
      const key = this.run(entry.key, scope);
      if (key instanceof CelError) return key;
      const result = this.run(entry.value, scope);
      if (result instanceof CelError) return result;
      const value = entry.optional && result instanceof CelOptional ? result.value : result;
      if (value !== undefined && !entries.add(key, value))
        return new CelError(`Failed with repeated key: ${shown(key)}`);
    }
    this.#charge(30);
    return this.#composed(new CelMap(entries));
  }

  #fold(expr: ComprehensionExpr, scope: Scope | undefined): CelResult {
    const range = this.run(expr.range, scope);
    if (range instanceof CelError) return range;
    const pairs = pairsOf(range);
    if (pairs === undefined) return NO_OVERLOAD;
    const init = this.run(expr.init, scope);
    const accumulator: Scope = { name: expr.accumulator, value: this.#collecting(expr, init), outer: scope };
    for (const [key, value] of pairs) {
      const single = range instanceof CelList ? value : key;
      const first = { name: expr.variable, value: expr.variable2 === undefined ? single : key, outer: accumulator };
      const inner = expr.variable2 === undefined ? first : { name: expr.variable2, value, outer: first };
      if (this.run(expr.condition, inner) !== true) break;
      accumulator.value = this.run(expr.step, inner);
      // Only `all` and `exists` look further after an error: another item may decide.
      if (accumulator.value instanceof CelError && expr.condition.kind === 'literal') return accumulator.value;
    }
    this.#completed(accumulator.value);
    return this.run(expr.result, accumulator);
  }

  /** What a fold has collected does not change any more, and its size is known now. */
  #completed(value: CelResult): void {
    if (value instanceof CelList) this.#collected.delete(value);
    if (value instanceof CelMap) this.#collectedMaps.delete(value);
    forgetSize(value);
    this.#composed(value);
  }

  /** The empty list or map with which a fold begins, as one to which can be added. */
  #collecting(expr: ComprehensionExpr, init: CelResult): CelResult {
    if (expr.init.kind === 'list' && init instanceof CelList && init.items.length === 0) {
      const collected = new Collected();
      this.#collected.set(collected.list, collected);
      return collected.list;
    }
    if (expr.init.kind === 'map' && init instanceof CelMap) this.#collectedMaps.add(init);
    return init;
  }
}

function noOverload(name: string, values: readonly CelValue[]): CelError {
  if (!/^[a-z]/i.test(name)) return NO_OVERLOAD;
  return new CelError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`);
}

/** The keys, or indexes, and the values of what can be folded. */
function pairsOf(range: CelValue): Iterable<readonly [CelValue, CelValue]> | undefined {
  if (range instanceof CelList)
    return range.items.map((item, index): readonly [CelValue, CelValue] => [BigInt(index), item]);
  if (!(range instanceof CelMap)) return undefined;
  return Array.from(range.source.keys(), (key): readonly [CelValue, CelValue] => [key, range.source.get(key) ?? null]);
}
