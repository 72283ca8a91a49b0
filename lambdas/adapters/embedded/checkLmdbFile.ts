import { LmdbFile, type LmdbMeta, readNumber } from './LmdbFile.ts';
import { LmdbTreeReader } from './LmdbTreeReader.ts';

export interface LmdbFileUse {
  readonly usedPages: number;
  readonly pages: number;
}

/**
 * Checks that LMDB can open the file: reads every page of its two trees, but not the content of large values. Returns how many of its pages are in use. Throws a
 * DatabaseDamage if a page is missing or damaged.
 */
export function checkLmdbFile(path: string): LmdbFileUse {
  const file = LmdbFile.open(path);
  try {
    return checkTrees(file, file.newestMeta());
  } finally {
    file.close();
  }
}

function checkTrees(file: LmdbFile, meta: LmdbMeta): LmdbFileUse {
  const reader = new LmdbTreeReader(file, meta, (damage) => {
    throw damage;
  });
  reader.check(meta.main, compareKeys);
  const lists = [...reader.records(meta.free, compareIntegerKeys)].map(({ value }) => value);
  const { usedPageCount } = reader;
  let lastFree = 0;
  for (const list of lists) {
    for (const page of freePages(file, meta, list)) {
      reader.claimFree(page);
      lastFree = Math.max(lastFree, page);
    }
  }
  // LMDB does not write free pages, so the file may end before its last ones.
  if (meta.lastPage > lastFree && meta.lastPage >= reader.filePageCount) {
    throw file.truncated((meta.lastPage + 1) * meta.pageBytes);
  }
  return { usedPages: usedPageCount, pages: meta.lastPage + 1 };
}

/** Compares two keys of the tree of records. */
export function compareKeys(a: Buffer, b: Buffer): number {
  return a.compare(b);
}

/** Compares two keys of the tree of free pages, which are transaction numbers. */
export function compareIntegerKeys(a: Buffer, b: Buffer): number {
  if (a.length !== 8 || b.length !== 8) return 0;
  return readNumber(a, 0) - readNumber(b, 0);
}

/**
 * Yields the free pages of one list: the count of its entries, then the entries. An entry is a page, 0, or the negative length of a run whose first page is the
 * next entry. Throws a DatabaseDamage for anything else.
 */
export function* freePages(file: LmdbFile, { lastPage }: LmdbMeta, list: Buffer): Iterable<number> {
  const count = list.length < 8 ? Number.POSITIVE_INFINITY : readNumber(list, 0);
  if ((count + 1) * 8 > list.length) throw file.damage('a list of free pages is damaged');
  for (let n = 1; n <= count; n += 1) {
    const entry = list.readBigInt64LE(n * 8);
    if (entry > 0n) yield Number(entry);
    if (entry >= 0n) continue;
    n += 1;
    const first = n <= count ? readNumber(list, n * 8) : Number.POSITIVE_INFINITY;
    const end = first - Number(entry);
    if (end > lastPage + 1) throw file.damage('a list of free pages is damaged');
    for (let page = first; page < end; page += 1) yield page;
  }
}
