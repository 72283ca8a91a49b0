import type { StoredAttribute } from './objects/storedBody.ts';

/**
 * Throws if a newer release wrote the item, since this one might misread it. `newest` is the highest format that this release reads. An item without a number has the first format. `name` identifies the item in
 * the error's message.
 */
export function assertFormat(
  { format }: Readonly<Record<string, StoredAttribute>>,
  newest: number,
  name: string,
): void {
  const found = Number(format?.N ?? 1);
  if (found > newest)
    throw new Error(`the item ${name} has format ${found}, and this release reads only up to ${newest}`);
}
