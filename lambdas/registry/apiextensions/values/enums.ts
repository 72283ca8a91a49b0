import { deepEqual } from './deepEqual.ts';

/** The scalars of an enum, which are looked up, and what has to be compared. */
interface CompiledEnum {
  readonly scalars: ReadonlySet<unknown>;
  readonly others: readonly unknown[];
}

const COMPILED = new WeakMap<readonly unknown[], CompiledEnum>();

/** True if one of the values equals a value as `deepEqual`. However many scalars there are, it takes one step. `spend`: counts what is compared. */
export function isInEnum(values: readonly unknown[], value: unknown, spend: (steps: number) => void): boolean {
  const { scalars, others } = compiled(values);
  if (typeof value !== 'object' || value === null) return scalars.has(value);
  spend(others.length);
  return others.some((one) => deepEqual(one, value));
}

function compiled(values: readonly unknown[]): CompiledEnum {
  const known = COMPILED.get(values);
  if (known !== undefined) return known;
  const isScalar = (one: unknown) => typeof one !== 'object' || one === null;
  const result = { scalars: new Set(values.filter(isScalar)), others: values.filter((one) => !isScalar(one)) };
  COMPILED.set(values, result);
  return result;
}
