import type { SyncReport } from './Controller.ts';

/**
 * The reasons of a room by their names, each with its words: a phrase that begins with a lower case letter and has no full stop. What a function takes is what its phrase needs. A sync reports reasons as data; the words are for the
 * line in the log and for `explain`.
 */
export type ReasonTable = Readonly<Record<string, (facts: never) => string>>;

type FactsOf<Words> = Words extends () => string
  ? unknown
  : Words extends (facts: infer Facts) => string
    ? Facts
    : never;

/** Why a sync did what it did: a name in the table, with what the phrase needs. */
export type ReasonOf<Table extends ReasonTable> = {
  [Name in keyof Table & string]: { readonly reason: Name } & FactsOf<Table[Name]>;
}[keyof Table & string];

/** What must happen before a sync goes on: a name in a table of waits, with what the phrase needs. */
export type WaitOf<Table extends ReasonTable> = {
  [Name in keyof Table & string]: { readonly wait: Name } & FactsOf<Table[Name]>;
}[keyof Table & string];

/** Phrases to which the word `waits` belongs. The others say what happens meanwhile. */
const WAITED_FOR = /^(until|for|to) /;

/** Returns what words the reasons of a table and, if there are any, its waits. `reportDone` reports a sync that ended well, for one reason, after these writes. All are pure. */
export function wordsOf<Reasons extends ReasonTable, Waits extends ReasonTable = Record<string, never>>(
  reasons: Reasons,
  waits?: Waits,
) {
  const waitInWords = (wait: WaitOf<Waits>): string => phrase(waits, wait.wait, wait);
  const reasonInWords = (reason: ReasonOf<Reasons> | WaitOf<Waits>): string => {
    if ('reason' in reason) return phrase(reasons, reason.reason, reason);
    const words = waitInWords(reason);
    return WAITED_FOR.test(words) ? `waits ${words}` : words;
  };
  const reportDone = (reason: ReasonOf<Reasons>, writes: readonly string[] = []): SyncReport => ({
    outcome: { status: 'done' },
    why: [reasonInWords(reason)],
    writes,
  });
  return { reasonInWords, waitInWords, reportDone };
}

function phrase(table: ReasonTable | undefined, name: string, facts: unknown): string {
  const words = table?.[name] as ((facts: unknown) => string) | undefined;
  if (!words) throw new Error(`there is no reason ${name}`);
  return words(facts);
}
