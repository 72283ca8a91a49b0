import { type LmdbFile, type LmdbMeta, type LmdbTree, PAGE_HEADER_BYTES, readNumber } from './LmdbFile.ts';

export interface LmdbRecord {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** What a reader found: the pages of each kind and the records. */
interface Counts {
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

type CompareKeys = (a: Buffer, b: Buffer) => number;

const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const NODE_HEADER_BYTES = 8;
const BIG_DATA = 1;
const OVERFLOW_REFERENCE_BYTES = 24;

/** Reads the trees of one state of the file, and reports damage instead of following it. What a damaged page holds is left out. */
export class LmdbTreeReader {
  readonly #file: LmdbFile;
  readonly #meta: LmdbMeta;
  readonly #report: (error: Error) => void;
  /** 1 for each page that one of the trees uses. */
  readonly #used: Uint8Array;
  #counts: Counts = noCounts();
  #previousKey: Buffer | undefined;

  /** `report` gets each damage. It may throw, which ends the reading. */
  constructor(file: LmdbFile, meta: LmdbMeta, report: (error: Error) => void) {
    this.#file = file;
    this.#meta = meta;
    this.#report = report;
    this.#used = new Uint8Array(Math.ceil(file.bytes / meta.pageBytes));
  }

  get usedPageCount(): number {
    return this.#used.reduce((sum, isUsed) => sum + isUsed, 0);
  }

  get filePageCount(): number {
    return this.#used.length;
  }

  isUsed(page: number): boolean {
    return this.#used[page] === 1;
  }

  /** Reports damage if a page that should be free is used, free twice, or not in the file. LMDB's file may end before its last free pages. */
  claimFree(page: number): void {
    const { lastPage } = this.#meta;
    if (page < 2 || page > lastPage) this.#damaged(`it calls page ${page} free, which it does not have`);
    else if (this.isUsed(page)) this.#damaged(`page ${page} is used and free`);
    else if (page < this.#used.length) this.#used[page] = 1;
  }

  /** Marks a page as used. Reports damage and returns false if it is outside of the file or used already. */
  #claim(page: number): boolean {
    const { pageBytes, lastPage } = this.#meta;
    if (!(page >= 2 && page <= lastPage)) return this.#damaged(`it refers to page ${page}, which it does not have`);
    if ((page + 1) * pageBytes > this.#file.bytes) {
      this.#report(this.#file.truncated((lastPage + 1) * pageBytes));
      return false;
    }
    if (this.isUsed(page)) return this.#damaged(`page ${page} is used twice`);
    this.#used[page] = 1;
    return true;
  }

  /** Reads a tree, but only the headers of large values. */
  check(tree: LmdbTree, compare: CompareKeys): void {
    const records = this.#records(tree, compare, true)[Symbol.iterator]();
    while (records.next().done !== true);
  }

  /** Yields the records of a tree in the order of their keys, which `compare` gives. */
  records(tree: LmdbTree, compare: CompareKeys): Iterable<LmdbRecord> {
    return this.#records(tree, compare, false);
  }

  *#records(tree: LmdbTree, compare: CompareKeys, headersOnly: boolean): Iterable<LmdbRecord> {
    this.#counts = noCounts();
    this.#previousKey = undefined;
    if (tree.root !== undefined) yield* this.#subtree(tree.root, tree.depth, compare, headersOnly);
    for (const name of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (this.#counts[name] !== tree[name]) this.#damaged(`it has ${this.#counts[name]} ${name}, not ${tree[name]}`);
    }
  }

  /** Yields the records of a page if it is a leaf that no tree has used; nothing otherwise. It may belong to an earlier state of the file. */
  *looseRecords(number: number): Iterable<LmdbRecord> {
    const { pageBytes } = this.#meta;
    const header = this.#file.read(number * pageBytes, PAGE_HEADER_BYTES);
    const isLeaf =
      header.length === PAGE_HEADER_BYTES && readNumber(header, 0) === number && header.readUInt16LE(18) === LEAF;
    this.#previousKey = undefined;
    if (isLeaf && !this.isUsed(number)) yield* this.#subtree(number, 1, () => -1, false);
  }

  *#subtree(number: number, depth: number, compare: CompareKeys, headersOnly: boolean): Iterable<LmdbRecord> {
    const isLeaf = depth === 1;
    const page = this.#page(number, isLeaf ? LEAF : BRANCH);
    if (!page) return;
    this.#counts[isLeaf ? 'leafPages' : 'branchPages'] += 1;
    for (const offset of this.#nodeOffsets(page, number)) {
      if (!isLeaf) yield* this.#subtree(childOf(page, offset), depth - 1, compare, headersOnly);
      else yield* this.#leafRecord(page, offset, compare, headersOnly);
    }
  }

  *#leafRecord(page: Buffer, offset: number, compare: CompareKeys, headersOnly: boolean): Iterable<LmdbRecord> {
    const record = this.#record(page, offset, headersOnly);
    if (!record) return;
    // The record itself may be whole, so it is not left out.
    if (this.#previousKey && compare(this.#previousKey, record.key) >= 0) this.#damaged('its keys are out of order');
    this.#previousKey = record.key;
    this.#counts.entries += 1;
    yield record;
  }

  #page(number: number, kind: number): Buffer | undefined {
    if (!this.#claim(number)) return undefined;
    const { pageBytes } = this.#meta;
    const page = this.#file.read(number * pageBytes, pageBytes);
    if (this.#hasHeader(page, number, kind)) return page;
    this.#used[number] = 0;
    return undefined;
  }

  #hasHeader(page: Buffer, number: number, kind: number): boolean {
    const isRight =
      page.length >= PAGE_HEADER_BYTES &&
      readNumber(page, 0) === number &&
      readNumber(page, 8) <= this.#meta.transaction &&
      page.readUInt16LE(18) === kind;
    return isRight || this.#damaged(`the header of page ${number} is damaged`);
  }

  /** Returns where the nodes of a page begin. */
  #nodeOffsets(page: Buffer, number: number): readonly number[] {
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    if (lower > upper || upper > page.length - PAGE_HEADER_BYTES) {
      this.#damaged(`the bounds of page ${number} are damaged`);
      return [];
    }
    const offsets = Array.from(
      { length: lower >> 1 },
      (_, n) => PAGE_HEADER_BYTES + page.readUInt16LE(PAGE_HEADER_BYTES + 2 * n),
    );
    const whole = offsets.filter(
      (offset) => offset >= PAGE_HEADER_BYTES + upper && nodeEnd(page, offset) <= page.length,
    );
    if (whole.length < offsets.length)
      this.#damaged(`${offsets.length - whole.length} records of page ${number} are damaged`);
    return whole;
  }

  #record(page: Buffer, offset: number, headersOnly: boolean): LmdbRecord | undefined {
    const flags = page.readUInt16LE(offset + 4);
    const keyEnd = offset + NODE_HEADER_BYTES + page.readUInt16LE(offset + 6);
    const key = page.subarray(offset + NODE_HEADER_BYTES, keyEnd);
    const bytes = page.readUInt32LE(offset);
    if (flags === 0) return { key, value: page.subarray(keyEnd, keyEnd + bytes) };
    if (flags === BIG_DATA) {
      const value = this.#overflowValue(page.subarray(keyEnd, keyEnd + OVERFLOW_REFERENCE_BYTES), bytes, headersOnly);
      return value && { key, value };
    }
    this.#damaged(`a record has the unknown flags ${flags}`);
    return undefined;
  }

  /** Reads a value from its own pages. The reference holds the number of the first page, its transaction, and the count of pages. */
  #overflowValue(reference: Buffer, bytes: number, headersOnly: boolean): Buffer | undefined {
    const first = readNumber(reference, 0);
    const count = readNumber(reference, 16);
    const { pageBytes, transaction } = this.#meta;
    if (
      count !== Math.floor((PAGE_HEADER_BYTES - 1 + bytes) / pageBytes) + 1 ||
      readNumber(reference, 8) > transaction
    ) {
      this.#damaged('the reference to a large value is damaged');
      return undefined;
    }
    for (let page = first; page < first + count; page += 1) if (!this.#claim(page)) return undefined;
    this.#counts.overflowPages += count;
    const read = this.#file.read(first * pageBytes, PAGE_HEADER_BYTES + (headersOnly ? 0 : bytes));
    if (!this.#hasHeader(read, first, OVERFLOW)) return undefined;
    if (read.readUInt32LE(20) === count) return read.subarray(PAGE_HEADER_BYTES);
    this.#damaged(`the header of page ${first} is damaged`);
    return undefined;
  }

  #damaged(why: string): false {
    this.#report(this.#file.damage(why));
    return false;
  }
}

function childOf(page: Buffer, offset: number): number {
  return page.readUInt32LE(offset) + page.readUInt16LE(offset + 4) * 2 ** 32;
}

/** Returns where a leaf's or branch's node ends. A branch's node has only a key. */
function nodeEnd(page: Buffer, offset: number): number {
  if (offset + NODE_HEADER_BYTES > page.length) return Number.POSITIVE_INFINITY;
  const keyEnd = offset + NODE_HEADER_BYTES + page.readUInt16LE(offset + 6);
  if (page.readUInt16LE(18) !== LEAF) return keyEnd;
  const isBig = page.readUInt16LE(offset + 4) === BIG_DATA;
  return keyEnd + (isBig ? OVERFLOW_REFERENCE_BYTES : page.readUInt32LE(offset));
}

function noCounts(): Counts {
  return { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
}
