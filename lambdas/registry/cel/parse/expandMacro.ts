import type { CelIssue } from '../CelIssue.ts';
import { ACCUMULATOR, type CallExpr, type Expr } from '../Expr.ts';

type NewNode = () => { readonly id: number; readonly offset: number };

/** Builds expressions whose errors point to the macro's call. */
class Builder {
  readonly #node: NewNode;

  constructor(node: NewNode) {
    this.#node = node;
  }

  literal(value: boolean | bigint): Expr {
    return { kind: 'literal', ...this.#node(), value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', ...this.#node(), name };
  }

  accumulator(): Expr {
    return this.ident(ACCUMULATOR);
  }

  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', ...this.#node(), name, args };
  }

  memberCall(name: string, target: Expr): Expr {
    return { kind: 'call', ...this.#node(), name, target, args: [] };
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', ...this.#node(), elements, optional: new Set() };
  }

  emptyMap(): Expr {
    return { kind: 'map', ...this.#node(), entries: [] };
  }

  has(operand: Expr, field: string): Expr {
    return { kind: 'select', ...this.#node(), operand, field, testOnly: true };
  }

  fold(range: Expr, variables: readonly string[], parts: FoldParts): Expr {
    const [variable = '', variable2] = variables;
    return {
      kind: 'comprehension',
      ...this.#node(),
      range,
      variable,
      ...(variable2 === undefined ? {} : { variable2 }),
      accumulator: parts.accumulator ?? ACCUMULATOR,
      init: parts.init,
      condition: parts.condition ?? this.literal(true),
      step: parts.step,
      result: parts.result ?? this.accumulator(),
    };
  }
}

interface FoldParts {
  readonly accumulator?: string;
  readonly init: Expr;
  readonly condition?: Expr;
  readonly step: Expr;
  readonly result?: Expr;
}

/** Makes the fold of a macro from the expressions after its variables. */
type MakeFold = (build: Builder, rest: readonly Expr[], variables: readonly string[]) => FoldParts;

const all: MakeFold = (build, [predicate = build.literal(true)]) => ({
  init: build.literal(true),
  condition: build.call('@not_strictly_false', build.accumulator()),
  step: build.call('_&&_', build.accumulator(), predicate),
});

const exists: MakeFold = (build, [predicate = build.literal(true)]) => ({
  init: build.literal(false),
  condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
  step: build.call('_||_', build.accumulator(), predicate),
});

const existsOne: MakeFold = (build, [predicate = build.literal(true)]) => ({
  init: build.literal(0n),
  step: build.call('_?_:_', predicate, build.call('_+_', build.accumulator(), build.literal(1n)), build.accumulator()),
  result: build.call('_==_', build.accumulator(), build.literal(1n)),
});

/** With a filter before the transformation, if there are two expressions. */
const transformList: MakeFold = (build, rest) => ({
  init: build.list(),
  step: filtered(build, rest, (transform) => build.call('_+_', build.accumulator(), build.list(transform))),
});

const filter: MakeFold = (build, [predicate = build.literal(true)], [variable = '']) => ({
  init: build.list(),
  step: filtered(build, [predicate, build.ident(variable)], (item) =>
    build.call('_+_', build.accumulator(), build.list(item)),
  ),
});

const transformMap: MakeFold = (build, rest, [key = '']) => ({
  init: build.emptyMap(),
  step: filtered(build, rest, (value) => build.call('cel.@mapInsert', build.accumulator(), build.ident(key), value)),
});

const transformMapEntry: MakeFold = (build, rest) => ({
  init: build.emptyMap(),
  step: filtered(build, rest, (entry) => build.call('cel.@mapInsert', build.accumulator(), entry)),
});

function filtered(build: Builder, rest: readonly Expr[], makeStep: (last: Expr) => Expr): Expr {
  const [first = build.literal(true), second] = rest;
  const step = makeStep(second ?? first);
  return second === undefined ? step : build.call('_?_:_', first, step, build.accumulator());
}

interface Macro {
  readonly variables: 1 | 2;
  /** What is said if a variable is no name. */
  readonly mistake: string;
  readonly fold: MakeFold;
}

const SIMPLE = 'argument must be a simple name';
const NO_IDENT = 'argument is not an identifier';

/** The macros that are folds, by name and number of arguments. */
const FOLDS: Readonly<Record<string, Macro>> = {
  'all/2': { variables: 1, mistake: SIMPLE, fold: all },
  'exists/2': { variables: 1, mistake: SIMPLE, fold: exists },
  'exists_one/2': { variables: 1, mistake: SIMPLE, fold: existsOne },
  'existsOne/2': { variables: 1, mistake: SIMPLE, fold: existsOne },
  'map/2': { variables: 1, mistake: NO_IDENT, fold: transformList },
  'map/3': { variables: 1, mistake: NO_IDENT, fold: transformList },
  'filter/2': { variables: 1, mistake: NO_IDENT, fold: filter },
  'all/3': { variables: 2, mistake: SIMPLE, fold: all },
  'exists/3': { variables: 2, mistake: SIMPLE, fold: exists },
  'exists_one/3': { variables: 2, mistake: SIMPLE, fold: existsOne },
  'existsOne/3': { variables: 2, mistake: SIMPLE, fold: existsOne },
  'transformList/3': { variables: 2, mistake: SIMPLE, fold: transformList },
  'transformList/4': { variables: 2, mistake: SIMPLE, fold: transformList },
  'transformMap/3': { variables: 2, mistake: SIMPLE, fold: transformMap },
  'transformMap/4': { variables: 2, mistake: SIMPLE, fold: transformMap },
  'transformMapEntry/3': { variables: 2, mistake: SIMPLE, fold: transformMapEntry },
  'transformMapEntry/4': { variables: 2, mistake: SIMPLE, fold: transformMapEntry },
};

/** Returns what a call expands to, an issue if its arguments do not fit the macro, or `undefined` if it is no macro. */
export function expandMacro(call: CallExpr, newNode: NewNode): { readonly expr: Expr } | CelIssue | undefined {
  const build = new Builder(newNode);
  const { name, target, args } = call;
  const [first] = args;
  if (target === undefined) return name === 'has' && args.length === 1 && first ? expandHas(build, first) : undefined;
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) return expandOptional(build, call, target);
  if (name === 'sortBy' && args.length === 2) return expandSortBy(build, call, target);
  const key = `${name}/${args.length}`;
  const macro = Object.hasOwn(FOLDS, key) ? FOLDS[key] : undefined;
  if (macro === undefined) return undefined;
  const names = args.slice(0, macro.variables).map((one) => namesIn(one, macro.mistake));
  const wrong = names.find((one) => typeof one !== 'string');
  if (wrong !== undefined && typeof wrong !== 'string') return wrong;
  const variables = names.filter((one) => typeof one === 'string');
  const [one, two] = variables;
  if (one === two) return { offset: args[1]?.offset ?? 0, message: `duplicate variable name: ${one}` };
  return { expr: build.fold(target, variables, macro.fold(build, args.slice(macro.variables), variables)) };
}

function namesIn(expr: Expr, mistake: string): string | CelIssue {
  if (expr.kind !== 'ident') return { offset: expr.offset, message: mistake };
  if (expr.name !== '__result__') return expr.name;
  return { offset: expr.offset, message: 'iteration variable overwrites accumulator variable' };
}

function expandHas(build: Builder, argument: Expr): { readonly expr: Expr } | CelIssue {
  if (argument.kind !== 'select' || argument.testOnly)
    return { offset: argument.offset, message: 'invalid argument to has() macro' };
  return { expr: build.has(argument.operand, argument.field) };
}

/** `a.optMap(v, e)` binds `v` to the value of `a`, if it has one. A fold over nothing serves as the binding. */
function expandOptional(build: Builder, call: CallExpr, target: Expr): { readonly expr: Expr } | CelIssue {
  const [variable, expression] = call.args;
  if (variable === undefined || expression === undefined) return { offset: call.offset, message: NO_IDENT };
  if (variable.kind !== 'ident')
    return { offset: variable.offset, message: `${call.name}() variable name must be a simple identifier` };
  const bound = build.fold(build.list(), ['#unused'], {
    accumulator: variable.name,
    init: build.memberCall('value', target),
    condition: build.literal(false),
    step: build.ident(variable.name),
    result: expression,
  });
  const some = call.name === 'optMap' ? build.call('optional.of', bound) : bound;
  return { expr: build.call('_?_:_', build.memberCall('hasValue', target), some, build.call('optional.none')) };
}

/** `a.sortBy(v, e)` sorts `a` by the keys that `e` makes. */
function expandSortBy(build: Builder, call: CallExpr, target: Expr): { readonly expr: Expr } | CelIssue {
  const [variable, key] = call.args;
  if (variable === undefined || key === undefined) return { offset: call.offset, message: NO_IDENT };
  if (variable.kind !== 'ident')
    return {
      offset: variable.offset,
      message: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    };
  const keys = build.fold(target, [variable.name], transformList(build, [key], []));
  return { expr: build.call('@sortByAssociatedKeys', target, keys) };
}
