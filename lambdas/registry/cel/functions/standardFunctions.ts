import { ARITHMETIC } from './arithmetic.ts';
import { AUTHORIZATION } from './authorization.ts';
import { COMPARISON } from './comparison.ts';
import { CONVERSION } from './conversion.ts';
import { LISTS } from './lists.ts';
import { FORMATS } from './namedFormats.ts';
import { NETWORK } from './network.ts';
import { OPTIONALS } from './optionals.ts';
import type { Overload } from './Overload.ts';
import { QUANTITIES } from './quantities.ts';
import { TEXTS } from './texts.ts';
import { TIMES } from './times.ts';

/**
 * The functions that expressions may call, by name: those of Kubernetes 1.35, since a server lets in no expression that its predecessor could not evaluate.
 * There is neither `cel.bind` nor a library of mathematics.
 */
export const STANDARD_FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = byName([
  ...COMPARISON,
  ...ARITHMETIC,
  ...CONVERSION,
  ...TIMES,
  ...TEXTS,
  ...LISTS,
  ...OPTIONALS,
  ...NETWORK,
  ...QUANTITIES,
  ...FORMATS,
  ...AUTHORIZATION,
]);

function byName(overloads: readonly Overload[]): ReadonlyMap<string, readonly Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const one of overloads) {
    const known = functions.get(one.name);
    if (known === undefined) functions.set(one.name, [one]);
    else known.push(one);
  }
  return functions;
}
