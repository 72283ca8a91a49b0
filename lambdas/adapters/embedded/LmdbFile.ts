import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A database's file or one of its records is not as it was written. The message is one line. */
export class DatabaseDamage extends Error {}

/** One B+ tree of the file. */
export interface LmdbTree {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Undefined if the tree is empty. */
  readonly root: number | undefined;
}

/** A meta page: the state of the file after one transaction. */
export interface LmdbMeta {
  readonly pageBytes: number;
  /** The pages that may be used again, by the transaction that freed them. */
  readonly free: LmdbTree;
  /** The records. */
  readonly main: LmdbTree;
  readonly lastPage: number;
  readonly transaction: number;
}

const MAGIC = 0xbeefc0de;
const FORMAT_VERSION = 2;
const META_BYTES = 168;
const NO_PAGE = 0xffffffffffffffffn;
const META_FLAG = 8;
const INTEGER_KEY_FLAG = 8;
/** Says how the file was synced to the disk. */
const SYNC_FLAG = 0x1000;
const MIN_PAGE_BYTES = 256;
const MAX_PAGE_BYTES = 65_536;
/** Each page begins with its number (8 bytes), its transaction (8), padding (2), flags (2) and its bounds or its page count (4). */
export const PAGE_HEADER_BYTES = 24;

/**
 * Reads a file of LMDB's data format 2 on a 64-bit little-endian machine, without LMDB: lmdb 3.5 maps the file into memory, so a file that is too short or
 * damaged ends the process with a signal. Nothing here follows a number of the file before it is checked.
 */
export class LmdbFile {
  readonly path: string;
  readonly bytes: number;
  readonly #descriptor: number;

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.bytes = fstatSync(descriptor).size;
  }

  /** Opens the file for reading. Throws Node's error if it cannot. */
  static open(path: string): LmdbFile {
    return new LmdbFile(path, openSync(path, 'r'));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Returns the bytes there, fewer where the file ends. */
  read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.bytes - offset)));
    let done = 0;
    while (done < buffer.length) {
      const count = readSync(this.#descriptor, buffer, done, buffer.length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  }

  /** Returns the meta pages that can be read, the newest first. */
  metas(): readonly LmdbMeta[] {
    const first = decodeMeta(this.read(0, META_BYTES));
    const sizes = first ? [first.pageBytes] : [4096, 16_384, 8192];
    for (const pageBytes of sizes) {
      const second = decodeMeta(this.read(pageBytes, META_BYTES));
      const metas = [first, second].filter((meta) => meta !== undefined);
      if (second) return metas.toSorted((a, b) => b.transaction - a.transaction);
    }
    return first ? [first] : [];
  }

  /** Returns the newest meta page. Throws a DatabaseDamage if any meta page is damaged, since the damaged one may be the newest. */
  newestMeta(): LmdbMeta {
    const [newest, older] = this.metas();
    if (!newest || !older) throw this.damage('one of its meta pages is damaged');
    if (this.#rootTransaction(newest) !== newest.transaction) throw this.damage('its newest meta page is damaged');
    // A changed transaction number would make LMDB take the older of the two states for the newest.
    if (this.#rootTransaction(older) > newest.transaction) throw this.damage('its newest meta page is damaged');
    return newest;
  }

  damage(why: string): DatabaseDamage {
    return new DatabaseDamage(`${this.path} is damaged: ${why}`);
  }

  /** Returns the newest transaction that wrote a root, which is the one that wrote the meta page, because each transaction writes a new root. */
  #rootTransaction({ free, main, pageBytes, lastPage }: LmdbMeta): number {
    const transactions = [free.root, main.root].map((root) => {
      if (root === undefined) return 0;
      if (root > lastPage) throw this.damage('one of its meta pages is damaged');
      const header = this.read(root * pageBytes, PAGE_HEADER_BYTES);
      if (header.length < PAGE_HEADER_BYTES) throw this.truncated((root + 1) * pageBytes);
      return readNumber(header, 8);
    });
    return Math.max(...transactions);
  }

  truncated(neededBytes: number): DatabaseDamage {
    return new DatabaseDamage(`${this.path} is truncated: it has ${this.bytes} bytes and needs ${neededBytes}`);
  }
}

/** True if these bytes begin as a database of the format that this release reads. */
export function isLmdbHead(head: Buffer): boolean {
  return (
    head.length >= META_BYTES &&
    head.readUInt32LE(PAGE_HEADER_BYTES) === MAGIC &&
    head.readUInt16LE(PAGE_HEADER_BYTES + 4) === FORMAT_VERSION
  );
}

/** Reads 8 bytes; numbers that are too large for a file come back as Infinity. */
export function readNumber(buffer: Buffer, offset: number): number {
  const value = buffer.readBigUInt64LE(offset);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

function decodeMeta(page: Buffer): LmdbMeta | undefined {
  if (!isLmdbHead(page) || page.readUInt16LE(18) !== META_FLAG) return undefined;
  const meta = page.subarray(PAGE_HEADER_BYTES);
  const pageBytes = meta.readUInt32LE(24);
  const isPageSize = pageBytes >= MIN_PAGE_BYTES && pageBytes <= MAX_PAGE_BYTES && (pageBytes & (pageBytes - 1)) === 0;
  const flags = [meta.readUInt16LE(24 + 4), meta.readUInt32LE(72), meta.readUInt16LE(72 + 4)];
  const hasOurFlags = (flags[0] ?? 0) % SYNC_FLAG === INTEGER_KEY_FLAG && flags[1] === 0 && flags[2] === 0;
  if (!isPageSize || !hasOurFlags) return undefined;
  const lastPage = readNumber(meta, 120);
  // LMDB maps as much memory as the meta page says.
  if (readNumber(meta, 16) > 2 ** 46 || lastPage === Number.POSITIVE_INFINITY) return undefined;
  return {
    pageBytes,
    free: decodeTree(meta, 24),
    main: decodeTree(meta, 72),
    lastPage,
    transaction: readNumber(meta, 128),
  };
}

function decodeTree(meta: Buffer, offset: number): LmdbTree {
  const isEmpty = meta.readBigUInt64LE(offset + 40) === NO_PAGE;
  return {
    depth: meta.readUInt16LE(offset + 6),
    branchPages: readNumber(meta, offset + 8),
    leafPages: readNumber(meta, offset + 16),
    overflowPages: readNumber(meta, offset + 24),
    entries: readNumber(meta, offset + 32),
    root: isEmpty ? undefined : readNumber(meta, offset + 40),
  };
}
