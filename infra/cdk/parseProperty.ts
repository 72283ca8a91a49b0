/** Reports an invalid stack property. The message names the property and the values that it accepts. */
export class StackPropsError extends Error {
  constructor(path: string, problem: string) {
    super(`stack property${path === '' ? '' : ` ${path}`}: ${problem}`);
    this.name = 'StackPropsError';
  }
}

/** Validates the value of the property at `path`. Throws a StackPropsError. */
export type Parse<T> = (value: unknown, path: string) => T;

/** Returns the fields of an object. Throws a StackPropsError if it is no object or has a field that is not in `known`. */
export function parseFields(value: unknown, path: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StackPropsError(path, `must be an object, not ${JSON.stringify(value)}`);
  }
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new StackPropsError(path, `has no field ${JSON.stringify(unknown)}; it has ${known.join(', ')}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

export const boolean: Parse<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw new StackPropsError(path, `must be true or false, not ${JSON.stringify(value)}`);
};

export function integer(least: number, most: number): Parse<number> {
  return (value, path) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new StackPropsError(path, `must be an integer from ${least} to ${most}, not ${JSON.stringify(value)}`);
  };
}

export function oneOf<const T>(choices: readonly T[]): Parse<T> {
  return (value, path) => {
    if ((choices as readonly unknown[]).includes(value)) return value as T;
    const listed = choices.map((choice) => JSON.stringify(choice)).join(', ');
    throw new StackPropsError(path, `must be one of ${listed}, not ${JSON.stringify(value)}`);
  };
}

/** Accepts a string that matches `pattern`; `what` describes the pattern in the error message. */
export function text(pattern: RegExp, what: string): Parse<string> {
  return (value, path) => {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new StackPropsError(path, `must be ${what}, not ${JSON.stringify(value)}`);
  };
}

/** Accepts an object with some of these fields. A field that is left out gets its value from `defaults`, if there is one. */
export function record<K extends string, T>(
  names: readonly K[],
  parse: Parse<T>,
  defaults?: Readonly<Record<K, T>>,
): Parse<Readonly<Record<K, T>>> {
  return (value, path) => {
    const fields = Object.entries(parseFields(value, path, names));
    const parsed = fields.map(([name, field]) => [name, parse(field, `${path}.${name}`)]);
    return { ...defaults, ...Object.fromEntries(parsed) } as Record<K, T>;
  };
}

const EC2_KINDS = { vpc: 'vpc', subnet: 'subnet', sg: 'security group', vpce: 'interface endpoint' } as const;

/** Accepts the id of a resource of EC2, such as `subnet-0123456789abcdef0`. */
export function ec2Id(kind: keyof typeof EC2_KINDS): Parse<string> {
  const what = EC2_KINDS[kind];
  return text(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `the id of ${kind === 'vpce' ? 'an' : 'a'} ${what}`);
}
