import { type CelType, isDyn, isExactType, nameOf, paramsOf, simpleType } from '../CelType.ts';

/** What the parameters of types stand for, as far as is known. Grows while an expression is checked. */
export class Substitutions {
  readonly #known = new Map<string, CelType>();

  get(name: string): CelType | undefined {
    return this.#known.get(name);
  }

  /** Adds the substitutions under which the types fit. Returns false, and adds none, if they do not fit. Follows cel-go's `isAssignableList`. */
  assignAll(left: readonly CelType[], right: readonly CelType[]): boolean {
    const draft = new Draft(this);
    if (!fitAll(draft, left, right)) return false;
    for (const [name, type] of draft.added) this.#known.set(name, type);
    return true;
  }

  /** `assignAll` for one pair. */
  assign(left: CelType, right: CelType): boolean {
    return this.assignAll([left], [right]);
  }
}

/** Substitutions that may turn out not to fit, beside those that are known: an expression has thousands, and each of its calls tries a few. */
class Draft {
  readonly added = new Map<string, CelType>();
  readonly #known: Substitutions;

  constructor(known: Substitutions) {
    this.#known = known;
  }

  get(name: string): CelType | undefined {
    return this.added.get(name) ?? this.#known.get(name);
  }

  set(name: string, type: CelType): void {
    this.added.set(name, type);
  }
}

function fitAll(draft: Draft, left: readonly CelType[], right: readonly CelType[]): boolean {
  return left.length === right.length && left.every((one, index) => fits(draft, one, right[index] ?? one));
}

function fits(draft: Draft, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { valid, known } = standsFor(draft, a, b);
    if (valid) return true;
    if (known) return false;
  }
  if (a.kind === 'param') return standsFor(draft, b, a).valid;
  if (isWild(a) || isWild(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  if (a.kind === 'type') return b.kind === 'type';
  if (a.kind === 'opaque' || a.kind === 'list' || a.kind === 'map')
    return a.kind === b.kind && nameOf(a) === nameOf(b) && fitAll(draft, paramsOf(a), paramsOf(b));
  return isExactType(a, b);
}

function isWild({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

/** The types that may be null: in cel-go, objects, times and opaque types. */
function isNullable({ kind }: CelType): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(kind);
}

/** Whether a parameter can stand for a type, and whether it stands for something already. */
function standsFor(
  draft: Draft,
  type: CelType,
  param: CelType & { kind: 'param' },
): { readonly valid: boolean; readonly known: boolean } {
  if (type.kind === 'param' && type.name === param.name) return { valid: true, known: true };
  const current = draft.get(param.name);
  if (current === undefined) {
    if (occursIn(draft, param.name, type)) return { valid: false, known: false };
    draft.set(param.name, type);
    return { valid: true, known: false };
  }
  if (isExactType(type, current)) return { valid: true, known: true };
  if (!fits(draft, type, current)) return { valid: false, known: true };
  const general = mostGeneral(type, current);
  if (!occursIn(draft, param.name, general)) draft.set(param.name, general);
  return { valid: true, known: true };
}

function occursIn(draft: Draft, name: string, type: CelType): boolean {
  if (type.kind !== 'param') return paramsOf(type).some((inner) => occursIn(draft, name, inner));
  if (type.name === name) return true;
  const current = draft.get(type.name);
  return current !== undefined && occursIn(draft, name, current);
}

/** Of two types that fit, the one that says less. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  const [left, right] = [paramsOf(a), paramsOf(b)];
  if (left.length === 0 && right.length === 0) return isExactType(a, b);
  return nameOf(a) === nameOf(b) && left.every((one, index) => isLessSpecific(one, right[index] ?? one));
}

/** Replaces the parameters that are known. The others become `dyn` if so wished. */
export function substitute(known: Pick<Substitutions, 'get'>, type: CelType, toDyn = false): CelType {
  if (type.kind === 'param') {
    const current = known.get(type.name);
    if (current !== undefined) return substitute(known, current, toDyn);
    return toDyn ? simpleType('dyn') : type;
  }
  if (!('params' in type) || type.params.length === 0) return type;
  return { ...type, params: type.params.map((inner) => substitute(known, inner, toDyn)) } as CelType;
}
