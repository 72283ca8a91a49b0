import {
  type CelType,
  formatType,
  isExactType,
  listOf,
  mapOf,
  optionalOf,
  paramsOf,
  simpleType,
  unwrapOptional,
} from '../CelType.ts';
import type { CelIssue } from '../CelIssue.ts';
import type { CelValue } from '../evaluate/CelValue.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from '../Expr.ts';
import type { Overload } from '../functions/Overload.ts';
import { type CelEnvironment, typeOfName } from './CelEnvironment.ts';
import { mostGeneral, Substitutions, substitute } from './unify.ts';

/** An expression whose names are resolved, with the type of every part and the forms of the functions that its calls may mean. Parts are named by their ids. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly types: ReadonlyMap<number, CelType>;
  readonly overloads: ReadonlyMap<number, readonly Overload[]>;
  /** The global names that the expression refers to. */
  readonly names: ReadonlySet<string>;
}

export type Checked =
  | { readonly checked: CheckedExpr; readonly type: CelType }
  | { readonly issues: readonly CelIssue[] };

const ERROR = simpleType('error');
const DYN = simpleType('dyn');
const BOOL = simpleType('bool');

/** Resolves the names of an expression and finds the types of its parts, as cel-go's checker does, with its messages. Pure. */
export function checkExpression(expr: Expr, environment: CelEnvironment): Checked {
  const checker = new Checker(environment);
  const resolved = checker.check(expr);
  if (checker.issues.length > 0) return { issues: checker.issues };
  const types = new Map([...checker.types].map(([id, type]) => [id, substitute(checker.known, type, true)]));
  const { overloads, names } = checker;
  return { checked: { expr: resolved, types, overloads, names }, type: types.get(resolved.id) ?? DYN };
}

class Checker {
  readonly issues: CelIssue[] = [];
  readonly types = new Map<number, CelType>();
  readonly overloads = new Map<number, readonly Overload[]>();
  readonly names = new Set<string>();
  readonly known = new Substitutions();
  readonly #environment: CelEnvironment;
  #locals: ReadonlyMap<string, CelType> = new Map();
  #paramCount = 0;
  /** How many calls of `format` there are around: its list may hold values of any types. */
  #formatDepth = 0;

  constructor(environment: CelEnvironment) {
    this.#environment = environment;
  }

  /** Checks an expression and returns it with resolved names: `net.IP` becomes one name, `optional.of(1)` a call without target. */
  check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'literal':
        return this.#typed(expr, literalType(expr.value));
      case 'ident':
        return this.#checkName(expr, expr.name);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        this.#issue(expr, `undeclared reference to '${expr.typeName}' (in container '')`);
        return this.#typed(expr, ERROR);
      case 'comprehension':
        return this.#checkComprehension(expr);
    }
  }

  #typed<T extends Expr>(expr: T, type: CelType): T {
    this.types.set(expr.id, type);
    return expr;
  }

  #typeOf(expr: Expr): CelType {
    return this.types.get(expr.id) ?? ERROR;
  }

  #issue({ offset }: { readonly offset: number }, message: string): void {
    this.issues.push({ offset, message });
  }

  /** True if the types fit; then what was learned of their parameters is kept. */
  #fits(left: CelType, right: CelType): boolean {
    return this.known.assign(left, right);
  }

  #newParam(): CelType {
    this.#paramCount += 1;
    return { kind: 'param', name: `_var${this.#paramCount - 1}` };
  }

  #checkName(expr: Expr, name: string): Expr {
    const local = this.#locals.get(name);
    if (local !== undefined) return this.#typed(expr, local);
    const plain = name.replace(/^\./, '');
    const type = typeOfName(this.#environment, plain);
    if (type === undefined) {
      this.#issue(expr, `undeclared reference to '${name}' (in container '')`);
      return this.#typed(expr, ERROR);
    }
    this.names.add(plain);
    return this.#typed({ kind: 'ident', id: expr.id, offset: expr.offset, name: plain }, type);
  }

  #checkSelect(expr: SelectExpr): Expr {
    const qualified = expr.testOnly ? undefined : qualifiedName(expr);
    if (qualified !== undefined && !this.#locals.has(qualified.split('.', 1)[0] ?? ''))
      if (typeOfName(this.#environment, qualified) !== undefined) return this.#checkName(expr, qualified);
    const operand = this.check(expr.operand);
    const field = this.#fieldType(expr, this.#typeOf(operand), expr.field, false);
    return this.#typed({ ...expr, operand }, expr.testOnly ? BOOL : substitute(this.known, field));
  }

  /** The type of a field of a value; of a value that may be missing, the field may be missing, too. */
  #fieldType(expr: Expr, operandType: CelType, field: string, isOptional: boolean): CelType {
    const { type, isOptional: isWrapped } = unwrapOptional(substitute(this.known, operandType));
    const result = this.#plainFieldType(expr, type, field);
    return isOptional || isWrapped ? optionalOf(result) : result;
  }

  #plainFieldType(expr: Expr, type: CelType, field: string): CelType {
    if (type.kind === 'map') return type.params[1];
    if (type.kind === 'struct') {
      const fieldType = type.fields?.get(field);
      if (fieldType === undefined) this.#issue(expr, `undefined field '${field}'`);
      return fieldType ?? ERROR;
    }
    if (type.kind === 'param') this.#fits(DYN, type);
    else if (type.kind !== 'dyn' && type.kind !== 'error')
      this.#issue(expr, `type '${formatType(type)}' does not support field selection`);
    return DYN;
  }

  #checkCall(expr: CallExpr): Expr {
    if (expr.name === '_?._') return this.#checkOptionalSelect(expr);
    const isFormat = Number(expr.name === 'format');
    this.#formatDepth += isFormat;
    const args = expr.args.map((arg) => this.check(arg));
    this.#formatDepth -= isFormat;
    if (expr.target === undefined) return this.#resolveGlobal({ ...expr, args }, expr.name.replace(/^\./, ''));
    const prefix = qualifiedName(expr.target);
    const qualified = `${prefix}.${expr.name}`;
    if (prefix !== undefined && this.#environment.functions.has(qualified)) {
      const { target: _, ...call } = expr;
      return this.#resolveGlobal({ ...call, args }, qualified);
    }
    const target = this.check(expr.target);
    return this.#resolve({ ...expr, target, args }, expr.name, [target, ...args]);
  }

  #resolveGlobal(expr: CallExpr, name: string): Expr {
    return this.#resolve({ ...expr, name }, name, expr.args);
  }

  #resolve(expr: CallExpr, name: string, operands: readonly Expr[]): Expr {
    const functions = this.#environment.functions.get(name);
    if (functions === undefined) {
      this.#issue(expr, `undeclared reference to '${expr.name}' (in container '')`);
      return this.#typed(expr, ERROR);
    }
    if (name === '_&&_' || name === '_||_') return this.#checkLogical(expr, functions);
    const types = operands.map((operand) => this.#typeOf(operand));
    const candidates = functions.filter((one) => one.isMember === (expr.target !== undefined));
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const candidate of candidates) {
      const fresh = this.#instantiate(candidate);
      if (!this.known.assignAll(types, fresh.params)) continue;
      matching.push(candidate);
      const own = substitute(this.known, fresh.result);
      result = result === undefined ? own : result.kind !== 'dyn' && !isExactType(own, result) ? DYN : result;
    }
    if (result === undefined) return this.#noOverload(expr, types);
    this.overloads.set(expr.id, matching);
    return this.#typed(expr, result);
  }

  /** Gives the parameters of an overload's types new names, so that two calls of a function do not mix. */
  #instantiate({ params, result }: Overload): { readonly params: readonly CelType[]; readonly result: CelType } {
    const names = new Map<string, CelType>();
    const rename = (type: CelType): void => {
      if (type.kind === 'param' && !names.has(type.name)) names.set(type.name, this.#newParam());
      paramsOf(type).forEach(rename);
    };
    [...params, result].forEach(rename);
    if (names.size === 0) return { params, result };
    return { params: params.map((type) => substitute(names, type)), result: substitute(names, result) };
  }

  #noOverload(expr: CallExpr, types: readonly CelType[]): Expr {
    const [first, ...rest] = types.map((type) => formatType(substitute(this.known, type, true)));
    const shown =
      expr.target === undefined ? `(${[first, ...rest].filter(Boolean).join(', ')})` : `${first}.(${rest.join(', ')})`;
    this.#issue(expr, `found no matching overload for '${expr.name}' applied to '${shown}'`);
    return this.#typed(expr, ERROR);
  }

  #checkLogical(expr: CallExpr, functions: readonly Overload[]): Expr {
    let isWrong = false;
    for (const arg of expr.args) {
      const type = this.#typeOf(arg);
      if (this.#fits(type, BOOL)) continue;
      this.#issue(arg, `expected type 'bool' but found '${formatType(type)}'`);
      isWrong = true;
    }
    this.overloads.set(expr.id, functions);
    return this.#typed(expr, isWrong ? ERROR : BOOL);
  }

  #checkOptionalSelect(expr: CallExpr): Expr {
    const [first, field] = expr.args;
    if (first === undefined || field?.kind !== 'literal' || typeof field.value !== 'string')
      return this.#typed(expr, ERROR);
    const operand = this.check(first);
    const type = this.#fieldType(expr, this.#typeOf(operand), field.value, true);
    this.overloads.set(expr.id, this.#environment.functions.get('_?._') ?? []);
    return this.#typed({ ...expr, args: [operand, this.check(field)] }, substitute(this.known, type));
  }

  #checkList(expr: ListExpr): Expr {
    let element: CelType | undefined;
    const elements = expr.elements.map((one, index) => {
      const checked = this.check(one);
      const type = this.#elementType(checked, expr.optional.has(index));
      element = this.#join(checked, element, type);
      return checked;
    });
    return this.#typed({ ...expr, elements }, listOf(element ?? this.#newParam()));
  }

  /** The type of what an element, or an entry's value, adds: what is written with `?` must be optional. */
  #elementType(expr: Expr, isOptional: boolean): CelType {
    const type = this.#typeOf(expr);
    if (!isOptional) return type;
    const inner = unwrapOptional(type);
    if (!inner.isOptional && type.kind !== 'dyn')
      this.#issue(expr, `expected type '${formatType(optionalOf(type))}' but found '${formatType(type)}'`);
    return inner.type;
  }

  #join(expr: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.#fits(previous, current)) return mostGeneral(previous, current);
    if (this.#formatDepth > 0) return DYN;
    this.#issue(expr, `expected type '${formatType(previous)}' but found '${formatType(current)}'`);
    return ERROR;
  }

  #checkMap(expr: MapExpr): Expr {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(key, keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      valueType = this.#join(value, valueType, this.#elementType(value, entry.optional));
      return { key, value, optional: entry.optional };
    });
    return this.#typed({ ...expr, entries }, mapOf(keyType ?? this.#newParam(), valueType ?? this.#newParam()));
  }

  #checkComprehension(expr: ComprehensionExpr): Expr {
    const range = this.check(expr.range);
    const init = this.check(expr.init);
    const accumulatorType = this.#typeOf(init);
    const outer = this.#locals;
    const withAccumulator = new Map(outer).set(expr.accumulator, accumulatorType);
    const [first, second] = this.#variableTypes(range, expr.variable2 !== undefined);
    this.#locals = new Map(withAccumulator).set(expr.variable, first);
    if (expr.variable2 !== undefined) this.#locals = new Map(this.#locals).set(expr.variable2, second);
    const condition = this.check(expr.condition);
    this.#assertType(condition, BOOL);
    const step = this.check(expr.step);
    this.#assertType(step, accumulatorType);
    this.#locals = withAccumulator;
    const result = this.check(expr.result);
    this.#locals = outer;
    const checked = { ...expr, range, init, condition, step, result };
    return this.#typed(checked, substitute(this.known, this.#typeOf(result)));
  }

  #variableTypes(range: Expr, hasTwo: boolean): readonly [CelType, CelType] {
    const type = substitute(this.known, this.#typeOf(range));
    if (type.kind === 'list') return hasTwo ? [simpleType('int'), type.params[0]] : [type.params[0], DYN];
    if (type.kind === 'map') return type.params;
    if (type.kind === 'dyn' || type.kind === 'error' || type.kind === 'param') {
      this.#fits(DYN, type);
      return [DYN, DYN];
    }
    const shown = formatType(type);
    this.#issue(
      range,
      `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [ERROR, ERROR];
  }

  #assertType(expr: Expr, type: CelType): void {
    if (this.#fits(type, this.#typeOf(expr))) return;
    this.#issue(expr, `expected type '${formatType(type)}' but found '${formatType(this.#typeOf(expr))}'`);
  }
}

/** `a.b.c`, if that is all that an expression is. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

function literalType(value: CelValue): CelType {
  if (value === null) return simpleType('null');
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return simpleType('int');
  if (typeof value === 'number') return simpleType('double');
  if (typeof value === 'string') return simpleType('string');
  return simpleType(value instanceof Uint8Array ? 'bytes' : 'uint');
}
