export type Labels = Readonly<Record<string, string>>;

/** One condition on one label. `never` stands for an operator that nobody knows: it matches nothing. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<' | 'never';
  readonly values: readonly string[];
}

/** True if the labels meet every requirement; there may be none of either. Pure. */
export function matchesRequirements(requirements: readonly LabelRequirement[], labels: Labels = {}): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels));
}

function matchesRequirement({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      // A label that is not there differs from every value.
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '>':
      return compare(value, values[0], (a, b) => a > b);
    case '<':
      return compare(value, values[0], (a, b) => a < b);
    case 'never':
      return false;
  }
}

/** An integer as Go's `ParseInt(…, 10, 64)` takes it, or undefined. */
export function parseInteger(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

function compare(
  value: string | undefined,
  bound: string | undefined,
  holds: (a: bigint, b: bigint) => boolean,
): boolean {
  const [a, b] = [parseInteger(value), parseInteger(bound)];
  return a !== undefined && b !== undefined && holds(a, b);
}

/** `a=b,c in (x,y),!d`; sets are ordered. Pure. */
export function formatRequirements(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
    case 'never':
      return '';
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      return `${key}${operator}${values[0] ?? ''}`;
  }
}
