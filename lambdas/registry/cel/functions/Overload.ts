import { type CelType, parseType, splitTypes } from '../CelType.ts';
import type { CelResult, CelValue } from '../evaluate/CelValue.ts';

/** One form of a function: its types, and what it does. */
export interface Overload {
  /** cel-go's name of the form: `starts_with_string`. Costs depend on it. */
  readonly id: string;
  readonly name: string;
  readonly isMember: boolean;
  /** The types of the target, if it is a member, and of the arguments. */
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Called with values of these types only. */
  call(args: readonly CelValue[]): CelResult;
}

/**
 * Declares an overload: `overload('starts_with_string', 'startsWith', 'string.(string) bool', (text: string, prefix: string) => …)`. The signature says the
 * types of the target before the dot, of the arguments, and of the result; what it does must take just these.
 */
export function overload(
  id: string,
  name: string,
  signature: string,
  implementation: (...args: never[]) => CelResult,
): Overload {
  const [, target, args = '', result = ''] = /^(?:(.+)\.)?\((.*)\) (\S.*)$/.exec(signature) ?? [];
  const types = splitTypes(args).map(parseType);
  return {
    id,
    name,
    isMember: target !== undefined,
    params: target === undefined ? types : [parseType(target), ...types],
    result: parseType(result),
    call: (values) => implementation(...(values as never[])),
  };
}
