import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from './quantity.ts';

/** `core.ResourceList` with its quantities parsed: `{ cpu: …, 'requests.memory': … }`. All functions on it are pure. */
export type ResourceAmounts = Readonly<Record<string, Quantity>>;

export const ONE: Quantity = { nanos: 1_000_000_000n, format: 'DecimalSI' };
const ZERO: Quantity = { nanos: 0n, format: 'DecimalSI' };

/** Parses a resource list. Text that is not a quantity counts as zero; validation refuses it before it is stored. */
export function parseAmounts(list: Readonly<Record<string, unknown>> | undefined): ResourceAmounts {
  return mapAmounts(list ?? {}, (value) => parseQuantity(value) ?? ZERO);
}

export function formatAmounts(amounts: ResourceAmounts): Record<string, string> {
  return mapAmounts(amounts, formatQuantity);
}

/** Adds resource by resource; a missing resource counts as zero. */
export function addAmounts(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  return { ...a, ...mapAmounts(b, (value, name) => addQuantities(a[name] ?? ZERO, value)) };
}

/** Subtracts resource by resource; nothing becomes less than zero. A resource that only `b` has is left out. */
export function subtractAmounts(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  return mapAmounts(a, ({ nanos, format }, name) => {
    const left = nanos - (b[name]?.nanos ?? 0n);
    return { nanos: left > 0n ? left : 0n, format };
  });
}

/** Takes the larger amount, resource by resource. */
export function maxAmounts(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  return {
    ...a,
    ...mapAmounts(b, (value, name) => {
      const other = a[name];
      return other !== undefined && compareQuantities(other, value) >= 0 ? other : value;
    }),
  };
}

/** Keeps only the named resources. */
export function maskAmounts(amounts: ResourceAmounts, names: readonly string[]): ResourceAmounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

function mapAmounts<V, R>(amounts: Readonly<Record<string, V>>, change: (value: V, name: string) => R) {
  return Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, change(value, name)])) as Record<
    string,
    R
  >;
}
