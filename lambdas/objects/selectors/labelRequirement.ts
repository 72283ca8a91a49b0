export type Labels = Readonly<Record<string, string>>;

/** One condition on one label. `never` replaces an unknown operator and matches nothing. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<' | 'never';
  readonly values: readonly string[];
}

/** True if the labels meet every requirement. Without requirements, everything matches. Pure. */
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
      // An absent label differs from every value.
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

/** Parses an integer as Go's `ParseInt(…, 10, 64)`; undefined for other text. */
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

/** Writes requirements as text: `a=b,c in (x,y),!d`. The values of a set are sorted. Pure. */
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
