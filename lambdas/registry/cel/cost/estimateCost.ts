import { type CelType, paramsOf, unwrapOptional } from '../CelType.ts';
import type { CheckedExpr } from '../check/checkExpression.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr } from '../Expr.ts';
import { ACCUMULATOR } from '../Expr.ts';
import { sizeOf } from '../evaluate/sizeOf.ts';
import { add, type Estimate, exactly, MOST, multiply, union, UNKNOWN } from './Estimate.ts';
import { estimateCall } from './estimateCall.ts';
import type { EstimatedNode, EstimateSize } from './EstimatedCall.ts';

/**
 * Estimates what an expression costs at least and at most, in cel-go's units, before it ever runs. Follows cel-go's `checker.Cost` with Kubernetes' estimators,
 * to the unit: what a definition may contain depends on it. Pure.
 */
export function estimateCost(checked: CheckedExpr, estimateSize: EstimateSize): Estimate {
  return new Coster(checked, estimateSize).cost(checked.expr);
}

/** The sizes of the keys, or indexes, and of the values of a list or a map. */
interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entries: EntrySizes | undefined;
}

const LIST_COST = exactly(10);
const MAP_COST = exactly(30);
const ONE = exactly(1);

class Coster {
  readonly #checked: CheckedExpr;
  readonly #estimateSize: EstimateSize;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Estimate>();
  readonly #entries = new Map<number, EntrySizes>();
  #locals: ReadonlyMap<string, Local> = new Map();

  constructor(checked: CheckedExpr, estimateSize: EstimateSize) {
    this.#checked = checked;
    this.#estimateSize = estimateSize;
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'literal':
        return exactly(0);
      case 'ident':
        this.#paths.set(expr.id, this.#locals.get(expr.name)?.path ?? [expr.name]);
        return ONE;
      case 'select': {
        const cost = this.cost(expr.operand);
        if (expr.testOnly) return cost;
        this.#paths.set(expr.id, [...this.#pathOf(expr.operand), expr.field]);
        return ['map', 'struct', 'param'].includes(this.#typeOf(expr.operand)?.kind ?? '') ? add(cost, ONE) : cost;
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return add(exactly(40), ...expr.values.map((value) => this.cost(value)));
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #typeOf(expr: Expr): CelType | undefined {
    return this.#checked.types.get(expr.id);
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#locals.get(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #call(expr: CallExpr): Estimate {
    const [first] = expr.args;
    if (expr.name === 'dyn' && first !== undefined) {
      const cost = this.cost(first);
      this.#copySizes(expr, first);
      return add(ONE, cost);
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const overloads = this.#checked.overloads.get(expr.id) ?? [];
    if (overloads.length === 0) return exactly(0);
    const targetCost = expr.target === undefined ? exactly(0) : this.cost(expr.target);
    const target = expr.target === undefined ? undefined : this.#node(expr.target);
    let cost: Estimate = { min: MOST, max: 0 };
    let size: Estimate | undefined;
    for (const { id } of overloads) {
      const call = estimateCall({ name: expr.name, overload: id, target, args, argCosts }, this.#estimateSize);
      cost = union(cost, call.cost);
      if (call.size !== undefined) size = size === undefined ? call.size : union(size, call.size);
      size = this.#afterOverload(expr, id, size);
      size ??= this.#sizeOf(expr);
    }
    if (size !== undefined) this.#sizes.set(expr.id, size);
    return add(targetCost, cost);
  }

  /** What a call tells of its result's place in the schema, and of the sizes of its items. */
  #afterOverload(expr: CallExpr, id: string, size: Estimate | undefined): Estimate | undefined {
    const [first, second, third] = expr.args;
    if (first === undefined || second === undefined) return size;
    if (id === 'index_list' || id === 'index_map') {
      this.#paths.set(expr.id, [...this.#pathOf(first), id === 'index_list' ? '@items' : '@values']);
      return this.#entriesOf(first)?.value;
    }
    if (id === 'conditional' && third !== undefined) this.#joinEntries(expr, second, third);
    if (['add_string', 'add_bytes', 'add_list'].includes(id)) this.#joinEntries(expr, first, second);
    return size;
  }

  #joinEntries(expr: Expr, a: Expr, b: Expr): void {
    const [left, right] = [this.#entriesOf(a), this.#entriesOf(b)];
    if (left === undefined || right === undefined) return;
    const joined = { kind: left.kind, key: union(left.key, right.key), value: union(left.value, right.value) };
    this.#entries.set(expr.id, joined);
  }

  #list(expr: ListExpr): Estimate {
    const costs = expr.elements.map((element) => this.cost(element));
    const value = this.#cover(expr.elements);
    this.#entries.set(expr.id, { kind: 'list', key: ONE, value });
    return add(...costs, LIST_COST);
  }

  #map(expr: MapExpr): Estimate {
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const key = this.#cover(expr.entries.map((entry) => entry.key));
    const value = this.#cover(expr.entries.map((entry) => entry.value));
    this.#entries.set(expr.id, { kind: 'map', key, value });
    return add(...costs, MAP_COST);
  }

  /** The range that covers the sizes of all. */
  #cover(exprs: readonly Expr[]): Estimate {
    const none: Estimate = { min: exprs.length === 0 ? 0 : MOST, max: 0 };
    return exprs.reduce((range, expr) => union(range, this.#sizeOf(expr) ?? UNKNOWN), none);
  }

  #comprehension(expr: ComprehensionExpr): Estimate {
    const outside = add(this.cost(expr.range), this.cost(expr.init));
    const outer = this.#locals;
    const accumulator = {
      path: this.#pathOf(expr.init),
      size: this.#sizeOf(expr.init),
      entries: this.#entriesOf(expr.init),
    };
    const withAccumulator = new Map(outer).set(expr.accumulator, accumulator);
    this.#locals = withAccumulator;
    this.#locals = new Map([...withAccumulator, ...this.#variables(expr)]);
    const loop = add(this.cost(expr.condition), this.cost(expr.step));
    this.#locals = withAccumulator;
    const result = this.cost(expr.result);
    this.#locals = outer;
    const count = this.#sizeOf(expr.range) ?? UNKNOWN;
    this.#setFoldSizes(expr, count);
    return add(outside, result, multiply(count, loop));
  }

  #variables(expr: ComprehensionExpr): (readonly [string, Local])[] {
    const entries = this.#entriesOf(expr.range);
    const kind = entries?.kind ?? this.#typeOf(expr.range)?.kind;
    const path = this.#pathOf(expr.range);
    const local = (step: string, size: Estimate | undefined): Local => ({
      path: [...path, step],
      size,
      entries: undefined,
    });
    const key = local(kind === 'list' ? '@indices' : '@keys', entries?.key);
    const value = local(kind === 'list' ? '@items' : '@values', entries?.value);
    if (expr.variable2 === undefined) return [[expr.variable, kind === 'list' ? value : key]];
    return [
      [expr.variable, key],
      [expr.variable2, value],
    ];
  }

  #setFoldSizes(expr: ComprehensionExpr, count: Estimate): void {
    const { init, step } = expr;
    if (init.kind === 'literal') {
      const size = this.#sizeOf(init);
      if (size !== undefined) this.#sizes.set(expr.id, size);
    } else if (init.kind === 'list' || init.kind === 'map') {
      this.#sizes.set(expr.id, count);
      const entries = this.#entriesOf(step);
      if (entries !== undefined) this.#entries.set(expr.id, entries);
    }
  }

  #binding(expr: ComprehensionExpr): Estimate {
    const cost = add(this.cost(expr.range), this.cost(expr.init));
    const outer = this.#locals;
    const local = { path: this.#pathOf(expr.init), size: this.#sizeOf(expr.init), entries: this.#entriesOf(expr.init) };
    this.#locals = new Map(outer).set(expr.accumulator, local);
    const result = this.cost(expr.result);
    this.#copySizes(expr, expr.result);
    this.#locals = outer;
    return add(cost, result);
  }

  #copySizes(to: Expr, from: Expr): void {
    const [size, entries] = [this.#sizeOf(from), this.#entriesOf(from)];
    if (size !== undefined) this.#sizes.set(to.id, size);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#pathOf(expr);
    const isAccumulator = path[0] === ACCUMULATOR || path[0] === '__result__';
    return { path: isAccumulator ? [] : path, type: this.#typeOf(expr), expr, size: this.#sizeOf(expr) };
  }

  #sizeOf(expr: Expr): Estimate | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#pathOf(expr);
    const estimated = path.length === 0 ? undefined : this.#estimateSize(path);
    if (estimated !== undefined) {
      this.#sizes.set(expr.id, estimated);
      return estimated;
    }
    if (isScalar(this.#typeOf(expr))) return ONE;
    return expr.kind === 'ident' ? this.#locals.get(expr.name)?.size : undefined;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id);
    return known ?? (expr.kind === 'ident' ? this.#locals.get(expr.name)?.entries : undefined);
  }
}

function literalSize(expr: Expr): Estimate | undefined {
  if (expr.kind === 'literal') return exactly(sizeOf(expr.value) ?? 1);
  if (expr.kind === 'list') return exactly(expr.elements.length);
  return expr.kind === 'map' ? exactly(expr.entries.length) : undefined;
}

function isScalar(type: CelType | undefined): boolean {
  if (type === undefined) return false;
  const { type: inner, isOptional } = unwrapOptional(type);
  if (isOptional) return isScalar(paramsOf(type)[0] ?? inner);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}

/** A fold over nothing binds a variable. */
function isBinding({ range, condition, accumulator }: ComprehensionExpr): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== ACCUMULATOR
  );
}
