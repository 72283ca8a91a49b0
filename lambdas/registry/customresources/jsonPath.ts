/** One step of a path: a member, an item of a list, all of them, or the items that pass a test. */
type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: JsonPath; readonly operator: Operator; readonly value: unknown };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'exists';

/** A path of printer columns, as `kubectl` and the API server write them: `.status.conditions[?(@.type=="Ready")].status`. */
export type JsonPath = readonly Step[];

const MEMBER = /^\.((?:\\.|[^.[\\])+)/;
const QUOTED = /^\[\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")\s*\]/;
const ITEM = /^\[\s*(-?\d+)\s*\]/;
const ALL = /^(?:\.\*|\[\s*\*\s*\])/;
const FILTER =
  /^\[\s*\?\(\s*@((?:\.(?:\\.|[\w-])+|\[[^\]]*\])+)\s*(?:(==|!=|<=|>=|<|>)\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[\w.+-]+)\s*)?\)\s*\]/;

/** Parses a path. Returns `undefined` for a text that is not a path, and for recursive descent, slices and unions, which no column needs. Pure. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text === '.' ? '' : text;
  while (rest !== '') {
    const [step, length] = parseStep(rest) ?? [];
    if (!step || !length) return undefined;
    steps.push(step);
    rest = rest.slice(length);
  }
  return steps;
}

function parseStep(text: string): [Step, number] | undefined {
  const all = ALL.exec(text);
  if (all) return [{ kind: 'all' }, all[0].length];
  const member = MEMBER.exec(text) ?? QUOTED.exec(text);
  if (member) return [{ kind: 'member', name: unescape(member[1] ?? member[2] ?? '') }, member[0].length];
  const item = ITEM.exec(text);
  if (item) return [{ kind: 'item', index: Number(item[1]) }, item[0].length];
  const filter = FILTER.exec(text);
  const path = filter && parseJsonPath(filter[1] ?? '');
  if (!filter || !path) return undefined;
  const operator = (filter[2] ?? 'exists') as Operator;
  return [{ kind: 'filter', path, operator, value: parseLiteral(filter[3] ?? '') }, filter[0].length];
}

function unescape(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

function parseLiteral(text: string): unknown {
  if (/^['"]/.test(text)) return unescape(text.slice(1, -1));
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** True for a path that may lead through all that a value holds. */
export function isSearch(path: JsonPath): boolean {
  return path.some(({ kind }) => kind === 'all' || kind === 'filter');
}

/** Returns the values at the path, in order; none if a member is missing on the way. Pure. */
export function valuesAt(value: unknown, path: JsonPath): readonly unknown[] {
  return path.reduce<readonly unknown[]>((values, step) => values.flatMap((one) => take(one, step)), [value]);
}

/** Returns the first value at the path. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return valuesAt(value, path)[0];
}

function take(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  switch (step.kind) {
    case 'member':
      return !Array.isArray(value) && Object.hasOwn(value, step.name)
        ? [(value as Record<string, unknown>)[step.name]]
        : [];
    case 'item':
      return Array.isArray(value) ? value.slice(...rangeOf(step.index)) : [];
    case 'all':
      return Object.values(value);
    case 'filter':
      return Array.isArray(value) ? value.filter((item: unknown) => passes(item, step)) : [];
  }
}

/** A negative index counts from the end. */
function rangeOf(index: number): [number, number | undefined] {
  return [index, index === -1 ? undefined : index + 1];
}

function passes(item: unknown, { path, operator, value }: Extract<Step, { kind: 'filter' }>): boolean {
  const found = valuesAt(item, path);
  if (found.length === 0) return false;
  const [left] = found;
  switch (operator) {
    case 'exists':
      return true;
    case '==':
      return left === value;
    case '!=':
      return left !== value;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return typeof left === typeof value && COMPARISONS[operator](left as string, value as string);
  }
}

const COMPARISONS = {
  '<': (left: string, right: string) => left < right,
  '<=': (left: string, right: string) => left <= right,
  '>': (left: string, right: string) => left > right,
  '>=': (left: string, right: string) => left >= right,
};
