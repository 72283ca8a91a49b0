import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { type AuditEvent, auditLine } from '../../objects/audit/AuditEvent.ts';
import { AuditLosses } from '../../objects/audit/AuditLosses.ts';
import type { AuditLog } from '../../ports/AuditLog.ts';
import { makeDirectory } from './makeDataDirectory.ts';
import type { Clock } from '../../ports/Clock.ts';

export interface AuditFileOptions {
  /** Its folder is made if it is missing. */
  readonly path: string;
  /** How large the file may become, in megabytes, before it is renamed and another one begun. */
  readonly maxSizeMb: number;
  /** How many renamed files are kept; 0: all. */
  readonly maxBackups: number;
  /** How long renamed files are kept, in days; 0: for ever. */
  readonly maxAgeDays: number;
  /** The names of renamed files come from its time. */
  readonly clock: Pick<Clock, 'now'>;
  /** Receives a line when events begin to be lost, and when that is over. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

const BYTES_PER_MB = 1024 * 1024;
const MS_PER_DAY = 86_400_000;
const LINE_END = 10;

/**
 * An audit log in a file, one event a line, as kube-apiserver's with `--audit-log-path`: a line is in the file before the request goes on, so that what has happened is in it even if the process is killed. Only
 * this process writes the file. A full disk loses lines, and no part of a line is left in front of another.
 */
export class FileAuditLog implements AuditLog {
  readonly #options: AuditFileOptions;
  readonly #losses: AuditLosses;
  #file: number | undefined;
  #bytes: number;
  /** The file ends in a part of a line, which the next line must not continue. */
  #isTorn: boolean;

  /** Opens the file, and makes it if it is missing. Throws Node's error if it cannot be written. */
  constructor(options: AuditFileOptions) {
    this.#options = options;
    this.#losses = new AuditLosses(options.report);
    makeDirectory(dirname(options.path), 0o700);
    this.#file = openSync(options.path, 'a+', 0o600);
    this.#bytes = fstatSync(this.#file).size;
    this.#isTorn = this.#bytes > 0 && lastByte(this.#file, this.#bytes) !== LINE_END;
    this.#prune();
  }

  write(event: AuditEvent): void {
    if (this.#file === undefined) return;
    try {
      const line = Buffer.from(`${auditLine(event)}\n`);
      if (this.#bytes > 0 && this.#bytes + line.length > this.#options.maxSizeMb * BYTES_PER_MB) this.#tryRotate();
      this.#append(line);
      this.#losses.endFailure();
    } catch (error) {
      this.#losses.add(1, error);
    }
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    return Promise.resolve();
  }

  #append(line: Buffer): void {
    const bytes = this.#isTorn ? Buffer.concat([Buffer.of(LINE_END), line]) : line;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file as number, bytes, written);
      this.#isTorn = false;
    } catch (error) {
      // Of a line end alone, nothing is left to be torn.
      this.#isTorn ||= written > 0;
      throw error;
    } finally {
      this.#bytes += written;
    }
  }

  /** Renames the file and begins another one. If that fails, the file is written on, until it has grown as much again. */
  #tryRotate(): void {
    try {
      this.#rotate();
      this.#prune();
    } catch (error) {
      this.#options.report({ level: 'error', msg: 'the audit log cannot be renamed', error: String(error) });
    }
    this.#bytes = 0;
  }

  #rotate(): void {
    const { path } = this.#options;
    const backup = this.#backupPath();
    renameSync(path, backup);
    try {
      const next = openSync(path, 'a+', 0o600);
      closeSync(this.#file as number);
      this.#file = next;
      this.#isTorn = false;
    } catch (error) {
      renameSync(backup, path);
      throw error;
    }
  }

  /** `audit-2026-01-01T00-00-00.000.log` of `audit.log`. A name that is taken is not taken again. */
  #backupPath(): string {
    const { dir, name, ext } = parse(this.#options.path);
    let timeMs = this.#options.clock.now();
    const pathAt = () => join(dir, `${name}-${new Date(timeMs).toISOString().slice(0, -1).replaceAll(':', '-')}${ext}`);
    while (existsSync(pathAt())) timeMs += 1;
    return pathAt();
  }

  /** Removes the renamed files that are too many or too old. */
  #prune(): void {
    const { path, maxBackups, maxAgeDays, clock } = this.#options;
    const { dir } = parse(path);
    const newestFirst = backupsOf(path, readdirSync(dir === '' ? '.' : dir)).sort((a, b) => b.timeMs - a.timeMs);
    const oldestMs = maxAgeDays > 0 ? clock.now() - maxAgeDays * MS_PER_DAY : Number.NEGATIVE_INFINITY;
    newestFirst.forEach(({ file, timeMs }, at) => {
      if ((maxBackups > 0 && at >= maxBackups) || timeMs < oldestMs) rmSync(join(dir, file), { force: true });
    });
  }
}

/** The renamed files of a log among the files of its folder, by the times in their names. Pure. */
function backupsOf(path: string, files: readonly string[]): { readonly file: string; readonly timeMs: number }[] {
  const { name, ext } = parse(path);
  return files.flatMap((file) => {
    if (!file.startsWith(`${name}-`) || !file.endsWith(ext)) return [];
    const time = file.slice(name.length + 1, file.length - ext.length);
    const [, day, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(time) ?? [];
    return day === undefined ? [] : [{ file, timeMs: Date.parse(`${day}T${hour}:${minute}:${second}Z`) }];
  });
}

function lastByte(file: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, size - 1);
  return byte[0];
}
