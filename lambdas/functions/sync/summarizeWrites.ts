/** Writes of one kind that are named one by one. A sync may create 500 pods, and its line in the log must stay readable. */
const MAX_EXAMPLES = 3;

/** A write's phrase: what was done, the object's namespace and name, and the rest: `scale replicasets.apps`, `default/web-5d9c`, ` from 2 to 3`. */
const PHRASE = /^(?<what>.*?) (?<place>\S*\/\S+)(?<rest>.*)$/;

/**
 * Shortens the list of a sync's writes: equal phrases once, and of each kind of write that has many objects a count and a few of them, as `create pods default/web-a, default/web-b,
 * default/web-c and 497 more`. Pure.
 */
export function summarizeWrites(writes: readonly string[]): string[] {
  // Most syncs write once or twice, and two phrases are in order as they are.
  if (writes.length < 3) return [...new Set(writes)];
  const kinds = new Map<string, string[]>();
  for (const write of new Set(writes)) {
    const what = PHRASE.exec(write)?.groups?.['what'] ?? write;
    kinds.set(what, [...(kinds.get(what) ?? []), write]);
  }
  return [...kinds].flatMap(([what, phrases]) => (phrases.length > MAX_EXAMPLES ? [countOf(what, phrases)] : phrases));
}

function countOf(what: string, phrases: readonly string[]): string {
  const examples = phrases.slice(0, MAX_EXAMPLES).map((phrase) => PHRASE.exec(phrase)?.groups?.['place'] ?? phrase);
  return `${what} ${examples.join(', ')} and ${phrases.length - MAX_EXAMPLES} more`;
}
